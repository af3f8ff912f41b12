// The stage of a game: one moment at a time, which lies over its page. The page below is final from the first frame
// on, for screen readers too; what stays to be seen of the page before is a copy, until the moment has covered it. A
// moment goes by itself, with a tap, with Escape, or with the next entry.

import { holdPlaces, rectOf } from "./leaving.js";
import { element, setAttributes } from "../draw/phrases.js";

const SHORT = 0.6; // by which times of a moment are multiplied from the third of its kind of an evening on
const USUAL = 2; // moments of a kind until they get shorter
const LEAST = 1000; // ms that a moment lasts
const LAID = 2000; // ms after which a page that was held goes without a moment
const DEAF = 450; // ms: the finger that brought a moment is still there
const COUNTING = ".strip :is([data-counts], .fresh)"; // what moves on the page itself
const AROUND = 40; // px around a tap, where a second one is not meant
const NEVER_SHOWN = "#rounds, .menu-list, .why, .again";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
let shownNow; // {layer, timer, at, leave, end} of the moment that is shown
let timesNow = [1, 0]; // what times of that moment are multiplied by, and how many ms it lasts
let sheet; // the styles of this page, for copies
let heldAt = 0; // how far the page was scrolled when it was held

/** Return whether a moment must not move: then it shows its end at once. */
export const isStill = () => reduced.matches;

/** Return an element with a class. */
export const tagged = (name, className, ...content) =>
  Object.assign(element(name, ...content), { className });

/** Return whether a moment can be shown. */
export const isStageReady = () => Boolean(sheet);

/** Read the styles of this page for its copies; the stage is ready then. */
export function readStyles() {
  const rules = [...document.styleSheets].map((one) => {
    const text = rulesOf(one).map(({ cssText }) => cssText).join("");
    return one.media.mediaText ? `@media ${one.media.mediaText} {${text}}` : text;
  });
  sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join(""));
  document.documentElement.dataset.stage = "ready";
}

function rulesOf(styles) {
  try {
    return [...styles.cssRules];
  } catch {
    return []; // those that did not come
  }
}

/** Return what a page of a game shows now, as a `source` of copies, and the `places` of its parts. */
export function holdPage(main) {
  const placeOf = (one) => one && rectOf(one);
  const places = {
    main: rectOf(main), dock: placeOf(main.querySelector(".entry > .dock")), strip: placeOf(main.querySelector(".strip")),
    seats: [...main.querySelectorAll(".seats > .seat")].map(rectOf),
    columns: [...main.querySelectorAll(".strip > .side")].map(rectOf),
  };
  const source = main.cloneNode(true);
  for (const one of source.querySelectorAll(NEVER_SHOWN)) one.remove();
  heldAt = scrollY;
  return { source, places };
}

/** With an entry the page is scrolled to its beginning, in the frame that shows it: what lies over it follows. */
export function followPage() {
  requestAnimationFrame(() => {
    const far = heldAt - scrollY;
    if (far && shownNow && shownNow.kind !== "winner") shownNow.layer.style.setProperty("translate", `0 ${far}px`);
  });
}

/**
 * Return what was held with a `copy` of it, which nobody taps, hears or finds, in a `still` element that can be
 * shown.
 */
export function copyHeld(held) {
  const copy = held.source.cloneNode(true);
  const still = tagged("div", "still");
  still.inert = true;
  const root = still.attachShadow({ mode: "closed" }); // where ids and names are those of the page
  root.adoptedStyleSheets = [sheet];
  const shapes = document.getElementById("seat-1")?.closest("svg");
  root.append(...(shapes ? [shapes.cloneNode(true)] : []), copy);
  copy.classList.add("held");
  copy.dir = document.documentElement.dir;
  putAt(still, held.places.main);
  return { ...held, still: Object.assign(still, { copy }), copy };
}

/** Put an element of the stage where something lies on the screen. */
export function putAt(one, { left, top, width, height }) {
  const px = { left, top, width, height };
  for (const [name, value] of Object.entries(px)) one.style.setProperty(name, `${value}px`);
  return one;
}

// Returns by what times of a moment are multiplied, which is less once this evening has shown some of its kind.
function paceOf(kind, ms) {
  if (isStill()) return 1;
  let n = 0;
  try {
    n = Number(sessionStorage.getItem(`moment.${kind}`));
    sessionStorage.setItem(`moment.${kind}`, n + 1);
  } catch {} // storage is blocked
  return n < USUAL ? 1 : Math.max(SHORT, LEAST / ms);
}

/**
 * Lay parts of a page that was `held` over the page that is about to change, until a moment of that kind is opened
 * with it: one task and frame could not do both in time. Nothing takes a tap meanwhile.
 */
