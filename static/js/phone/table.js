// The facts of this phone's table and its games, as the server tells them.

import { howMany, meet, fresh } from "./facts.js";
import { all, change, get } from "./kept.js";
import { NoAnswer, ask, isTrouble } from "./line.js";

const MOST_GAMES = 20;

/** Keep who plays here, by which rules, and the games played last; forget a table that was left. */
export async function keepTable() {
  const before = await get("table");
  const { status, body, tag } = await facts("/phone.json", before?.tag);
  if (status === 304) return;
  if (status === 404) await leave(null);
  if (status !== 200) return;
  if (before && before.owner !== body.owner) await leave(body.owner);
  const { games, ...table } = body;
  await change("table", () => ({ ...table, tag }));
  for (const facts of games) await keepFacts(facts, body.owner, "");
  await makeRoom();
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

/** Keep one game. */
export async function keepGame(id) {
  const before = await get(`game/${id}`);
  const { status, body, tag } = await facts(`/games/${id}/phone.json`, before?.tag);
  if (status !== 200) return;
  await change("table", (table) => ({ ...table, owner: body.owner, token: body.token }));
  await keepFacts(body.game, body.owner, tag);
}

const keepFacts = (facts, owner, tag) =>
  change(`game/${facts.id}`, (kept) => {
    if (kept && kept.version > facts.version) return kept;
    return { ...(kept ? meet(kept, facts) : fresh(facts, owner)), tag };
  });

// Nobody's games stay on a phone that left the table, but for rounds that were never sent.
async function leave(owner) {
  for (const kept of await all("game/")) {
    if (kept.owner === owner) continue;
    await change(`game/${kept.id}`, (now) => (howMany(now) ? { ...now, gone: true } : undefined));
  }
  await change("table", () => undefined);
}
