// Counts the clock of a match down by the server's time, and warns before its end.

import { serverTime } from "../game/countdown.js";

const SECOND = 1000; // ms

function count() {
  for (const clock of document.querySelectorAll(".club-clock[data-ends]")) show(clock);
}

function show(clock) {
  const left = Math.max(0, Math.round((Date.parse(clock.dataset.ends) - serverTime()) / SECOND));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("is-short", left <= 300);
  const bar = clock.parentElement.querySelector("progress");
  if (bar) bar.value = left;
}

count();
setInterval(count, SECOND);
document.addEventListener("visibilitychange", count);
