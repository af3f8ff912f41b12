// Counts the clock of a match down by the server's time, warns before its end, and tells a screen reader
// what is left when that is asked for.

import { serverTime } from "../game/countdown.js";

const SECOND = 1000; // ms
const MINUTE = 60; // s
const told = document.getElementById("told");
const tellsAt = told?.dataset.at.split(" ").map(Number) ?? []; // s left
let before = 0; // s left when that was looked at last

function count() {
  for (const clock of document.querySelectorAll(".club-clock[data-ends]")) show(clock);
}

function show(clock) {
  const left = Math.max(0, Math.round((Date.parse(clock.dataset.ends) - serverTime()) / SECOND));
  const text = `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, "0")}`;
  if (clock.textContent !== text) clock.textContent = text;
  const says = clock.dataset.says.replace("{time}", words(left));
  clock.setAttribute("aria-label", says);
  clock.classList.toggle("is-short", left > 0 && left <= Number(clock.dataset.warns));
  clock.classList.toggle("is-up", !left);
  const bar = document.querySelector(".club-progress");
  if (bar) bar.value = left;
  if (tellsAt.some((at) => left <= at && at < before)) told.textContent = left ? says : told.dataset.up;
  before = left;
}

const words = (left) =>
  [
    left >= MINUTE && counted(Math.floor(left / MINUTE), "minute"),
    (left < MINUTE || left % MINUTE > 0) && counted(left % MINUTE, "second"),
  ].filter(Boolean).join(" ");

const counted = (n, unit) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" }).format(n);

count();
setInterval(count, SECOND);
document.addEventListener("visibilitychange", count);
