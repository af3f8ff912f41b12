// A game as CSV, made on the phone: the columns that an import needs, round by round.

const HEAD = ["game", "rules", "house_rules", "round", "dealer", "seat", "player", "bid", "tricks"];

export function csvOf(kept) {
  const house = Object.entries(kept.house).map((pair) => pair.join("=")).join(";");
  const scored = kept.rounds.filter(({ tricks }) => tricks);
  const dealers = scored.map((_, at) => ((kept.first_dealer + at) % kept.names.length) + 1);
  const rows = scored.flatMap(({ bids, tricks }, at) =>
    kept.names.map((name, seat) => {
      const cells = [at + 1, dealers[at], seat + 1, harmless(name), bids[seat] ?? "", tricks[seat]];
      return [kept.id, kept.rules.key, house, ...cells];
    }),
  );
  return [HEAD, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
}

// Marks what a spreadsheet would run as a formula, as scorekeeper/files/csv/formulas.py does: an import reads it
// back as it was.
const HIDDEN = /^(?=["'\u00a0]*[＝＋－＠])|[;,\t\r\n](?=["'\u00a0]*[=+\-@＝＋－＠])/g;

function harmless(name) {
  const marked = name.replace(HIDDEN, "$&'\u00a0");
  return /^'*[=+\-@\t\r\n]/.test(marked) ? `'${marked}` : marked;
}

function quoted(cell) {
  const text = `${cell}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Let the phone save a game as a file. */
export function save(kept) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvOf(kept)], { type: "text/csv" }));
  link.download = `${kept.rules.key}-${kept.day}-${kept.id}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // until the file is written
}
