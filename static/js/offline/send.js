// What waits goes out in order, a round at a time. A round is named by its number, so one whose
// answer was lost is simply sent again: what is recorded already changes nothing.

import { all, change, get, move } from "./db.js";
import { clashes, howMany, roundOf, trying, waiting } from "./facts.js";
import { NoAnswer, ask, isTrouble } from "./network.js";
import { asks, meetAgain } from "./restored.js";
import { keepGame } from "./snapshot.js";

const LEASE = 30000; // ms after which another page may send, should this one have died at it
const FOLLOWS = 1000; // requests in one go, many times what an evening asks for
const me = `${Math.random()}`;

/** The games of which something waits, in their order: those begun on this phone came after. */
export async function gamesWaiting() {
  const found = (await all("game/")).filter((kept) => howMany(kept) && !kept.gone && !asks(kept));
  const when = ({ begin, changed }) => `${begin ? 1 : 0} ${changed}`;
  return found.sort((one, other) => (when(one) < when(other) ? -1 : 1));
}

/**
 * Send what waits of a game, and learn what the server has. Gives the game's id, which a game begun
 * on this phone gets only now; null where another page is at it. NoAnswer where the line is gone.
 */
export async function send(id) {
  if (navigator.locks) {
    const one = { ifAvailable: true };
    return navigator.locks.request(`send ${id}`, one, (lock) => lock && sendAll(id));
  }
  const own = { by: me, until: Date.now() + LEASE };
  const isTaken = (held) => held && held.by !== me && held.until > Date.now();
  const lease = await change(`lease/${id}`, (held) => (isTaken(held) ? held : own));
  if (lease.by !== me) return null;
  try {
    return await sendAll(id);
  } finally {
    await change(`lease/${id}`, () => undefined);
  }
}

async function sendAll(id) {
  let kept = await get(`game/${id}`);
  if (!kept || kept.refused) return id;
  if (!kept.begin) kept = await look(id);
  if (kept?.begin && !asks(kept)) kept = await begin(kept);
  for (let step = 0; step < FOLLOWS && kept; step += 1) {
    const n = next(kept);
    if (n === undefined) break;
    kept = await sendRound(kept.id, n);
  }
  return kept?.id ?? id;
}

function next(kept) {
  if (kept.refused || kept.gone || kept.begin || asks(kept)) return undefined;
  const open = clashes(kept)[0] ?? Infinity;
  return waiting(kept).find((n) => n < open);
}

const game = (id, step) => change(`game/${id}`, (kept) => kept && step(kept));

async function look(id) {
  await keepGame(id);
  return get(`game/${id}`);
}

async function begin(kept) {
  const answer = await post("/phone/games", kept.begin);
  if (answer.status !== 200) return notTaken(kept.id, 0, answer);
  const found = answer.body.game;
  const met = (now) => meetAgain({ ...now, begin: null }, found);
  if (found.id === kept.id) return game(kept.id, met); // one that the server had lost
  return move(`game/${kept.id}`, `game/${found.id}`, met);
}

async function sendRound(id, n) {
  const kept = await game(id, (now) => trying(now, n));
  const round = roundOf(kept, n);
  const sent = { bid: round.bids, tricks: round.tricks, tally: round.tally };
  const fields = { version: kept.revision ?? kept.version };
  for (const [name, cells] of Object.entries(sent))
    cells?.forEach((cell, seat) => {
      fields[`${name}-${seat + 1}`] = cell ?? "";
    });
  const answer = await post(`/games/${id}/rounds/${n}/sent`, fields);
  if (answer.body?.game) return game(id, (now) => ({ ...meetAgain(now, answer.body.game), tag: "" }));
  if (isGone(answer)) return look(id);
  return notTaken(id, n, answer);
}

async function post(path, fields) {
  const { token } = (await get("table")) ?? {};
  const answer = await ask(path, { fields: { ...fields, csrf_token: token ?? "" } });
  if (answer.status !== 400 || answer.body) return answer;
  // This phone has another cookie than when it was kept, or none that counts: ask who it is.
  const told = await ask("/phone.json");
  if (told.status !== 200) return { ...told, body: null };
  await change("table", (table) => ({ ...table, token: told.body.token }));
  return ask(path, { fields: { ...fields, csrf_token: told.body.token } });
}

const isGone = ({ status }) => status === 404 || status === 403;

async function notThere(id, answer) {
  if (!isGone(answer)) throw new NoAnswer(answer.status, answer);
  return game(id, (kept) => ({ ...kept, gone: true }));
}

async function notTaken(id, n, answer) {
  const sentence = answer.body?.sentence ?? answer.sentence;
  if (!sentence || isTrouble(answer) || isGone(answer)) return notThere(id, answer);
  return game(id, (kept) => ({ ...kept, refused: { n, sentence } }));
}
