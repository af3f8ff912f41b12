// Sends what the server does not have, in order: the taps of the queue, those of a round that have waited
// in one request, else each round that differs. The requests are idempotent, so one whose answer was lost
// is simply sent again.

import { currentValue, get, getAll, update, updateAll } from "./db.js";
import { cells, conflicts, notesOf, roundOf, unsentRounds } from "./entries.js";
import { needsDecision, unsentCount } from "./facts.js";
import { acknowledge, acknowledgeAll } from "./merge.js";
import { Unavailable } from "./network.js";
import { nextTap } from "./queue.js";
import { isUnavailable, request } from "./requests.js";
import { mergeRestored } from "./restored.js";
import { markNextSent, markSent, sentTaps } from "./sent.js";
import { fetchGame } from "./snapshot.js";

const LEASE = 30000; // ms after which another page may send, in case this one was closed
const MAX_REQUESTS = 1000; // per call, against endless loops
const pageId = `${Math.random()}`;

/** Return the games with unsent rounds, oldest first, those started on this phone last. */
export async function unsyncedGames() {
  const isDue = (game) => (unsentCount(game) || isUnreported(game)) && !game.gone && !needsDecision(game);
  const found = (await getAll("game/")).filter(isDue);
  const when = ({ begin, changed }) => `${begin ? 1 : 0} ${changed}`;
  return found.sort((one, other) => (when(one) < when(other) ? -1 : 1));
}

/** Return a game with its next taps marked as being sent, if they can be. */
export const prepareGame = (game) => (isHeld(game) ? game : markNextSent(game));

/** Return whether the next tap of a game is marked as being sent. */
export const isPrepared = (game) => !isHeld(game) && Boolean(nextTap(game)?.sent);

/**
 * Fetch a game and send its unsent rounds. Return its id, which a game started on this phone gets only
 * now, or null while another page sends it. Throws Unavailable.
 */
export async function syncGame(id) {
  if (navigator.locks) {
    const options = { ifAvailable: true };
    return navigator.locks.request(`send ${id}`, options, (lock) => lock && pushAll(id));
  }
  const own = { by: pageId, until: Date.now() + LEASE };
  // One that ends later than a lease can was taken before the clock was set back.
  const isOn = ({ until }) => until > Date.now() && until <= own.until;
  const isTaken = (held) => held && held.by !== pageId && isOn(held);
  const lease = await update(`lease/${id}`, (held) => (isTaken(held) ? held : own));
  if (lease.by !== pageId) return null;
  try {
    return await pushAll(id);
  } finally {
    await update(`lease/${id}`, () => undefined);
  }
}

async function pushAll(id) {
  const pushed = await pushGame(id);
  await reportConflict(pushed);
  return pushed;
}

// The server is told of the first conflict, so that the other phones of the table show it, and when there
// is none any more.
async function reportConflict(id) {
  const game = await get(`game/${id}`);
  if (!game || game.begin || game.gone || !isUnreported(game)) return;
  const own = ownConflict(game);
  const response = await post(`/games/${id}/conflict`, own && { round: own.n, ...roundFields(own.round) });
  if (isUnavailable(response)) throw new Unavailable(response.status, response);
  const reported = ({ conflicts: all = [] }) => [...all.filter((one) => !one.own), ...(own ? [own] : [])];
  await updateGame(id, (now) => ({ ...now, conflicts: reported(now) }));
}

function ownConflict(game) {
  const [n] = conflicts(game);
  return n && { own: true, n, round: roundOf(game, n) };
}

const isUnreported = (game) =>
  keyOf(ownConflict(game)) !== keyOf(game.conflicts?.find(({ own }) => own));
const keyOf = (one) => JSON.stringify(one ? [one.n, cells(one.round)] : null);

async function pushGame(id) {
  let game = await get(`game/${id}`);
  if (!game || game.refused) return id;
  if (!game.begin && !nextTap(game)) game = await refresh(id);
  if (game?.begin && !needsDecision(game)) game = await createOnServer(game);
  for (let step = 0; step < MAX_REQUESTS && game && !isHeld(game); step += 1) {
    const n = nextRound(game);
    if (nextTap(game)) game = await sendTaps(game.id);
    else if (n) game = await sendRound(game.id, n);
    else break;
  }
  return game?.id ?? id;
}

const isHeld = (game) => game.refused || game.gone || game.begin || needsDecision(game);

function nextRound(game) {
  const open = conflicts(game)[0] ?? Infinity;
  return unsentRounds(game).find((n) => n < open);
}

const updateGame = (id, step) => update(`game/${id}`, (game) => game && step(game));

async function refresh(id) {
  await fetchGame(id);
  return get(`game/${id}`);
}

async function createOnServer(game) {
  const age = Math.round((Date.now() - Date.parse(game.started)) / 1000);
  const response = await post("/phone/games", { ...game.begin, owner: game.owner, age });
  if (response.status !== 200) return markRefused(game.id, 0, response);
  const found = response.body.game;
  const merged = (now) => mergeRestored({ ...now, begin: null }, found);
  if (found.id === game.id) return updateGame(game.id, merged); // the server had lost it
  return move(`game/${game.id}`, `game/${found.id}`, merged);
}

