// Sends what the server does not have, in order: the taps of the queue, those of a round that have waited
// in one request, else each round that differs. The requests are idempotent, so one whose answer was lost
// is simply sent again. Fetches the snapshot of the table and its games.

import { currentValue, get, getAll, update, updateAll } from "./db.js";
import {
  BASE, cells, conflicts, fromServer, needsDecision, newestFirst, nextTap, roundOf, unsentCount, unsentRounds,
} from "./facts.js";
import {
  acknowledge, acknowledgeAll, hasEntriesOf, lacksFaces, markNextSent, markSent, mergeRestored, recreateLost,
  sentTaps,
} from "./merge.js";
import { checkResponse, TIMEOUT, Unavailable } from "../game/loading.js";
import { notesOf } from "../rules/game.js";

const LEASE = 30000; // ms after which another page may send, in case this one was closed
const MAX_REQUESTS = 1000; // per call, against endless loops
const pageId = `${Math.random()}`;

/**
 * Return the games with unsent rounds, and those with somebody whose face has to be fetched, oldest first, those
 * started on this phone last.
 */
export async function unsyncedGames() {
  const isDue = (game) => (isUnsent(game) || lacksFaces(game)) && !game.gone && !needsDecision(game);
  const found = (await getAll("game/")).filter(isDue);
  const when = ({ begin, changed }) => `${begin ? 1 : 0} ${changed}`;
  return found.sort((one, other) => (when(one) < when(other) ? -1 : 1));
}

const isUnsent = (game) => unsentCount(game) || isUnreported(game);

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
  await fetchFaces(pushed);
  return pushed;
}

// Those of substitutes who were new to the server. The steps of this phone stay as they are.
async function fetchFaces(id) {
  const game = await get(`game/${id}`);
  if (!game || game.begin || game.gone || !lacksFaces(game)) return;
  const { status, body } = await fetchFacts(`/games/${id}/phone.json`);
  if (status === 200) await updateGame(id, (now) => ({ ...now, faces: body.game.faces }));
}

// The server is told of the first conflict, so that the other phones of the table show it, and when there
// is none any more.
async function reportConflict(id) {
  const game = await get(`game/${id}`);
  if (!game || game.begin || game.gone || !isUnreported(game)) return;
  const own = ownConflict(game);
  const response = await post(`/games/${id}/conflict`, own && { round: own.n, rounds: roundsText(game, [own]) });
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
  if (isUnsent(game) && !game.begin && !nextTap(game)) game = await refresh(id);
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
  const [path, fields] = way
    ? [`lines/${line}/${way}`, { version: game.revision }]
    : [`rounds/${n}/sent`, { seen: game.revision, rounds: roundsText(game, taps) }];
  const response = await post(`/games/${id}/${path}`, fields);
  const { revision, game: facts } = response.body ?? {};
  const withFacts = (now) => (facts && isNewer(now, facts) ? mergeFacts(now, facts) : now);
  if (revision) return updateGame(id, (now) => withFacts(acknowledgeAll(now, taps, response.body)));
  return takeAnswer(id, n, response);
}

async function sendRound(id, n) {
  const game = await updateGame(id, (now) => markSent(now, n, roundToSend(now, n)));
  const round = roundToSend(game, n);
  const tap = { n, round, kind: game.ended === n && round.last_round ? "end" : null };
  const fields = { seen: game.revision ?? game.version, rounds: roundsText(game, [tap]) };
  const response = await post(`/games/${id}/rounds/${n}/sent`, fields);
  const { revision, game: facts } = response.body ?? {};
  if (revision && facts) return updateGame(id, (now) => mergeFacts(acknowledge(now, tap, revision), facts));
  if (revision) return updateGame(id, (now) => acknowledge(now, tap, revision));
  return takeAnswer(id, n, response);
}

// The round that *End now* makes the last has to be scored before.
function roundToSend(game, n) {
  const round = roundOf(game, n);
  return game.ended === n && !game.base[n - 1]?.tricks ? { ...round, last_round: false } : round;
}

// The rounds of taps as files have them too: there seats are counted from 1. A server of an earlier version
// refuses the fields with it, as they have no `version`; else it would read an empty round.
const roundsText = ({ keeps }, taps) =>
  JSON.stringify(taps.map((tap) => tapFacts(tap, keeps)), (name, value) => (name === "seat" ? value + 1 : value));

// What others have entered since of the round that an end leaves out stays if it `keeps`.
const tapFacts = ({ round, kind }, keeps) => {
  const { bids, tricks = null, tally = null } = round;
  const told = kind === "end" && keeps ? "end_keeping" : kind;
  return { bids, tricks, tally: tricks ? null : tally, ...notesOf(round), ...(told && { kind: told }) };
};

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

/**
 * Get JSON, or post a form if `fields` are given; return `{status, body, tag, sentence, wait}`. The
 * body is null unless it is JSON; `sentence` is the message of an error page, `wait` its Retry-After
 * in ms. Throws Unavailable.
 */
async function request(path, { fields, tag, timeout = TIMEOUT } = {}) {
  const abort = new AbortController();
  const headers = tag ? { "If-None-Match": tag } : {};
  // A login elsewhere is only seen where its redirect is not followed.
  const options = { cache: "no-store", headers, redirect: "manual", signal: abort.signal };
  if (fields) Object.assign(options, { method: "POST", body: new URLSearchParams(fields) });
  const timer = setTimeout(() => abort.abort(), timeout); // browsers open few connections to a server
  try {
    return await readResponse(await checkResponse(fetch(BASE + path, options), timeout));
  } finally {
    clearTimeout(timer);
  }
}

async function readResponse(response) {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJson ? await readBody(response, "json") : null;
  const sentence = isJson || response.ok ? "" : alertText(await readBody(response, "text"));
  const wait = 1000 * response.headers.get("Retry-After") || 0;
  return { status: response.status, body, tag: response.headers.get("ETag") ?? "", sentence, wait };
}

/** Return whether a response is a temporary failure of the server. */
const isUnavailable = ({ status }) => status === 408 || status === 429 || status >= 500;

function alertText(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("[role=alert]")?.textContent.trim() ?? "";
}

async function readBody(response, kind) {
  try {
    return await response[kind]();
  } catch (error) {
    throw new Unavailable(error.message); // the connection broke off
  }
}
