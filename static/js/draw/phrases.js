// Translated texts and HTML templates. The server renders both in this phone's language: phrases with
// {placeholders} as JSON, and templates as described in web/http/templates.py. What is shown of them changes
// by its values: browsers style and lay out again only what is new.

import { blindNumber } from "../rules/bidding.js";
import { formatPoints, formatSigned, isolateSign, translate } from "../rules/sentence.js";

const GAP = /\{(\w+)(?:\?([^}]*))?\}/; // {name}, or {name?text} for a text if the value is not empty
let templates = document;

/** The phrases, and the `bid` word, `calls`, `value_names` and `value_words` that go with them. */
export let phraseData = { bid: "bid" };

/** Load phrases and templates from a page: this document or one that was fetched. */
export function loadPhrases(page) {
  templates = page;
  phraseData = JSON.parse(page.getElementById("phone-words").textContent);
}

/** Return a sentence of the rules, a refusal or a hint, given as `{code, values}`. */
export const phrase = (one) => translate(phraseData.phrases, one, phraseData.lang);

/** Return a phrase as plain text. */
export const text = (code, values = {}) => translate(phraseData.words, { code, values }, phraseData.lang);

/** Return a phrase as a fragment; values are texts or nodes. */
export function sentence(code, values = {}) {
  const marked = Object.keys(values).map((name) => [name, `\u0000${name}\u0000`]);
  const gaps = { ...Object.fromEntries(marked), n: values.n };
  const whole = translate(phraseData.words, { code, values: gaps }, phraseData.lang);
  const pieces = whole.split("\u0000").map((piece, at) => (at % 2 ? (values[piece] ?? "") : piece));
  return fragment(pieces);
}

/** Return a new element with texts or nodes in it. */
export function element(name, ...content) {
  const created = document.createElement(name);
  created.append(...content);
  return created;
}

/** Return a name isolated from the direction of the surrounding text. */
export const bdi = (name) => setAttributes(element("bdi", name), { translate: "no" });

/** Return names as a list in this language: one, two and three. */
export function listed(names) {
  const shown = names.map(bdi);
  const last = shown.pop();
  if (!shown.length) return last;
  return sentence("some_and_last", { some: series(shown), last });
}

/** Join nodes by the list separator of this language. */
export const series = (nodes) => fragment(intersperse(nodes, text("series")));

/** Format points; `signed` also writes the plus sign. */
export const minus = (points, shownAs) => isolateSign(formatPoints(points, shownAs), phraseData.lang);
export const signed = (points, shownAs) =>
  isolateSign(formatSigned(points, shownAs), phraseData.lang);

/** Return points for a gap of a sentence: the number itself where points are shown whole. */
export const shown = (points, { shown_as: shownAs }) =>
  shownAs === "tenths" ? minus(points, shownAs) : points;

/** Return the class of points that are shown with their sign. */
export const pointsKind = (shown) => (shown.includes("\u2212") ? "loss" : "gain");

/** Format a decimal number. */
export function formatDecimal(number) {
  const [whole, fraction] = number.split(".");
  return fraction ? text("decimal", { whole, fraction }) : number;
}

/** Put a separator between nodes. */
export const intersperse = (nodes, text) => nodes.flatMap((node, at) => (at ? [text, node] : [node]));

export function fragment(pieces) {
  const all = document.createDocumentFragment();
  all.append(...pieces);
  return all;
}

export function bidWord(bid) {
  if (bid === null) return "";
  const n = blindNumber(bid);
  if (n) return text("blind", { n });
  return typeof bid === "string" ? text(bid) : `${bid}`;
}

const isEmpty = (value) => !value || value.length === 0;
const valueAt = (name, { [name]: value }) => (typeof value === "boolean" ? "" : (value ?? ""));
const gaps = new WeakMap(); // of the templates that were rendered
const drawn = new WeakMap(); // what stood for the elements that are shown

/**
 * Return a copy of the template `part-<name>` filled with values: texts, numbers, nodes, parts, or lists of
 * them. Elements with `data-if` and attributes that consist of one value are left out if that is empty.
 */
export function render(name, values = {}) {
  const copy = copyOf(name);
  fill(copy, values);
  return copy.node;
}

/**
 * Return a part of a page: an element that stays as long as its key is the same. Only if the page does not
 * show it already, `build()` has to return it.
 */
export const part = (key, build) => ({ key, build });

/**
 * Return a part that is the one element of a template with values, as `render` takes them, and those that
 * `more` returns for them. While it is shown, only what its values change is written.
 */
export const piece = (name, values, more) => ({
  key: JSON.stringify(values, keyValue), name, values: () => ({ ...values, ...more?.(values) }),
});

// Nodes count by their text. The revision is for the server's forms alone: it changes with every answer.
const keyValue = (name, value) =>
  name === "revision" ? 0 : value?.nodeType ? value.textContent : value;

/** Give an element children: texts, nodes and parts. What it shows already stays. */
export const drawIn = (element, items) => place(element, [...element.childNodes], null, items);