// Moves a value to another key, changed by `step`, and stores the new key under `moved/<from>`.
async function move(from, to, step) {
  const keys = [from, to, `moved/${from}`];
  const moved = await updateAll(keys, (now) => (now[0] ? [undefined, step(now[0]), to] : now));
  return moved[1];
}

async function sendTaps(id) {
  const game = await updateGame(id, markNextSent);
  return game && nextTap(game) ? sendMarked(game) : game;
}

/** Send the next taps of a game that are marked; return the game as it is after the answer. */
export async function sendMarked(game) {
  const [{ id }, taps] = [game, sentTaps(game)];
  const [{ n, way, line }] = taps;
  const [fields, ...others] = way ? [{}] : taps.map(entryFields);
  const then = others.map((one) => new URLSearchParams(one)).join(" ");
  const path = way ? `lines/${line}/${way}` : `rounds/${n}/sent`;
  const response = await post(`/games/${id}/${path}`, { version: game.revision, ...fields, ...(then && { then }) });
  if (response.body?.revision) return updateGame(id, (now) => acknowledgeAll(now, taps, response.body));
  return takeAnswer(id, n, response);
}

const entryFields = ({ round, kind }) => ({ ...roundFields(round), ...(kind && { [kind]: "yes" }) });

async function sendRound(id, n) {
  const game = await updateGame(id, (now) => markSent(now, n));
  const round = roundOf(game, n);
  const fields = { version: game.revision ?? game.version, ...roundFields(round) };
  const response = await post(`/games/${id}/rounds/${n}/sent`, fields);
  const { revision } = response.body ?? {};
  const tap = { n, round };
  if (revision) return updateGame(id, (now) => acknowledge(now, tap, revision));
  return takeAnswer(id, n, response);
}

function roundFields({ bids, tricks, tally, ...notes }) {
  const { penalties, last_round: isLast, substitutes } = notesOf(notes);
  const texts = penalties.map(({ seat, kind, size, to, reason }) => [seat, kind, size, to, reason].join(":"));
  const fields = { penalties: texts.join(" "), last_round: isLast ? "yes" : "" };
  for (const [name, cells] of Object.entries({ bid: bids, tricks, tally }))
    cells?.forEach((cell, seat) => {
      fields[`${name}-${seat + 1}`] = cell ?? "";
    });
  fields.left = substitutes.flatMap(({ seat, player }) => (player === null ? [seat + 1] : [])).join(" ");
  bids.forEach((_, seat) => {
    fields[`substitute-${seat + 1}`] = substitutes.find((one) => one.seat === seat)?.player ?? "";
  });
  return fields;
}

const withoutStep = (game) => (nextTap(game)?.way ? { ...game, queue: null } : game);

// Merges the facts in an answer; without any the game is gone, or the round `n` was refused. An undo or
// redo that the server cannot make, as others changed the game since, is sent as what it made of its round.
function takeAnswer(id, n, response) {
  const facts = response.body?.game;
  const taken = (now) => (isNewer(now, facts) ? mergeFacts(now, facts) : now);
  if (facts) return updateGame(id, response.status === 409 ? (now) => withoutStep(taken(now)) : taken);
  if (isGone(response)) return refresh(id);
  return markRefused(id, n, response);
}

// Lines of the journal may have come before an answer that was made before them.
const isNewer = (game, { version, restored }) => restored || version >= game.version;
const mergeFacts = (game, facts) => ({ ...mergeRestored(game, facts), tag: "" });

/** Post a form with the CSRF token, which is renewed if need be; return as `request` does. */
export async function post(path, fields) {
  const { token } = currentValue("table") ?? (await get("table")) ?? {};
  const response = await request(path, { fields: { ...fields, csrf_token: token ?? "" } });
  if (response.status !== 400 || response.body) return response;
  // The CSRF token does not match the cookie any more: fetch another one.
  const renewed = await request("/phone.json");
  if (renewed.status !== 200) return { ...renewed, body: null };
  await update("table", (table) => ({ ...table, token: renewed.body.token }));
  return request(path, { fields: { ...fields, csrf_token: renewed.body.token } });
}

const isGone = ({ status }) => status === 404 || status === 403;

async function markIfGone(id, response) {
  if (!isGone(response)) throw new Unavailable(response.status, response);
  return updateGame(id, (game) => ({ ...game, gone: true }));
}

async function markRefused(id, n, response) {
  const sentence = response.body?.sentence ?? response.sentence;
  if (!sentence || isUnavailable(response) || isGone(response)) return markIfGone(id, response);
  // Where a tap is refused, as after an undo on another phone, the round as it is now may be right.
  const refused = (game) => (game.queue?.length ? null : { n, sentence });
  return updateGame(id, (game) => ({ ...game, queue: null, refused: refused(game) }));
}
