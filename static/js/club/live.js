// A page of a club night that nobody touches fetches what it shows next again and again; the wall at once when the
// stream of all tables says that something has changed.

import { follow } from "../game/stream.js";

const TIMEOUT = 8000; // ms
const SOONEST = 300; // ms between two looks: forty tables change ten times a second
const SPREAD = 0.2; // by so much longer at most, as not all phones ask at once
const shown = () => document.getElementById("live");
let timer;
let soon;
let due = 0; // when the next one takes its turn

async function show(url) {
  clearTimeout(timer);
  try {
    const options = { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout?.(TIMEOUT) };
    const response = await fetch(`${url}${url.includes("?") ? "&" : "?"}part=1`, options);
    if (response.status === 404) return location.reload();
    if (!response.ok || !response.headers.has("Scorekeeper")) throw new Error("not ours");
    replace(await response.text());
    document.getElementById("connection-status").hidden = true;
  } catch {
    document.getElementById("connection-status").hidden = false;
  }
  wait();
}

function replace(text) {
  const part = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  const held = shown().contains(document.activeElement) && document.activeElement.id;
  shown().replaceWith(part);
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
}

function wait() {
  const now = performance.now();
  if (due <= now) due = now + shown().dataset.seconds * 1000 * (1 + SPREAD * Math.random());
  timer = setTimeout(() => {
    if (document.visibilityState === "visible") show(shown().dataset.following);
  }, due - now);
}

function look() {
  soon ??= setTimeout(() => {
    soon = undefined;
    if (document.visibilityState === "visible") show(shown().dataset.here);
  }, SOONEST);
}

document.addEventListener("visibilitychange", look);
const { events } = shown().dataset;
if (events) follow(() => events, { onOpen: look, onEvent: look, onGap: () => {}, onSilence: () => {} });
wait();
