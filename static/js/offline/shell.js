// The templates and phrases of all views, from the pages that the service worker keeps: one for each
// word for a bid.

import { checkResponse } from "./network.js";
import { loadPhrases, phraseData } from "./phrases.js";

const pages = {};

/** Use them with the word "bid" or "call", by default the one in use. Throws Unavailable. */
export async function loadShell(word = phraseData.bid) {
  pages[word] ??= fetchShell(word);
  pages[word].catch(() => delete pages[word]);
  loadPhrases(await pages[word]);
}

async function fetchShell(word) {
  if (word === "bid" && document.getElementById("phone-words")) return document;
  const response = await checkResponse(fetch(word === "bid" ? "/phone" : `/phone/${word}`));
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
