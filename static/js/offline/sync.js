// Sends unsent rounds in order, one per request. The requests are idempotent, so a round whose answer
// was lost is simply sent again.

import { get, getAll, move, update } from "./db.js";
import { conflicts, markSent, roundOf, unsentCount, unsentRounds } from "./facts.js";
import { isUnavailable, request, Unavailable } from "./network.js";
import { mergeRestored, needsDecision } from "./restored.js";
import { fetchGame } from "./snapshot.js";

const LEASE = 30000; // ms after which another page may send, in case this one was closed
const MAX_REQUESTS = 1000; // per call, against endless loops
const pageId = `${Math.random()}`;

/** Return the games with unsent rounds, oldest first, those started on this phone last. */
export async function unsyncedGames() {
  const isDue = (game) => unsentCount(game) && !game.gone && !needsDecision(game);
  const found = (await getAll("game/")).filter(isDue);
  const when = ({ begin, changed }) => `${begin ? 1 : 0} ${changed}`;
  return found.sort((one, other) => (when(one) < when(other) ? -1 : 1));
}

/**
 * Fetch a game and send its unsent rounds. Return its id, which a game started on this phone gets
 * only now, or null while another page sends it. Throws Unavailable.
 */
export async function syncGame(id) {
  if (navigator.locks) {
    const options = { ifAvailable: true };
    return navigator.locks.request(`send ${id}`, options, (lock) => lock && pushGame(id));
  }
  const own = { by: pageId, until: Date.now() + LEASE };
  const isTaken = (held) => held && held.by !== pageId && held.until > Date.now();
  const lease = await update(`lease/${id}`, (held) => (isTaken(held) ? held : own));
  if (lease.by !== pageId) return null;
  try {
    return await pushGame(id);
  } finally {
    await update(`lease/${id}`, () => undefined);
  }
}

async function pushGame(id) {
  let game = await get(`game/${id}`);
  if (!game || game.refused) return id;
  if (!game.begin) game = await refresh(id);
  if (game?.begin && !needsDecision(game)) game = await createOnServer(game);
  for (let step = 0; step < MAX_REQUESTS && game; step += 1) {
    const n = next(game);
    if (n === undefined) break;
    game = await sendRound(game.id, n);
  }
  return game?.id ?? id;
}

function next(game) {
  if (game.refused || game.gone || game.begin || needsDecision(game)) return undefined;
  const open = conflicts(game)[0] ?? Infinity;
  return unsentRounds(game).find((n) => n < open);
}

const updateGame = (id, step) => update(`game/${id}`, (game) => game && step(game));

async function refresh(id) {
  await fetchGame(id);
  return get(`game/${id}`);
}

async function createOnServer(game) {
  const response = await post("/phone/games", game.begin);
  if (response.status !== 200) return markRefused(game.id, 0, response);
  const found = response.body.game;
  const merged = (now) => mergeRestored({ ...now, begin: null }, found);
  if (found.id === game.id) return updateGame(game.id, merged); // the server had lost it
  return move(`game/${game.id}`, `game/${found.id}`, merged);
}

async function sendRound(id, n) {
  const game = await updateGame(id, (now) => markSent(now, n));
  const round = roundOf(game, n);
  const sent = { bid: round.bids, tricks: round.tricks, tally: round.tally };
  const fields = { version: game.revision ?? game.version };
  for (const [name, cells] of Object.entries(sent))
    cells?.forEach((cell, seat) => {
      fields[`${name}-${seat + 1}`] = cell ?? "";
    });
  const response = await post(`/games/${id}/rounds/${n}/sent`, fields);
  const facts = response.body?.game;
  if (facts) return updateGame(id, (now) => ({ ...mergeRestored(now, facts), tag: "" }));
  if (isGone(response)) return refresh(id);
  return markRefused(id, n, response);
}

async function post(path, fields) {
  const { token } = (await get("table")) ?? {};
  const response = await request(path, { fields: { ...fields, csrf_token: token ?? "" } });
  if (response.status !== 400 || response.body) return response;
  // The CSRF token does not match the cookie any more: fetch another one.
  const renewed = await request("/phone.json");
  if (renewed.status !== 200) return { ...renewed, body: null };
  await update("table", (table) => ({ ...table, token: renewed.body.token }));
  return request(path, { fields: { ...fields, csrf_token: renewed.body.token } });
}

const isGone = ({ status }) => status === 404 || status === 403;

async function markGone(id, response) {
  if (!isGone(response)) throw new Unavailable(response.status, response);
  return updateGame(id, (game) => ({ ...game, gone: true }));
}

async function markRefused(id, n, response) {
  const sentence = response.body?.sentence ?? response.sentence;
  if (!sentence || isUnavailable(response) || isGone(response)) return markGone(id, response);
  return updateGame(id, (game) => ({ ...game, refused: { n, sentence } }));
}
