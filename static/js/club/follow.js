// Keeps what changes on pages of a club night up to date: each part that is marked with `data-live`, by its id. The
// desk and the wall are told by the stream of the whole table, at `data-events` of one of them, that something has
// changed; a page without one asks now and then. Where a page leads elsewhere by now, as to a game, it goes there.

import { follow } from "../game/stream.js";

const EVERY = 5000; // ms between two looks of a page without a stream, at least
const JITTER = 2; // at most so many times as long, as all phones of a club look
const SOONEST = 300; // ms between two looks: forty tables change ten times a second
const TIMEOUT = 8000; // ms

let looking = false;
let isDue = false;

const plain = (part) => part.outerHTML.replace(/ value="[^"]{80,}"/g, ""); // without its token
const isEdited = (part) => part.querySelector("details[open] form, dialog[open]") ||
  part.contains(document.activeElement?.closest("input, select, textarea"));

// A selector of what has the focus: its id, what it sends, or where it leads.
function placeOf({ id, name, value, tagName, pathname }) {
  if (id) return `#${id}`;
  return tagName === "A" ? `a[href="${pathname}"]` : `[name="${name}"][value="${value}"]`;
}

async function look() {
  isDue = looking;
  if (looking) return;
  looking = true;
  try {
    const options = { cache: "no-store", signal: AbortSignal.timeout?.(TIMEOUT) };
    const response = await fetch(location.href, options);
    const isOurs = response.headers.has("Scorekeeper");
    if (isOurs && response.redirected) return location.assign(response.url);
    if (isOurs && response.status === 404) return location.reload();
    if (isOurs && response.ok) show(await response.text());
  } catch {
    // Tried again later.
  } finally {
    setTimeout(() => {
      looking = false;
      if (isDue) look();
    }, SOONEST);
  }
}

// What is being typed or read stays; where nothing is new nothing is replaced, so that nothing is said again.
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = page.getElementById(part.id);
    if (!now || isEdited(part) || plain(now) === plain(part)) continue;
    const held = part.contains(document.activeElement) && placeOf(document.activeElement);
    part.replaceWith(now);
    if (held) now.querySelector(held)?.focus({ preventScroll: true });
  }
}

const isSeen = () => document.visibilityState === "visible";
const askAgain = () => setTimeout(() => {
  if (isSeen()) look();
  askAgain();
}, EVERY * (1 + Math.random() * (JITTER - 1)));

const events = document.querySelector("[data-events]")?.dataset.events;
if (events) follow(() => events, { onOpen: look, onEvent: look, onGap: look, onSilence: () => {} });
else askAgain();
document.addEventListener("visibilitychange", () => isSeen() && look());
