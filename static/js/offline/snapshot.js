// Snapshot of the table and its games, fetched from the server for use offline.

import { get, getAll, update } from "./db.js";
import { fromServer, newestFirst, unsentCount } from "./facts.js";
import { hasEntriesOf } from "./merge.js";
import { Unavailable } from "./network.js";
import { isUnavailable, request } from "./requests.js";
import { mergeRestored, recreateLost } from "./restored.js";

const MAX_GAMES = 20;

/** Fetch the table with its players, rule books and newest games; forget it if this phone left it. */
export async function fetchTable() {
  const before = await get("table");
  const { status, body, tag } = await fetchFacts("/phone.json", before?.tag);
  if (status === 304) return;
  if (status === 404) await forgetTable(null, body?.lost);
  if (status !== 200) return;
  if (before && before.owner !== body.owner) await forgetTable(body.owner);
  const { games, ...table } = body;
  await fetchGames(games, body.owner);
  await update("table", () => ({ ...table, tag }));
  await evictOldGames();
}

// Stored games that differ are fetched one by one, as the answer then says whether the server was
// restored from a backup.
async function fetchGames(games, owner) {
  const listed = new Map(games.map((game) => [game.id, game]));
  const oldest = games.at(-1)?.changed ?? "";
  for (const game of await getAll("game/")) {
    if (game.owner !== owner || game.begin) continue;
    const recorded = listed.get(game.id);
    const isMissing = !recorded && (game.gone || game.changed > oldest);
    const isOther = recorded && (recorded.revision !== game.revision || recorded.day !== game.day);
    if (isMissing || isOther) await fetchGame(game.id);
    listed.delete(game.id);
  }
  for (const game of listed.values()) await storeFacts(game, owner, "");
}

async function fetchFacts(path, tag) {
  const response = await request(path, { tag });
  if (isUnavailable(response)) throw new Unavailable(response.status, response);
  return response;
}

// Keeps the newest games, and older ones with unsent or replaced entries.
async function evictOldGames() {
  const games = (await getAll("game/")).sort(newestFirst);
  for (const { id } of games.slice(MAX_GAMES))
    await update(`game/${id}`, (game) => (unsentCount(game) || game.had?.length ? game : undefined));
}

/** Fetch a game, and note if the server does not have it any more. */
export async function fetchGame(id) {
  const before = await get(`game/${id}`);
  const seen = before ? `?seen=${before.revision ?? before.version}` : "";
  const response = await fetchFacts(`/games/${id}/phone.json${seen}`, before?.tag);
  const { status, body, tag } = response;
  if (status === 304 || status === 204) return; // it is the same, or the server is too busy to look
  if (status === 404 || status === 403) {
    const isLost = body?.lost && body.owner === before?.owner;
    await update(`game/${id}`, (game) => game && (isLost ? recreateLost(game) : markGone(game)));
    return;
  }
  if (status !== 200) throw new Unavailable(status, response);
  await update("table", (table) => ({ ...table, owner: body.owner, token: body.token, tag: "" }));
  await storeFacts(body.game, body.owner, tag);
}

/**
 * Merge the facts that came with a page into the stored game, and return whether that could be done.
 * Where this phone has entries that they lack, the game has to be fetched instead, as the answer then
 * says whether the server was restored from a backup.
 */
export async function mergePageFacts({ game, owner, token }) {
  const before = await get(`game/${game.id}`);
  await update("table", (table) => ({ ...(table?.owner === owner && table), owner, token }));
  const isKnown = before.revision === game.revision;
  const isNewer = before.version < game.version && hasEntriesOf(before, game.rounds);
  if (!isKnown && !isNewer) return false;
  await storeFacts(game, owner, isKnown ? before.tag : "");
  return true;
}

const storeFacts = (facts, owner, tag) =>
  update(`game/${facts.id}`, (game) => {
    if (game && game.version > facts.version && !facts.restored) return game;
    return { ...(game ? mergeRestored(game, facts) : fromServer(facts, owner)), tag };
  });

// Removes the games of a table that this phone left, except those with unsent rounds; keeps all if
// the server has lost the table.
async function forgetTable(owner, isLost = false) {
  for (const game of await getAll("game/")) {
    if (game.owner === owner) continue;
    await update(`game/${game.id}`, (now) => (isLost ? { ...now, gone: true } : markGone(now)));
  }
  await update("table", () => undefined);
}

const markGone = (game) => (unsentCount(game) ? { ...game, gone: true } : undefined);