export function layStage(kind, { still, copy }, parts) {
  const layer = beginStage(kind);
  copy.classList.add("laid");
  for (const one of copy.querySelectorAll(parts)) one.classList.add("held-part");
  layer.append(still, tagged("div", "guard"));
  Object.assign(shownNow, { laid: still, timer: setTimeout(clearLaid, LAID) });
}

/** Return whether a page that was held lies over the page, and its moment is still to come. */
export const isLaid = ({ still }) => shownNow?.laid === still;

/** Take what was laid over the page away, unless its moment was opened. */
export const clearLaid = () => shownNow?.laid && clearStage();

function beginStage(kind) {
  clearStage();
  const root = document.documentElement;
  root.dataset.moment = kind;
  root.classList.add(`moment-${kind}`);
  const layer = tagged("div", isStill() ? "stage stands" : "stage");
  document.body.append(layer);
  shownNow = { kind, layer, end: () => {} };
  followPage();
  return layer;
}

// Returns the layer of a moment, in which the page that was held may lie already.
function layerOf(kind, layers) {
  if (!layers.includes(shownNow?.laid)) return beginStage(kind);
  const { layer, laid } = shownNow;
  clearTimeout(shownNow.timer);
  layer.lastChild.remove();
  laid.copy.classList.remove("laid");
  for (const one of laid.copy.querySelectorAll(".held-part")) one.classList.remove("held-part");
  return layer;
}

/**
 * Show a moment for some ms; then `leave()`, which may return a promise that its last movement is over, and, once it
 * is gone, `end()`. With `pace`, times are multiplied by that. One that `waits` goes by a button of its own alone.
 */
export function openStage(kind, layers, { ms, pace = paceOf(kind, ms), leave = () => {}, end = () => {}, waits = false }) {
  const layer = layerOf(kind, layers);
  timesNow = [pace, ms];
  for (const one of [...layers.filter(({ inert }) => !inert), ...document.querySelectorAll(COUNTING)]) timed(one);
  for (const one of waits ? layers : [layer]) setAttributes(one, { "aria-hidden": !one.matches("[role]") && "true" });
  layer.append(...layers.filter((one) => one !== shownNow.laid));
  if (isStill()) for (const one of layer.getAnimations({ subtree: true })) one.cancel();
  const timer = waits ? 0 : setTimeout(() => leaveStage(), ms * pace);
  shownNow = { kind, layer, timer, waits, at: performance.now(), leave, end };
}

/** Return what times of the moment that is shown are multiplied by. */
export const pageTimes = () => timesNow[0];

/** Return an element with the times of the moment, which the whole page need not know: it would be styled again. */
export function timed(one) {
  one.style.setProperty("--pace", timesNow[0]);
  one.style.setProperty("--lasts", `${timesNow[1]}ms`);
  return one;
}

function leaveStage(tap) {
  const left = shownNow;
  clearTimeout(left.timer);
  const leaving = left.leave();
  if (!leaving) return clearStage(tap);
  return leaving.then(() => shownNow === left && clearStage(tap), () => {});
}

/** End the moment that is shown, if there is one; `tap` is what ends it. */
export function clearStage(tap) {
  if (!shownNow) return;
  const { kind, layer, timer, end } = shownNow;
  shownNow = undefined;
  clearTimeout(timer);
  const lain = [...layer.children].filter((one) => !one.inert);
  holdPlaces(tap ? placesOfTap(tap) : lain.map(rectOf));
  layer.remove();
  const root = document.documentElement;
  root.classList.remove(`moment-${kind}`);
  delete root.dataset.moment;
  end();
}

const placesOfTap = ({ clientX: x, clientY: y }) =>
  [{ left: x - AROUND, top: y - AROUND, right: x + AROUND, bottom: y + AROUND }];

// A tap beside what lies over the page is meant for what is there.
function onTapOfMoment(tap) {
  if (!shownNow) return;
  const isOnLayer = shownNow.layer.contains(tap.target);
  if (!isOnLayer) return clearStage();
  if (shownNow.waits || shownNow.laid || performance.now() - shownNow.at < DEAF) return;
  leaveStage(tap);
}

// Escape, Space and Enter are meant for the moment, Tab for the page that it covers.
function onKeyOfMoment(event) {
  if (!shownNow) return;
  const { key, type } = event;
  const { waits } = shownNow; // with buttons, to which Tab leads
  if (key === "Escape" || (key === "Tab" && !waits)) return type === "keydown" && clearStage();
  if (waits || ![" ", "Enter"].includes(key)) return;
  event.preventDefault(); // it would act on what is below
  event.stopPropagation();
  if (type === "keydown" && performance.now() - shownNow.at >= DEAF) leaveStage();
}

document.addEventListener("click", onTapOfMoment);
for (const type of ["keydown", "keyup"]) document.addEventListener(type, onKeyOfMoment, true);
