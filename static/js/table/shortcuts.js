// Keyboard shortcuts of the game page: each clicks a button. Taps are shown a moment later, so keys
// typed meanwhile are queued, and dropped if the game was changed elsewhere.

const DIGIT_TIMEOUT = 800; // ms to wait after "1" for the 0 of "10"
const find = (what) => document.querySelector(`main.game ${what}`);
// The keys of blind bids take the place of the others.
const padKey = (value) => find(`.key${thatIs(value)}`);
const isPrefix = (value) => find(`.key${thatIs(value, "^=")}:not(${thatIs(value)})`);
const thatIs = (value, is = "=") => `:is([value${is}"${value}"], [value${is}"blind ${value}"])`;
const SHORTCUTS = {
  n: () => padKey("nil"),
  b: () => padKey("blind nil") ?? find("#blind"),
  u: () => find("#undo"),
  r: redoButton,
  "+": oneMore,
  "?": () => find('a[href$="/settings/sound"]'),
  "؟": () => find('a[href$="/settings/sound"]'),
  enter: () => find(":is(#score, #again) button:not([aria-disabled])"),
  arrowup: () => seat(-1),
  arrowdown: () => seat(1),
};
// Keys that are left to the browser while the focus is on one of these elements.
const NATIVE_KEYS = { enter: "a, button, summary", arrowup: ".now > :not(.entry), .past" };
NATIVE_KEYS.arrowdown = NATIVE_KEYS.arrowup;
const queue = [];
let typed = "";
let typedOn; // the generation of the entries that were shown then
let timer;

// The row that was chosen has its count on the keys alone.
function oneMore() {
  const row = find(".active");
  return row?.querySelector(".one-more[name]") ?? padKey(String((Number(row?.querySelector(".seat-count")?.textContent) || 0) + 1));
}

// The menu is drawn as it opens.
function redoButton() {
  const menu = find("#menu:not([open])");
  menu?.querySelector("summary").click();
  menu?.removeAttribute("open");
  return find('form[action$="/redo"] button');
}

function seat(step) {
  const seats = [...document.querySelectorAll(".seats a.seat-who")];
  return seats[seats.findIndex((one) => one.matches("[aria-current]")) + step];
}

// Falls back to the physical key: for non-Latin layouts, and where digits need the shift key.
function shortcutOf({ key, code }) {
  const place = code.match(/^(?:Key|Digit|Numpad)(\w)$/)?.[1];
  return (key.length > 1 || /^[\w+?؟]$/.test(key) ? key : (place ?? key)).toLowerCase();
}

// A queued bid is dropped if the bidding has ended meanwhile, when the same key is a trick count.
function enqueue(which, on = generation()) {
  const phase = () => find("#entry")?.dataset.phase;
  const then = phase();
  const target = () => (which()?.matches(".key") && phase() !== then ? null : which());
  queue.push({ target, on });
  runQueue();
}

function runQueue() {
  while (queue.length && !document.documentElement.dataset.busy) {
    if (queue[0].on === generation()) queue.shift().target()?.click();
    else dropQueue();
  }
}

// Says that the game has moved on, unless the page says why the key before was refused.
function dropQueue() {
  queue.length = 0;
  if (!find("#message")) document.dispatchEvent(new Event("moved"));
}

const generation = () => find("")?.dataset.generation;

function typeDigit(one) {
  if (typed && !padKey(typed + one)) enterTyped();
  const value = typed + one;
  clearTyped();
  if (!isPrefix(value)) return enqueue(() => padKey(value));
  typed = value;
  typedOn = generation();
  padKey(value)?.classList.add("tapped");
  timer = setTimeout(enterTyped, DIGIT_TIMEOUT);
}

function enterTyped() {
  const value = typed;
  clearTyped();
  enqueue(() => padKey(value), typedOn);
}

function clearTyped() {
  clearTimeout(timer);
  if (typed) padKey(typed)?.classList.remove("tapped");
  typed = "";
}

// Leaves what is open, but not what lies below a dialog, which the browser closes.
function leave() {
  clearTyped();
  if (document.querySelector("dialog[open]")) return;
  const menu = find("#menu[open]");
  if (menu?.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu?.removeAttribute("open");
  if (!find(":is(input, textarea):focus")) find("[data-name=close]")?.click(); // of a row
}

function isShortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const off = document.documentElement.dataset.keys === "off";
  return !off && !document.querySelector("dialog[open]") && !event.target.closest("input, select");
}

document.addEventListener("keydown", (event) => {
  document.documentElement.dataset.keyboard = ""; // so that the settings list the shortcuts
  if (event.key === "Escape") leave();
  if (!isShortcut(event)) return;
  const name = shortcutOf(event);
  if (/^\d$/.test(name)) {
    typeDigit(name);
  } else if (name === "enter" && typed) {
    event.preventDefault();
    enterTyped();
  } else if (SHORTCUTS[name] && !(NATIVE_KEYS[name] && event.target.closest(NATIVE_KEYS[name]))) {
    if (SHORTCUTS[name]()) event.preventDefault();
    if (typed) enterTyped();
    const isOpening = name === "b" && !padKey("blind nil");
    enqueue(SHORTCUTS[name]);
    if (isOpening) enqueue(() => padKey("blind nil")); // on the keys of blind bids, which come first
  }
});

document.addEventListener("settled", runQueue);
