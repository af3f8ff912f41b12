// The facts of this phone's table and its games, as the server tells them.

import { howMany, fresh } from "./facts.js";
import { all, change, get } from "./db.js";
import { NoAnswer, ask, isTrouble } from "./network.js";
import { lost, meetAgain } from "./restored.js";

const MOST_GAMES = 20;

/** Keep who plays here, by which rules, and the games played last; forget a table that was left. */
export async function keepTable() {
  const before = await get("table");
  const { status, body, tag } = await facts("/phone.json", before?.tag);
  if (status === 304) return;
  if (status === 404) await leave(null, body?.lost);
  if (status !== 200) return;
  if (before && before.owner !== body.owner) await leave(body.owner);
  const { games, ...table } = body;
  await keepGames(games, body.owner);
  await change("table", () => ({ ...table, tag }));
  await makeRoom();
}

// What the server has of games that this phone kept is asked for one by one, for it to say whether
// its history went back.
async function keepGames(games, owner) {
  const listed = new Map(games.map((game) => [game.id, game]));
  const oldest = games.at(-1)?.changed ?? "";
  for (const kept of await all("game/")) {
    if (kept.owner !== owner || kept.begin) continue;
    const there = listed.get(kept.id);
    const isMissing = !there && (kept.gone || kept.changed > oldest);
    if (isMissing || (there && there.revision !== kept.revision)) await keepGame(kept.id);
    listed.delete(kept.id);
  }
  for (const game of listed.values()) await keepFacts(game, owner, "");
}

async function facts(path, tag) {
  const answer = await ask(path, { tag });
  if (isTrouble(answer)) throw new NoAnswer(answer.status, answer);
  return answer;
}

// An evening needs a few games; what waits stays however old it is.
async function makeRoom() {
  const games = (await all("game/")).sort((one, other) => (one.changed < other.changed ? 1 : -1));
  for (const { id } of games.slice(MOST_GAMES))
    await change(`game/${id}`, (kept) => (howMany(kept) || kept.had?.length ? kept : undefined));
}

/** Keep what the server has of one game, or that it has it no more. */
export async function keepGame(id) {
  const before = await get(`game/${id}`);
  const seen = before ? `?seen=${before.revision ?? before.version}` : "";
  const answer = await facts(`/games/${id}/phone.json${seen}`, before?.tag);
  const { status, body, tag } = answer;
  if (status === 304) return;
  if (status === 404 || status === 403) {
    const isLost = body?.lost && body.owner === before?.owner;
    await change(`game/${id}`, (kept) => kept && (isLost ? lost(kept) : gone(kept)));
    return;
  }
  if (status !== 200) throw new NoAnswer(status, answer);
  await change("table", (table) => ({ ...table, owner: body.owner, token: body.token, tag: "" }));
  await keepFacts(body.game, body.owner, tag);
}

const keepFacts = (facts, owner, tag) =>
  change(`game/${facts.id}`, (kept) => {
    if (kept && kept.version > facts.version && !facts.restored) return kept;
    return { ...(kept ? meetAgain(kept, facts) : fresh(facts, owner)), tag };
  });

// Nobody's games stay on a phone that left the table, but for rounds that were never sent; all of
// them where it did not leave, and the server has lost it.
async function leave(owner, isLost = false) {
  for (const kept of await all("game/")) {
    if (kept.owner === owner) continue;
    await change(`game/${kept.id}`, (now) => (isLost ? { ...now, gone: true } : gone(now)));
  }
  await change("table", () => undefined);
}

const gone = (kept) => (howMany(kept) ? { ...kept, gone: true } : undefined);
