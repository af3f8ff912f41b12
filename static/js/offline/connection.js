// When the server is tried: after each tap, and again and again while it does not answer.

import { unsaved, update } from "./db.js";
import { MAX_RETRY, MIN_RETRY, PATIENCE, Unavailable } from "./network.js";
import { fetchGame, fetchTable } from "./snapshot.js";
import { isPrepared, sendMarked, syncGame, unsyncedGames } from "./sync.js";

let answers = null; // whether the server answered last, or its sentence why not; null at first
let retryAt = 0; // by performance.now(), if the server asked to wait
let retryDelay = MIN_RETRY;
let retryTimer;
let running; // the attempt that is being made
let isDue = false; // something has happened since it was begun
let onChange = async () => {};
let isPolled = () => false;

/**
 * Call `changed()` after each attempt. While `polled()` is true the server is also tried when nothing is
 * unsent. `isServed` is whether this page has just come from the server.
 */
export function initConnection({ changed, polled, isServed }) {
  answers ??= isServed || null;
  onChange = changed;
  isPolled = polled;
  addEventListener("online", trySoon);
  document.addEventListener("visibilitychange", trySoon);
}

/** Return whether the server answered last, or its sentence why it takes no requests; null at first. */
export const serverAnswers = () => answers;

/** Return whether something is being sent or fetched. */
export const isSyncing = () => Boolean(running);

// Whether the server is not tried now.
const waits = () => document.visibilityState === "hidden" || performance.now() < retryAt;

/** Return whether a tap can be sent at once. */
export const canSend = () => !running && !waits() && answers === true;

/** Send the next tap of a game that is being stored, if it is marked. */
export const send = (game) => isPrepared(game) && sync(game);

/**
 * Send what is unsent, unless the server asked to wait; resolves after the attempt. The next tap of
 * `marked`, a game that is being stored, is sent first, and at once.
 */
export function sync(marked) {
  if (running) {
    isDue = true;
    return running;
  }
  if (waits()) return Promise.resolve();
  running = attempt(() => sendAll(marked)).finally(() => {
    running = undefined;
    if (isDue) sync();
  });
  return running;
}

/** Send what is unsent, but wait only a moment for the answer. */
export const syncBriefly = () =>
  Promise.race([sync(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);

/** Send what is unsent even if the server asked to wait. */
export function retry() {
  retryAt = 0;
  return sync();
}

/** Fetch a game whose changes this page has missed. */
export const refreshGame = (id) => attempt(() => fetchGame(id));

const trySoon = () => document.visibilityState === "visible" && sync();

async function sendAll(marked) {
  if (marked) await sendMarked(marked);
  do {
    isDue = false;
    for (const key of [...unsaved.keys()]) await update(key, (now) => now);
    const waiting = await unsyncedGames();
    for (const { id } of waiting) await syncGame(id);
    if (!waiting.length && (answers !== true || isPolled())) await fetchTable();
  } while (isDue);
}

async function attempt(step) {
  try {
    await step();
    answers = true;
    retryDelay = MAX_RETRY;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    if (answers === true) retryDelay = MIN_RETRY;
    answers = error.sentence || false;
    retryAt = performance.now() + error.wait;
  }
  clearTimeout(retryTimer);
  if (answers !== true || isPolled() || (await unsyncedGames()).length) {
    retryTimer = setTimeout(retry, Math.max(retryDelay, retryAt - performance.now()));
    retryDelay = Math.min(2 * retryDelay, MAX_RETRY);
  }
  await onChange();
}
