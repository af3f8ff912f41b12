// Counts the minutes on the clocks of a page, warns before the end, and shows the proposal to make the
// round the last one when time is up.

import { watchPlaces } from "./leaving.js";

export const WARNING = 5; // minutes left when it warns
const PAUSED = 60; // minutes after the end, when the game was paused and the clock says nothing more
export const MINUTE = 60000; // ms
const KEY = "clock.ahead";

let ahead; // ms by which the clock of this phone is ahead of the server's
let lastLeft; // minutes left when that was looked at last

/** Return a time of this phone, by default the present, by the clock of the server if that is known. */
export function serverTime(own = Date.now()) {
  ahead ??= measure();
  return own - ahead;
}

// A page of the server says when it was made; without one the last difference counts.
function measure() {
  const served = document.querySelector("meta[name=server-time]")?.content;
  try {
    if (!served) return Number(localStorage.getItem(KEY));
    const [arrival] = performance.getEntriesByType("navigation");
    const age = performance.now() - (arrival?.responseStart ?? 0);
    const found = Date.now() - age - Date.parse(served);
    localStorage.setItem(KEY, found);
    return found;
  } catch {
    return 0; // storage is blocked
  }
}

/** Return the minutes left until an end, the one that has begun included. */
export const minutesLeft = (end, now) => Math.ceil((end - now) / MINUTE);

/** Return whether the last round is proposed: time is up, and the evening goes on. */
export const isUp = (left) => -PAUSED < left && left <= 0;

/** Return whether the clock warns. */
export const isShort = (left) => -PAUSED < left && left <= WARNING;

/** Count from now on. */
export function startCountdown() {
  count();
  setInterval(count, 1000);
  document.addEventListener("visibilitychange", count);
}

function count() {
  const clocks = [...document.querySelectorAll(".clock")];
  if (!clocks.length) return;
  const { end, warning, up } = clocks[0].dataset;
  const left = minutesLeft(Number(end), serverTime());
  for (const clock of clocks) showMinutes(clock, left);
  const proposal = document.querySelector(".time-up");
  // It would move what is under a finger. What held a tapped button that is gone stays active.
  const isPressed = document.querySelector("#game :is(a, button, summary):active");
  if (proposal && !isPressed) showProposal(proposal, isUp(left));
  if (lastLeft > 0 && isUp(left)) announceTime(proposal?.querySelector("p").textContent ?? up);
  else if (lastLeft > WARNING && isShort(left)) announceTime(warning);
  lastLeft = left;
}

function showProposal(proposal, isShown) {
  if (proposal.hidden !== isShown) return;
  const hold = watchPlaces(".time-up");
  proposal.hidden = !isShown;
  hold();
}

function showMinutes(clock, left) {
  const text = left > 0 ? clock.dataset.left.replace("#", left) : isUp(left) ? clock.dataset.up : "";
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("short", isShort(left));
}

// Also spoken where that is switched on: see table/settings.js.
function announceTime(text) {
  const news = document.getElementById("news");
  if (news) news.textContent = text;
}
