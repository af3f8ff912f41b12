// A game without a finger on the screen: each key of the keyboard stands for one thing on the page.
// A click goes the way of every tap; what is typed while a tap is on its way waits for it here.

const PATIENCE = 800; // ms that "1" waits for the 0 of "10"
const find = (what) => document.querySelector(`main.game ${what}`);
const padKey = (value) => find(`.key[value="${value}"]`);
const goesOn = (value) => find(`.key[value^="${value}"]:not([value="${value}"])`);
const DOES = {
  n: () => padKey("nil"),
  b: () => padKey("blind nil"),
  u: () => find("#undo"),
  r: () => find(':is(form[action$="/redo"] button, [data-act="redo"])'),
  "+": () => find(".active .one-more"),
  "?": () => find('a[href$="/senses"]'),
  "؟": () => find('a[href$="/senses"]'),
  enter: () => find(":is(#score button, button#score):not([aria-disabled])"),
  arrowup: () => seat(-1),
  arrowdown: () => seat(1),
};
// Where the focus is on one of these, the browser knows better what such a key is for.
const OWN = { enter: "a, button, summary", arrowup: ".now > :not(.entry), .past" };
OWN.arrowdown = OWN.arrowup;
const queue = [];
let typed = "";
let typedFor; // whose turn it was
let waiting;

function seat(step) {
  const seats = [...document.querySelectorAll(".seats a.seat-who")];
  return seats[seats.findIndex((one) => one.matches("[aria-current]")) + step];
}

// Where letters are not Latin, and where digits want the shift key, the place on the keyboard tells.
function named({ key, code }) {
  const place = code.match(/^(?:Key|Digit|Numpad)(\w)$/)?.[1];
  return (key.length > 1 || /^[\w+?؟]$/.test(key) ? key : (place ?? key)).toLowerCase();
}

// A bid that waited is no trick count, should the bidding have ended meanwhile.
function soon(which) {
  const phase = () => find("#entry")?.dataset.phase;
  const then = phase();
  queue.push(() => which()?.matches(".key") && phase() !== then ? null : which());
  work();
}

function work() {
  while (queue.length && !document.documentElement.dataset.busy) queue.shift()()?.click();
}

function digit(one) {
  if (typed && !padKey(typed + one)) press();
  const value = typed + one;
  forget();
  if (!goesOn(value)) return soon(() => padKey(value));
  typed = value;
  typedFor = turn();
  padKey(value)?.classList.add("tapped");
  waiting = setTimeout(press, PATIENCE);
}

function press() {
  const value = typed;
  forget();
  if (turn() === typedFor) soon(() => padKey(value));
  else sayMoved();
}

const turn = () => `${find("h1")?.textContent} ${find(".seat.active")?.id}`;

// Others have changed the game since somebody typed: that is shown, and not entered for another seat.
function sayMoved() {
  const trouble = document.getElementById("trouble");
  trouble.textContent = trouble.dataset.moved;
  trouble.hidden = false;
}

function forget() {
  clearTimeout(waiting);
  if (typed) padKey(typed)?.classList.remove("tapped");
  typed = "";
}

function isFor(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const off = document.documentElement.dataset.keys === "off";
  return !off && !document.querySelector("dialog[open]") && !event.target.closest("input, select");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    forget();
    document.getElementById("menu")?.removeAttribute("open");
  }
  if (!isFor(event)) return;
  const name = named(event);
  if (/^\d$/.test(name)) {
    digit(name);
  } else if (name === "enter" && typed) {
    event.preventDefault();
    press();
  } else if (DOES[name] && !(OWN[name] && event.target.closest(OWN[name]))) {
    if (DOES[name]()) event.preventDefault();
    if (typed) press();
    soon(DOES[name]);
  }
});

document.addEventListener("settled", ({ detail }) => {
  if (detail?.moved && queue.length) sayMoved();
  // After one's own tap, what was typed ahead is for the next.
  if (!detail || (detail.own && !detail.moved)) typedFor = turn();
  if (detail?.moved || document.getElementById("trouble")?.hidden === false) queue.length = 0;
  work();
});
