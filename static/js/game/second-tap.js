// Second taps: a finger or key that comes down again after a tap has changed what is there. base.css
// does the same for a page that the server has just sent.

const SETTLING = 500; // ms from the first paint of a screen until it takes taps
const BOUNCE = 100; // ms: no finger taps twice on purpose within this time
const NEAR = 40; // px: less than from one key to the next
let last = {}; // the newest click, with the place of the newest one that counted
let screens = 0; // that were shown

/** Ignore taps where the newest one was, until the screen that has just been drawn is seen. */
export function startSettling(root) {
  screens += 1;
  const own = screens;
  root.dataset.settling = "";
  const end = () => own === screens && delete root.dataset.settling;
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(end, SETTLING)));
}

/** Let no second tap reach what is in an element. */
export const ignoreSecondTaps = (root) => root.addEventListener("click", (event) => onClick(root, event), true);

/** Return a function that tells whether the newest tap turns out to be a second one once its turn comes. */
export function newestTap() {
  const [{ isThere }, then] = [last, screens];
  return () => isThere && then !== screens;
}

function onClick(root, event) {
  const { clientX: x, clientY: y, detail, timeStamp: at, target } = event;
  if (!event.isTrusted) return;
  const isThere = detail ? Math.hypot(x - last.x, y - last.y) < NEAR : last.detail === 0; // 0: by keyboard
  if (isThere && ("settling" in root.dataset || at - last.at < BOUNCE)) {
    last.at = at;
    event.preventDefault();
    event.stopImmediatePropagation();
  } else {
    last = { x, y, detail, at, isThere };
    if (target.closest("summary")) startSettling(root); // what it unfolds or covers
  }
}
