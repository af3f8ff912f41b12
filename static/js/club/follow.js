// Keeps what changes on pages of a club night up to date: each part that is marked with `data-live`, by its id. Desk
// and wall are told by the stream of the whole table, at `data-events`, that something has changed. A page without
// one asks now and then; a wall takes turns besides. Where a page leads elsewhere by now, as to a game, it goes there.

import { follow } from "../game/stream.js";

const EVERY = 7; // s between two looks of a page without a stream, unless it has `data-seconds`
const SPREAD = 0.2; // by so much longer at most, as not all phones of a club ask at once
const SOONEST = 300; // ms between two looks: forty tables change ten times a second
const TIMEOUT = 8000; // ms

const GLIDE = { duration: 600, easing: "ease-in-out" };

const glided = new Set(); // the standings, by their match and screen, that have been shown gliding
let looking = false;
let isDue = false;

const live = () => document.querySelector("[data-live]")?.dataset ?? {};
const isSeen = () => document.visibilityState === "visible";
const plain = (part) => part.outerHTML.replace(/ value="[^"]{80,}"/g, ""); // without its token
const isEdited = (part) => part.querySelector("details[open] form, dialog[open]") ||
  part.contains(document.activeElement?.closest("input, select, textarea"));

// A selector of what has the focus: its id, what it sends, or where it leads.
function placeOf({ id, name, value, tagName, pathname, search }) {
  if (id) return `#${id}`;
  return tagName === "A" ? `a[href="${pathname}${search}"]` : `[name="${name}"][value="${value}"]`;
}

// Pages that others see have an address for what changes alone.
async function look(page = live().here) {
  isDue = looking;
  if (looking || !isSeen()) return;
  looking = true;
  try {
    const url = page ? `${page}${page.includes("?") ? "&" : "?"}part=1` : location.href;
    const response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout?.(TIMEOUT) });
    if (!response.headers.has("Scorekeeper")) throw new Error("not ours");
    if (response.redirected) return location.assign(response.url);
    if (response.status === 404) return location.reload();
    if (!response.ok) throw new Error("too busy");
    show(await response.text());
    tellConnection(true);
  } catch {
    tellConnection(false); // and tried again later
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
    const hasNews = tell(part, now);
    const refused = part.querySelector('.club-messages [role="alert"]')?.parentElement;
    if (refused && !hasNews && !now.querySelector(".club-messages")) keep(refused, now);
    part.replaceWith(now);
    if (held) now.querySelector(held)?.focus({ preventScroll: true });
    glide(now.querySelector("[data-glides]"));
  }
}

// A sentence that refused something stays until a table has finished, or something else is told.
function keep(refused, now) {
  now.querySelector("#here").removeAttribute("id"); // the sentence is what acts lead to
  now.querySelector(".bar").after(refused);
}

// Rows of new standings glide once to their places from those before, as far as these were on the same screen.
function glide(places) {
  if (!places || glided.has(places.dataset.glides) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  glided.add(places.dataset.glides);
  const rows = [...places.children];
  const boxes = rows.map((row) => row.getBoundingClientRect());
  for (const [at, row] of rows.entries()) {
    const before = boxes[at + Number(row.dataset.gained)];
    if (!before || before === boxes[at]) continue;
    row.animate([{ translate: `${before.x - boxes[at].x}px ${before.y - boxes[at].y}px` }, { translate: "0 0" }], GLIDE);
  }
}

// Tell a screen reader what a part says that it did not say before. Returns whether it says such a thing.
function tell(before, now) {
  const [known, due] = [before, now].map((part) => [...part.querySelectorAll("[data-told]")].map(({ dataset }) => dataset.told));
  const news = due.filter((one) => !known.includes(one));
  if (news.length) document.getElementById("told").textContent = news.join(". ");
  return news.length > 0;
}

function tellConnection(isThere) {
  const notice = document.getElementById("connection-status");
  if (notice) notice.hidden = isThere;
}

function askAgain() {
  setTimeout(() => {
    look(live().following);
    askAgain();
  }, (live().seconds ?? EVERY) * 1000 * (1 + SPREAD * Math.random()));
}

const { events, seconds } = live();
const again = () => look();
const onGap = seconds ? () => {} : again; // a wall without a stream takes its turns
if (events) follow(() => events, { onOpen: again, onEvent: again, onGap, onSilence: () => {} });
if (seconds || !events) askAgain();
document.addEventListener("visibilitychange", again);
glide(document.querySelector("[data-glides]"));
