// Which view of the app an address shows.

/** Return the view for an address. */
export function route({ pathname, hash, search = "" }) {
  const [, id, page, n] = /^\/games\/([a-z0-9-]+)(\/rules|\/rounds\/(\d+))?$/.exec(pathname) ?? [];
  if (id === "new" || hash === "#new") return { name: "new" };
  if (n) return { name: "past", id, n: Number(n) };
  if (page) return { name: "rules", id };
  if (id) return { name: "game", id, everyRound: search === "?rounds=all" };
  return hash.length > 1 ? { name: "game", id: hash.slice(1) } : { name: "list" };
}
