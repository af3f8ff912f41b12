// The templates and phrases of all views, from the page that the service worker keeps.

import { checkResponse } from "./network.js";
import { loadPhrases } from "./phrases.js";

let loaded;

/** Load them, unless this page has them already. Throws Unavailable. */
export function loadShell() {
  loaded ??= fetchShell();
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

async function fetchShell() {
  if (document.getElementById("phone-words")) return loadPhrases(document);
  const response = await checkResponse(fetch("/phone"));
  return loadPhrases(new DOMParser().parseFromString(await response.text(), "text/html"));
}
