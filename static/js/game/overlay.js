// What a moment of a game lays over its page. The page below stands as it will be from the first frame on: what lies
// over it is hidden from screen readers, and goes by itself, with a tap anywhere, with Escape, or with the next entry.

import { shapesOf } from "./scoreboard.js";
import { element, setAttributes } from "../offline/phrases.js";

const LONG = 1; // by which all times of a moment are multiplied
const SHORT = 0.6; // from the third one of an evening on
const USUAL = 2; // moments of a kind until they get shorter

let layers = []; // of the moment that is shown
let timer;
let onEnd = () => {};

// Returns by what times of a moment are multiplied, which is less once this evening has shown some of its kind.
function paceOf(kind) {
  let n = 0;
  try {
    n = Number(sessionStorage.getItem(`moment.${kind}`));
    sessionStorage.setItem(`moment.${kind}`, n + 1);
  } catch {} // storage is blocked
  return n < USUAL ? LONG : SHORT;
}

/** Show elements of a kind of moment, each given as `[parent, element]`, for some ms; then call `after()`. */
export function lay(kind, parts, ms, after = () => {}) {
  clearOverlay();
  onEnd = after;
  const pace = paceOf(kind);
  const root = document.documentElement;
  root.style.setProperty("--pace", pace);
  root.style.setProperty("--lasts", `${ms}ms`);
  for (const [parent, layer] of parts) {
    setAttributes(layer, { "aria-hidden": "true" });
    parent.append(layer);
  }
  layers = parts.map(([, layer]) => layer);
  root.classList.add(`moment-${kind}`);
  root.dataset.moment = kind;
  timer = setTimeout(clearOverlay, ms * pace);
}

/** End the moment that is shown, if there is one. */
export function clearOverlay() {
  if (!layers.length) return;
  clearTimeout(timer);
  for (const layer of layers) layer.remove();
  layers = [];
  const root = document.documentElement;
  root.classList.remove(`moment-${root.dataset.moment}`);
  delete root.dataset.moment;
  onEnd();
}

document.addEventListener("click", clearOverlay);
document.addEventListener("keydown", ({ key }) => key === "Escape" && clearOverlay());

/** Return the felt that covers the keys: cards above a line of text, and one below it. */
export function felt(cards, line, below) {
  const cloth = tagged("div", "felt-cloth", tagged("div", "felt-cards", ...cards), tagged("p", "moment-line", line));
  if (below) cloth.append(tagged("p", "felt-below", below));
  cloth.append(tagged("i", "felt-fuse"));
  return tagged("div", "moment-felt", cloth);
}

/** Return an element with a class. */
export const tagged = (name, className, ...content) =>
  Object.assign(element(name, ...content), { className });

/** Return the cards of tricks, each given by the seat that has it, or null; those beyond `tricks` stand apart. */
export function trickCards(game, seats, tricks) {
  const cards = seats.map((seat, at) => {
    const kind = seat === null ? " loose" : at < tricks ? "" : " beyond";
    const card = tagged("i", `felt-card${kind}`, ...(seat === null ? [] : shapesOf(game, [seat])));
    card.style.setProperty("--i", at);
    return card;
  });
  return cards.length > tricks ? cards.toSpliced(tricks, 0, tagged("i", "felt-bar")) : cards;
}