// Returns a copy of a template, the gaps of which can be filled again and again.
function copyOf(name) {
  const { content } = templates.getElementById(`part-${name}`);
  if (!gaps.has(content)) gaps.set(content, gapsIn(content));
  // Filled before it belongs to this document, which would complain about unfilled SVG attributes.
  return bind(content.cloneNode(true), gaps.get(content));
}

// Returns what is filled in a node of a template, its child `at`.
function gapsIn(node, at) {
  if (node.nodeType === Node.TEXT_NODE) return { at, pieces: node.data.split(GAP) };
  const { slot, if: condition } = node.dataset ?? {};
  if (condition) node.removeAttribute("data-if");
  const found = [...(node.attributes ?? [])].map(({ name, value }) => [name, value.split(GAP)]);
  const attributes = found.filter(([, pieces]) => pieces.length > 1);
  const children = [...node.childNodes].map(gapsIn).filter(isFilled);
  return { at, node, slot, condition, attributes, children };
}

const isFilled = ({ pieces = [], slot, condition, attributes, children }) =>
  pieces.length > 1 || slot || condition || attributes?.length || children?.length;

// Returns a node with its gaps, and the nodes that they show.
const bind = (node, gap) => ({
  node, gap, nodes: [], children: gap.children?.map((child) => bind(node.childNodes[child.at], child)),
});

function fill(bound, values) {
  const { gap, node, children } = bound;
  if (gap.pieces) return fillWith(bound, node, fillPieces(gap.pieces, values));
  if (gap.slot) return fillWith(bound, (bound.place ??= placeOf(node)), [valueAt(gap.slot, values)].flat());
  const isLeftOut = Boolean(gap.condition) && isEmpty(values[gap.condition]);
  if (isLeftOut) return (bound.place ??= placeOf(node));
  bound.place?.replaceWith(node);
  bound.place = undefined;
  gap.attributes.forEach((attribute) => fillAttribute(node, attribute, values));
  if (node.nodeType === 1 && children.some((child) => isTorn(child, node))) renew(bound);
  return bound.children.forEach((child) => fill(child, values));
}

// Whether somebody else has taken away what shows a gap of an element: browsers that translate a page replace
// its texts, and extensions change it as they like.
const isTorn = ({ node, place, nodes }, parent) =>
  [place ?? node, ...nodes].some(({ parentNode }) => parentNode !== parent);

function renew(bound) {
  const { node, gap } = bound;
  node.replaceChildren(...gap.node.cloneNode(true).childNodes);
  Object.assign(bound, bind(node, gap));
}

// Replaces a node by an empty text, which keeps its place.
function placeOf(node) {
  const place = document.createTextNode("");
  node.replaceWith(place);
  return place;
}

function fillAttribute(node, [name, pieces], values) {
  const isWhole = pieces.length === 4 && !pieces[0] && !pieces[3];
  const text = fillPieces(pieces, values).join("");
  if (isWhole && isEmpty(values[pieces[1]]) && values[pieces[1]] !== 0) node.removeAttribute(name);
  else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

// Of every three pieces the first is a text, the others are of a gap.
const fillPieces = (pieces, values) =>
  pieces.flatMap((piece, at) => {
    if (at % 3 !== 1) return at % 3 ? [] : piece;
    if (pieces[at + 1] === undefined) return valueAt(piece, values);
    return isEmpty(values[piece]) ? "" : pieces[at + 1];
  });

// Shows items at a text, in itself if they are texts only, else after it.
function fillWith(bound, start, items) {
  const areTexts = items.every((item) => typeof item !== "object");
  const text = areTexts ? items.join("") : "";
  if (start.data !== text) start.data = text;
  if (!areTexts || bound.nodes.length)
    bound.nodes = place(start.parentNode, bound.nodes, start, areTexts ? [] : items);
}

// Shows items in an element in place of the nodes that stood `before`, after a node or at the beginning;
// returns their nodes.
function place(parent, before, start, items) {
  const all = items.flatMap((item) => (item?.nodeType === 11 ? [...item.childNodes] : (item ?? "")));
  const nodes = all.map((item, at) => nodeFor(item, before[at]));
  for (const node of before) if (!nodes.includes(node)) node.remove();
  let next = start ? start.nextSibling : parent.firstChild;
  for (const node of nodes) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  return nodes;
}

// Returns the node that shows an item: the one that was shown `before`, if it can.
function nodeFor(item, before) {
  if (item === before) return before;
  if (typeof item !== "object") return textFor(item, before);
  if (item.nodeType) return !item.isConnected && before?.isEqualNode(item) ? before : item;
  const { key, name, copy } = (before && drawn.get(before)) ?? {};
  if (name !== item.name || (!name && key !== item.key)) return build(item);
  if (key !== item.key) fill(copy, item.values());
  drawn.set(before, { ...item, copy });
  return before;
}

function textFor(text, before) {
  if (before?.nodeType !== Node.TEXT_NODE) return document.createTextNode(text);
  if (before.data !== `${text}`) before.data = text;
  return before;
}

function build(item) {
  const copy = item.name && copyOf(item.name);
  if (copy) fill(copy, item.values());
  const node = copy ? copy.node.firstElementChild : item.build();
  drawn.set(node, { ...item, copy });
  return node;
}

/** Set attributes of an element, except those that are null or false; return it. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}
