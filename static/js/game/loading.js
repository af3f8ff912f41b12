// Loading of the scripts that the page of a game does without at first.

import { enqueue } from "./input.js";
import { unsaved } from "../offline/db.js";
import { checkResponse } from "../offline/network.js";
import { loadShell } from "../offline/shell.js";

const RETRY = 1000; // ms until a script that did not come is asked for again

export let online; // online.js once it is loaded
export let views; // views.js once it is loaded
let failures = 0; // to load them
let onViews = () => {};
let isPageBusy = () => false;

/** Call `loaded()` once the views are loaded; the page is not reloaded while `isBusy()` is true. */
export function initLoading({ loaded, isBusy }) {
  onViews = loaded;
  isPageBusy = isBusy;
}

/** Load what talks to the server, as often as it takes. */
export async function loadOnline() {
  try {
    online = await import("../offline/online.js");
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
  const loading = import("../offline/views.js");
  loading.catch(onFailure); // the await below throws
  await loadShell();
  views = await loading;
  onViews();
  return views;
}

/** Load what a game can be played without: sounds and other settings, motion, the look of the menu. */
export function loadExtras() {
  import("../table/settings.js").catch(() => {});
  import("./motion.js").catch(() => {});
  import("./menu-style.js").catch(() => {});
}

// Firefox remembers that an import has failed, so that it does so again until the page is reloaded.
async function onFailure() {
  failures += 1;
  const [page] = performance.getEntriesByType("navigation");
  if (failures < 2 || page?.type === "reload" || isPageBusy() || unsaved.size) return;
  const response = await checkResponse(fetch(location, { method: "HEAD" })).catch(() => null);
  if (response?.ok) enqueue(() => location.reload());
}
