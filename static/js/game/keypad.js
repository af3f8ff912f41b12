// The pad of the game page. Without this script every tap is a form of its own and works as well.
// A page part that htmx fetched takes the old one's place; until then further taps wait their turn.

const BOUNCE = 250; // ms: a second touch of the same place within this time is the same tap
const NEAR = 24; // px: half of the smallest key
const waiting = [];
let busy = false;
let held; // what had the focus when the tap was sent
let expected; // the version of the page that answers it, unless others have changed the game
let last = { tapped: "", x: 0, y: 0, at: -Infinity };

const pad = () => document.getElementById("pad");
const trouble = () => document.getElementById("trouble");
const NO_ANSWER = trouble().textContent;
const version = () => Number(document.getElementById("game")?.dataset.version ?? 0);

function rest() {
  // Programs and people see a key that does not answer yet; it is no native `disabled`, which
  // would take the focus away.
  pad()?.setAttribute("aria-disabled", "true");
  setTimeout(() => {
    if (!busy) pad()?.removeAttribute("aria-disabled");
  }, BOUNCE);
}

// Only a finger or a key bounces, no tap that waited or that another script passes on.
// The page may have been swapped between both touches: then the place tells, not the button.
function isBounce({ clientX: x, clientY: y, detail }, { form, name, value }) {
  const now = { tapped: `${form?.id} ${name} ${value}`, x, y, at: performance.now() };
  const same = now.tapped === last.tapped || Math.hypot(x - last.x, y - last.y) < NEAR;
  const bounce = now.at - last.at < BOUNCE && (same || detail === 0); // 0: by keyboard
  last = now;
  return bounce;
}

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.closest("#game")) return;
    const key = event.submitter;
    if (busy) {
      stop(event);
      if (key?.matches(".key, .one-more")) waiting.push(sameButton(key));
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
    if (tapped && event.isTrusted && isBounce(event, tapped)) {
      stop(event);
      return;
    }
    const seat = tapped?.matches("a") && tapped;
    if (!seat || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (busy) {
      stop(event);
      const href = seat.getAttribute("href");
      waiting.push(() => document.querySelector(`#game a[href="${href}"]`));
    } else {
      send(seat);
    }
  },
  true,
);

function send(tapped) {
  busy = true;
  held = document.activeElement;
  expected = version() + (tapped?.matches("a") ? 0 : 1);
  // A live update must not swap the page under a tap that is on its way.
  document.documentElement.dataset.busy = "tap";
  tapped?.classList.add("tapped");
  rest();
}

// How to find a button on the page as it will be then: a bid that waited is no trick count, should
// the bidding have ended meanwhile, and one more trick is one more than there are by then.
function sameButton({ name, value }) {
  const [seat, count] = value.split(":");
  const isIt = (one) => (count ? one.value.startsWith(`${seat}:`) : one.value === value);
  return () =>
    [...document.querySelectorAll("#game button")].find((one) => one.name === name && isIt(one));
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Whoever tapped ahead did not see what others have done, or that the tap before was refused.
const isOther = () => version() > expected || document.getElementById("message");

function ready() {
  const own = busy;
  const moved = Boolean(own && isOther());
  if (moved && waiting.length) say(trouble().dataset.moved);
  if (busy) {
    busy = false;
    delete document.documentElement.dataset.busy;
    document.getElementById("menu")?.removeAttribute("open");
    keepFocus();
    keepInView();
  }
  rest();
  for (const key of document.querySelectorAll(".tapped")) key.classList.remove("tapped");
  if (!replay()) document.dispatchEvent(new CustomEvent("settled", { detail: { own, moved } }));
}

function keepFocus() {
  const clash = document.getElementById("clash");
  if (clash) return takeFocus(clash);
  // A button that has gone took the focus with it; a keyboard would begin at the top again.
  if (document.activeElement !== document.body || held === document.body) return;
  const next = document.querySelector("#won, #score button:not([aria-disabled]), #pad .key");
  next?.focus({ preventScroll: next.id !== "won" });
}

// Two entries for a round are to be seen, and heard, from their heading on.
function takeFocus(heading) {
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

function keepInView() {
  const active = document.querySelector(".seat.active");
  if (active?.matches(":first-child")) scrollTo(0, 0);
  else active?.scrollIntoView({ block: "nearest" });
}

function replay() {
  while (waiting.length) {
    const next = waiting.shift()();
    if (!next) continue;
    next.click();
    return true;
  }
  return false;
}

document.addEventListener("htmx:after:swap", () => {
  trouble().hidden = true;
  ready();
});

document.addEventListener("htmx:error", () => fail());

document.addEventListener("htmx:after:request", (event) => {
  const { text } = event.detail.ctx;
  if (text.includes('id="game"')) return;
  // An error page is not put in the game's place; what it says is said here.
  event.preventDefault();
  const page = new DOMParser().parseFromString(text, "text/html");
  fail(page.querySelector("[role=alert]")?.textContent);
});

function fail(sentence = NO_ANSWER) {
  say(sentence);
  ready();
}

function say(sentence) {
  waiting.length = 0;
  trouble().textContent = sentence;
  trouble().hidden = false;
}

// A key held down is one press.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.target.closest("#game :is(button, a)")) event.preventDefault();
});

// A page that the back button brings to life again shows what was, and may wait for an answer.
addEventListener("pageshow", (event) => event.persisted && location.reload());

document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
