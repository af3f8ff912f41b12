// Between the app of a table and the server: when it is tried, the stream of a game, pages that the app
// leaves for, the service worker. Sent with what it needs as one file, which is fetched as soon as the
// first tap can be shown. `app` is the object of app.js.

import { getAll, unsaved, update } from "./db.js";
import { BASE, unsentCount } from "./facts.js";
import { mergeLine } from "./merge.js";
import { fetchGame, fetchTable, isPrepared, post, sendMarked, syncGame, unsyncedGames } from "./sync.js";
import { signInText } from "../game/announcement.js";
import { route } from "../game/app.js";
import { enqueue } from "../game/input.js";
import { MAX_RETRY, MIN_RETRY, PATIENCE, Unavailable } from "../game/loading.js";
import { follow } from "../game/stream.js";

/** Begin to send what is unsent. `isServed` is whether this page has just come from the server. */
export async function connect(app, isServed) {
  const changed = () => onAttempt(app);
  const polled = () => app.view.name !== "game";
  initConnection({ changed, polled, isServed });
  await enqueue(app.draw);
  sync();
  import("../game/moments.js").catch(() => {});
  // Nothing is being edited, read or sent, or in memory only.
  register(() => !isSyncing() && !app.isEditing() && !unsaved.size);
  reloadOnUpdate();
}

async function onAttempt(app) {
  await app.draw();
  if (serverAnswers() === true) await leaveWhatIsServed(app);
}

// Lists and missing games of this phone give way to the server's pages.
async function leaveWhatIsServed(app) {
  const { view } = app;
  if (app.isEditing() || (view.name === "game" && (await app.current()))) return;
  if (view.name === "list" && location.pathname !== `${BASE}/phone`) {
    extendTimeout();
    if (location.pathname.startsWith(`${BASE}/club/`)) location.reload();
    else location.replace(`${BASE}/`);
  } else if (view.name === "game") {
    extendTimeout();
    location.reload();
  }
}

/**
 * Leave for another page of the server once nothing is unsent; without a server show what the phone has
 * of that page.
 */
export async function openPage(app, href) {
  const url = new URL(href, location);
  const next = route(url);
  if (app.hasUnsent || serverAnswers() !== true) await syncBriefly();
  if (href.endsWith(".csv") && !(await isServed(app)))
    return (await app.views()).runAction(app, "save", {});
  const hasView = next.id ? next.name !== "game" : url.pathname === `${BASE}/`;
  if (hasView && !(await isServed(app))) return app.show(next, href);
  return location.assign(href);
}

// Whether the server answers and has all of the game that is shown.
async function isServed(app) {
  const game = await app.current();
  return app.isServed() && !(game && unsentCount(game));
}

/** Send again what was refused too, and end the wait that the server asked for. */
export async function retryRefused() {
  for (const { id } of (await getAll("game/")).filter((game) => game.refused))
    await update(`game/${id}`, (game) => ({ ...game, refused: null }));
  await retry();
}

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
const isSyncing = () => Boolean(running);

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
function retry() {
  retryAt = 0;
  return sync();
}

/** Fetch a game whose changes this page has missed. */
export const refreshGame = (id) => attempt(() => fetchGame(id));

/** Post a form once; where the server does not answer the page says so. */
export const postForm = (path, fields) => attempt(() => post(path, fields));

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
    answers = error.sentence || (error.isForeign && signInText()) || false;
    retryAt = performance.now() + error.wait;
  }
  clearTimeout(retryTimer);
  if (answers !== true || isPolled() || (await unsyncedGames()).length) {
    retryTimer = setTimeout(retry, Math.max(retryDelay, retryAt - performance.now()));
    retryDelay = Math.min(2 * retryDelay, MAX_RETRY);
  }
  await onChange();
}

const SILENCE = 2500; // ms without a stream until the server is tried

let stream;
let followed; // the id of the game that the stream is about

/** Follow a game, or none; `changed()` is called with each change that was merged. */
export function followGame(game, changed) {
  if (game?.id === followed) return;
  stream?.stop();
  stream = undefined;
  followed = game?.id;
  if (game) stream = openStream(game, changed);
}

function openStream({ id, version }, changed) {
  let timer;
  let newest = version;
  const heard = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  // A stream tells of claims of seats only after it was opened; the page may be older.
  const catchUp = async () => {
    heard();
    await refreshGame(id);
    sync();
  };
  return follow(() => `${BASE}/games/${id}/events?seen=${newest}`, {
    onEvent: async (line) => {
      heard();
      newest = parseInt(line.revision, 10);
      let isMissed = false;
      await update(`game/${id}`, (now) => {
        if (!now || now.version >= newest) return now;
        const merged = mergeLine(now, line);
        isMissed = !merged;
        return merged ?? now;
      });
      await (isMissed ? refreshGame(id) : changed());
    },
    onOpen: catchUp,
    onGap: catchUp,
    onSilence: () => {
      timer ??= setTimeout(() => refreshGame(id), SILENCE); // while the browser tries again and again
    },
  });
}

const container = navigator.serviceWorker;
let registration;
let isPageIdle = () => false;

/** Register the service worker; an update is activated only while `idle()` is true. */
export async function register(idle) {
  isPageIdle = idle;
  try {
    registration = await container?.register(`${BASE}/sw.js`);
  } catch {
    return; // storage is blocked, or no answer: tried again on the next page
  }
  registration?.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", activateUpdate);
  });
  document.addEventListener("settled", activateUpdate);
  activateUpdate();
}

/** Activate a waiting update of the service worker if this page is idle. */
export function activateUpdate() {
  if (isPageIdle()) registration?.waiting?.postMessage("take over");
}

/** Reload the app shell when an update was activated, perhaps by another page. */
function reloadOnUpdate() {
  const wasControlled = Boolean(container?.controller);
  container?.addEventListener("controllerchange", () => {
    if (wasControlled && isPageIdle()) location.reload();
  });
}

/** Make the service worker wait longer for the next page, instead of showing the shell again. */
const extendTimeout = () => container?.controller?.postMessage("patient");
