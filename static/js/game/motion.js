// Motion, where it is welcome: sides move to their new places, new totals rise, a bid lands in its row, a row opens
// or folds, another shakes, and confetti falls where a game ends. Loaded once the page can be used.

const DURATION = 300; // ms
const LANDING = 160; // ms
const OPENING = { duration: 160, easing: "cubic-bezier(.2, .8, .2, 1)" };
const SHAKING = 120; // ms
const PARTS = ".side, .seat, .board-standings li";
const FIGURES = ".total, .board-total, .done b:is(.seat-bid, .seat-count)";
const isWelcome = matchMedia("(prefers-reduced-motion: no-preference)");

let last = new Map();
let places = new Map(); // of the parts, in the order in which they were shown then
let kinds = ""; // in that order, what tells rows that are opened, or folded beside one, from others
const chips = new Map(); // how many each row had

// Returns the sides and seats, and what they show, by what they are.
const look = () => new Map([...document.querySelectorAll(PARTS)].map((part) => [nameOf(part), lookAt(part)]));

const nameOf = ({ id }) => id.replace("panel-row", "seat-row");

function lookAt(part) {
  const figure = part.querySelector(FIGURES);
  const bar = part.querySelector(".bar-to-target rect");
  const kind = part.matches(".open-row") ? `open ${part.id}` : part.id;
  const all = { part, kind, figure, bar, chips: part.querySelectorAll(".row-chip") };
  return { ...all, text: figure?.textContent, width: bar?.getAttribute("width") };
}

// Looked up only where the order has changed: the frame, in which this is done, is laid out a second time then.
function placesOf(parts) {
  const before = kinds;
  kinds = [...parts.values()].map(({ kind }) => kind).join();
  const isSame = kinds === before && parts.size === places.size;
  const placeOf = ({ part }) => [part.offsetLeft, part.offsetTop];
  return isSame ? places : new Map([...parts].map(([id, one]) => [id, placeOf(one)]));
}

function move() {
  if (!isWelcome.matches) return;
  const [before, left] = [last, places];
  last = look();
  places = placesOf(last);
  for (const [id, now] of last) {
    const was = before.get(id);
    if (was && now.part.matches(".seat")) moveSeat(was, now, left.get(id), places.get(id));
    else if (was) moveSide(was, now, left.get(id), places.get(id));
  }
}

const differs = (was, now) => now.figure && now.text !== was.text;

function moveSeat(was, now, from, to) {
  if (was.kind !== now.kind || now.part.closest("#panel")) fold(was, now, from, to);
  else if (differs(was, now)) land(now.figure);
  if (now.part.closest("#panel")) return; // whose rows have no chips
  const before = chips.get(now.kind) ?? now.chips.length;
  if (now.chips.length > before) land(now.chips[before]);
  chips.set(now.kind, now.chips.length);
}

const land = (one) => one.animate({ scale: [0.8, 1] }, LANDING);

// Rows make room for one that opens, whose parts appear, or close up where it was.
function fold(was, now, from, to) {
  if (from[1] !== to[1]) now.part.animate({ translate: [`0 ${from[1] - to[1]}px`, "0"] }, OPENING);
  if (was.kind === now.kind || !now.kind.startsWith("open")) return;
  for (const one of now.part.querySelectorAll(".open-parts > :not(.open-head)")) one.animate({ opacity: [0, 1] }, OPENING);
}

function moveSide(was, now, [left, top], [toLeft, toTop]) {
  if (document.documentElement.dataset.moment) return; // js/game/moments.js moves them
  const timing = { duration: DURATION, easing: "ease-out" };
  const [x, y] = [left - toLeft, top - toTop];
  if (x || y) now.part.animate({ translate: [`${x}px ${y}px`, "0"] }, timing);
  if (!differs(was, now)) return;
  now.figure.animate({ translate: ["0 .4em", "0"], opacity: [0, 1] }, timing);
  now.bar?.animate({ width: [was.width, now.width] }, timing);
}

// The row that is open answers a tap on a button that cannot act yet, once the page says why.
function shake() {
  const row = document.querySelector(".seat.active");
  if (isWelcome.matches) row?.animate({ translate: ["0", "-.375rem", ".375rem", "0"] }, SHAKING);
}

document.addEventListener("click", ({ target }) => {
  if (target.closest('[aria-disabled="true"]')) document.addEventListener("settled", shake, { once: true });
});
move();
let frame;
const moveSoon = () => {
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    move();
  });
};
new MutationObserver(moveSoon).observe(document.body, { subtree: true, childList: true, characterData: true });

const PIECES = 60;
const FALL = 2200; // ms

/** Let confetti fall over an element once, unless reduced motion is asked for. */
export function celebrate(winner) {
  if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
  const colours = [1, 2, 3, 4, 5, 6, 7].map((seat) => `var(--seat-${seat})`);
  const layer = document.createElement("div");
  layer.ariaHidden = "true";
  // Over the heading only, so that it covers no button and shifts no layout.
  layer.style.cssText = "position: absolute; inset: 0; overflow: hidden; pointer-events: none";
  winner.style.position = "relative";
  winner.append(layer);
  const { width, height } = layer.getBoundingClientRect();
  for (let n = 0; n < PIECES; n += 1) {
    const piece = document.createElement("i");
    const x = Math.random() * width;
    const drift = (Math.random() - 0.5) * 120;
    piece.style.cssText = "position: absolute; left: 0; top: -1rem; width: .5rem; height: .75rem";
    piece.style.background = colours[n % colours.length];
    layer.append(piece);
    const fallen = `translate(${x + drift}px, ${height + 32}px) rotate(${Math.random() * 1080}deg)`;
    piece.animate([{ transform: `translate(${x}px)` }, { transform: fallen }], {
      duration: FALL * (0.6 + 0.4 * Math.random()),
      delay: Math.random() * 400,
      easing: "ease-in",
      fill: "both",
    });
  }
  setTimeout(() => layer.remove(), FALL + 500);
}
