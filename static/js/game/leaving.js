// What leaves by itself: layers of a moment, messages, the menu, when another phone has entered something. A finger that
// comes down where it lay was meant for it, until the eye has seen what is there now.

const SEEN = 400; // ms from the frame in which it is gone

let places = []; // where taps are ignored
let isMisled = false; // whether the finger came down on one

/** Return where an element lies on the screen. */
export const rectOf = (element) => element.getBoundingClientRect();

/** Call before elements may go from the page; what is returned, after that. */
export function watchPlaces(selector) {
  const shown = () => [...document.querySelectorAll(selector)].filter(isShown);
  const watched = shown().map((one) => [one.className, rectOf(one)]);
  return () => {
    const kinds = shown().map(({ className }) => className); // what is drawn anew stays
    holdPlaces(watched.filter(([kind]) => !kinds.includes(kind)).map(([, rect]) => rect));
  };
}

const BESIDE = ".now > :not(.bar, .strip, .entry), #line, .menu-list"; // the scores and the keys

/** Do the same for the parts of a page that go when something is heard from elsewhere, not by a tap of its own. */
export const watchPage = ({ isOwn }) => (isOwn ? () => {} : watchPlaces(BESIDE));

// What a menu that is closed contains may have a place.
const isShown = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0;

/** Ignore taps where something lies that is about to go, until it has been gone for a moment. */
export function holdPlaces(held) {
  places.push(...held);
  const release = () => (places = places.filter((one) => !held.includes(one)));
  // The second frame comes once the first one was shown. Of a busy page's tasks taps come before timers.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(release, SEEN)));
}

const isLeftThere = ({ clientX: x, clientY: y }) =>
  places.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);

addEventListener("pointerdown", (event) => (isMisled = isLeftThere(event)), true);
addEventListener(
  "click",
  (event) => {
    if (!event.detail || !(isMisled || isLeftThere(event))) return; // by keyboard there is no place
    isMisled = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
// A message of the style sheet fades by itself.
addEventListener("animationend", ({ animationName, target }) => {
  if (animationName === "fade-away") holdPlaces([rectOf(target)]);
});
