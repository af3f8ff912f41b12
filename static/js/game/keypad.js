// Keypad of the game page. Each tap submits a form that htmx sends in the background; taps made
// before it is answered are queued. Without this script the forms work as plain page loads.

import { BOUNCE, isBounce } from "./debounce.js";

const queue = [];
let busy = false;
let focusBefore; // the element that had the focus when the tap was sent
let expectedVersion; // the game version that the answer has if nobody else changed the game

const pad = () => document.getElementById("pad");
const alertBox = () => document.getElementById("error-banner");
const NO_ANSWER = alertBox().textContent;
const version = () => Number(document.getElementById("game")?.dataset.version ?? 0);

function blockPad() {
  // Not the native `disabled`, which would take the focus away.
  pad()?.setAttribute("aria-disabled", "true");
  setTimeout(() => {
    if (!busy) pad()?.removeAttribute("aria-disabled");
  }, BOUNCE);
}

const targetOf = ({ form, name, value }) => `${form?.id} ${name} ${value}`;

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.closest("#game")) return;
    const key = event.submitter;
    if (busy) {
      stop(event);
      if (key?.matches(".key, .one-more")) queue.push(finderOf(key));
    } else {
      send(key);
    }
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    const tapped = event.target.closest("#game :is(button, a.seat-who)");
    // Clicks made by a script, as from the queue, do not bounce.
    if (tapped && event.isTrusted && isBounce(event, targetOf(tapped))) {
      stop(event);
      return;
    }
    const seat = tapped?.matches("a") && tapped;
    if (!seat || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (busy) {
      stop(event);
      const href = seat.getAttribute("href");
      queue.push(() => document.querySelector(`#game a[href="${href}"]`));
    } else {
      send(seat);
    }
  },
  true,
);

function send(tapped) {
  busy = true;
  focusBefore = document.activeElement;
  expectedVersion = version() + (tapped?.matches("a") ? 0 : 1);
  // Keeps live.js from swapping the page while a tap is being sent.
  document.documentElement.dataset.busy = "tap";
  tapped?.classList.add("tapped");
  blockPad();
}

// Returns a function that finds a queued button on the page as it is by then. The name is compared
// so that a queued bid is not entered as a trick count; of "+1" only the seat is, as its count has
// changed by then.
function finderOf({ name, value }) {
  const [seat, count] = value.split(":");
  const isIt = (one) => (count ? one.value.startsWith(`${seat}:`) : one.value === value);
  return () =>
    [...document.querySelectorAll("#game button")].find((one) => one.name === name && isIt(one));
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Queued taps are dropped then: they were made without seeing what others entered, or the refusal.
const hasMovedOn = () => version() > expectedVersion || document.getElementById("message");

function settle() {
  const own = busy;
  const moved = Boolean(own && hasMovedOn());
  if (moved && queue.length) showAlert(alertBox().dataset.moved);
  if (busy) {
    busy = false;
    delete document.documentElement.dataset.busy;
    document.getElementById("menu")?.removeAttribute("open");
    restoreFocus();
    scrollToActiveSeat();
  }
  blockPad();
  for (const key of document.querySelectorAll(".tapped")) key.classList.remove("tapped");
  if (!runQueue()) document.dispatchEvent(new CustomEvent("settled", { detail: { own, moved } }));
}

function restoreFocus() {
  const clash = document.getElementById("clash");
  if (clash) return focusHeading(clash);
  // If the focused button was removed, keyboard users would start at the top of the page again.
  if (document.activeElement !== document.body || focusBefore === document.body) return;
  const next = document.querySelector("#won, #score button:not([aria-disabled]), #pad .key");
  next?.focus({ preventScroll: next.id !== "won" });
}

// Two entries for a round are shown, and read by a screen reader, from their heading on.
function focusHeading(heading) {
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

function scrollToActiveSeat() {
  const active = document.querySelector(".seat.active");
  if (active?.matches(":first-child")) scrollTo(0, 0);
  else active?.scrollIntoView({ block: "nearest" });
}

function runQueue() {
  while (queue.length) {
    const next = queue.shift()();
    if (!next) continue;
    next.click();
    return true;
  }
  return false;
}

document.addEventListener("htmx:after:swap", () => {
  alertBox().hidden = true;
  settle();
});

document.addEventListener("htmx:error", () => showError());

document.addEventListener("htmx:after:request", (event) => {
  const { text } = event.detail.ctx;
  if (text.includes('id="game"')) return;
  // An error page is not swapped in; its message is shown instead.
  event.preventDefault();
  const page = new DOMParser().parseFromString(text, "text/html");
  showError(page.querySelector("[role=alert]")?.textContent);
});

function showError(sentence = NO_ANSWER) {
  showAlert(sentence);
  settle();
}

function showAlert(sentence) {
  queue.length = 0;
  alertBox().textContent = sentence;
  alertBox().hidden = false;
}

// A key that is held down counts once.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.target.closest("#game :is(button, a)")) event.preventDefault();
});

// A page restored from the back/forward cache is out of date, and may still wait for an answer.
addEventListener("pageshow", (event) => event.persisted && location.reload());

document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
