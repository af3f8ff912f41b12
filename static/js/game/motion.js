// Motion on the page of a game, where it is welcome: sides move to their new places, new totals rise,
// and a bid lands in its row. Loaded once the page can be used.

const DURATION = 300; // ms
const LANDING = 160; // ms
const PARTS = ".side, .seat, .board-standings li";
const FIGURES = ".total, .board-total, .done b:is(.seat-bid, .seat-count)";
const isWelcome = matchMedia("(prefers-reduced-motion: no-preference)");

let last = new Map();

// Returns where the sides and seats are, and what they show, by their ids.
const look = () =>
  new Map([...document.querySelectorAll(PARTS)].map((part) => [part.id, lookAt(part)]));

const lookAt = (part) => ({
  part,
  left: part.offsetLeft,
  top: part.offsetTop,
  figure: part.querySelector(FIGURES),
  bar: part.querySelector(".track + rect"),
});

function move() {
  if (!isWelcome.matches) return;
  const before = last;
  last = look();
  for (const [id, now] of last) {
    const was = before.get(id);
    if (was && was.part !== now.part) (now.part.matches(".seat") ? land : moveSide)(was, now);
  }
}

const differs = (was, now) => now.figure && now.figure.textContent !== was.figure?.textContent;

function land(was, now) {
  if (differs(was, now)) now.figure.animate({ scale: [0.8, 1] }, LANDING);
}

function moveSide(was, now) {
  const timing = { duration: DURATION, easing: "ease-out" };
  const [x, y] = [was.left - now.left, was.top - now.top];
  if (x || y) now.part.animate({ translate: [`${x}px ${y}px`, "0"] }, timing);
  if (!differs(was, now)) return;
  now.figure.animate({ translate: ["0 .4em", "0"], opacity: [0, 1] }, timing);
  now.bar?.animate({ width: [was.bar, now.bar].map((bar) => bar.getAttribute("width")) }, timing);
}

move();
new MutationObserver(move).observe(document.body, { subtree: true, childList: true });
