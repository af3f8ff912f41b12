// What the page of a game loads: answers of the server, templates and phrases, and the scripts that it
// does without at first.

import { enqueue } from "./input.js";
import { unsaved } from "../model/db.js";
import { BASE } from "../model/facts.js";
import { loadPhrases, phraseData } from "../draw/phrases.js";

const RETRY = 1000; // ms until a script that did not come is asked for again

export let online; // online.js once it is loaded
export let views; // views.js once it is loaded
let failures = 0; // to load them
let onViews = () => {};
let isPageBusy = () => false;

/** The functions that import online.js and views.js, which both import this script: page.js hands them over. */
export const scripts = {};

/** Call `loaded()` once the views are loaded; the page is not reloaded while `isBusy()` is true. */
export function initLoading({ loaded, isBusy }) {
  onViews = loaded;
  isPageBusy = isBusy;
}

/** Load what talks to the server, as often as it takes. */
export async function loadOnline() {
  try {
    online = await scripts.online();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    await onFailure();
    return loadOnline();
  }
  return online;
}

/** Load the views beside the game, and what is shown beside the keypad. */
export async function loadViews() {
  if (views) return views;
  const loading = scripts.views();
  loading.catch(onFailure); // the await below throws
  await loadShell();
  views = await loading;
  onViews();
  return views;
}

/** Load what a game can be played without: sounds and other settings, motion. */
export function loadExtras() {
  import("../table/settings.js").catch(() => {});
  import("../game/motion.js").catch(() => {});
}

// Firefox remembers that an import has failed, so that it does so again until the page is reloaded.
async function onFailure() {
  failures += 1;
  const [page] = performance.getEntriesByType("navigation");
  if (failures < 2 || page?.type === "reload" || isPageBusy() || unsaved.size) return;
  const response = await checkResponse(fetch(location, { method: "HEAD" })).catch(() => null);
  if (response?.ok) enqueue(() => location.reload());
}

export const TIMEOUT = 8000; // ms, for requests in the background
export const PATIENCE = 2000; // ms, for an answer that somebody waits for
export const MIN_RETRY = 1000; // ms until the server is tried again, doubled with each failure
export const MAX_RETRY = 10000; // ms

/**
 * Thrown without an answer, with one whose `sentence` says why to wait for `wait` ms, or with one that
 * `isForeign`: that of something in front of the server, as of a login or a captive portal.
 */
export class Unavailable extends Error {
  constructor(why, { sentence = "", wait = 0 } = {}) {
    super(why);
    Object.assign(this, { sentence, wait });
  }
}

/** Return the server's response to a request; throw Unavailable if it is late or not the server's. */
export async function checkResponse(fetched, timeout = TIMEOUT) {
  let timer;
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable("late")), timeout);
  });
  const response = await Promise.race([fetched, timedOut])
    .catch((error) => {
      throw new Unavailable(error.message);
    })
    .finally(() => clearTimeout(timer));
  // A proxy whose server is down answers with 502 or the like.
  if (!response.headers.has("Scorekeeper"))
    throw Object.assign(new Unavailable("not ours"), { isForeign: response.status < 500 });
  return response;
}

const pages = {};

/** Use them with the word "bid" or "call", by default the one in use. Throws Unavailable. */
export async function loadShell(word = phraseData.bid) {
  pages[word] ??= fetchShell(word);
  pages[word].catch(() => delete pages[word]);
  loadPhrases(await pages[word]);
}

async function fetchShell(word) {
  if (word === "bid" && document.getElementById("phone-words")) return document;
  const response = await checkResponse(fetch(BASE + (word === "bid" ? "/phone" : `/phone/${word}`)));
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
