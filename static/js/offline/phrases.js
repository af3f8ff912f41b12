// Translated texts and HTML templates. The server renders both in this phone's language: phrases with
// {placeholders} as JSON, and templates as described in web/http/blank.py.

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
export const bdi = (name) => element("bdi", name);

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

/** Return the symbol of a seat. */
export const shape = (seat) => render("symbol", { n: seat + 1 });

const isEmpty = (value) => !value || value.length === 0;
const valueAt = (name, { [name]: value }) => (typeof value === "boolean" ? "" : (value ?? ""));
const gaps = new WeakMap(); // of the templates that were rendered

/**
 * Return a copy of the template `part-<name>` filled with values: texts, numbers, nodes or lists of them.
 * Elements with `data-if` and attributes that consist of one value are left out if that is empty.
 */
export function render(name, values = {}) {
  const { content } = templates.getElementById(`part-${name}`);
  if (!gaps.has(content)) gaps.set(content, gapsIn(content));
  // Filled before it belongs to this document, which would complain about unfilled SVG attributes.
  const piece = content.cloneNode(true);
  fill(piece, gaps.get(content), values);
  return piece;
}

// Returns what is filled in a node of a template, its child `at`.
function gapsIn(node, at) {
  if (node.nodeType === Node.TEXT_NODE) return { at, pieces: node.data.split(GAP) };
  const { slot, if: condition } = node.dataset ?? {};
  if (condition) node.removeAttribute("data-if");
  const found = [...(node.attributes ?? [])].map(({ name, value }) => [name, value.split(GAP)]);
  const attributes = found.filter(([, pieces]) => pieces.length > 1);
  const children = [...node.childNodes].map(gapsIn).filter(isFilled);
  return { at, slot, condition, attributes, children };
}

const isFilled = ({ pieces = [], slot, condition, attributes, children }) =>
  pieces.length > 1 || slot || condition || attributes?.length || children?.length;

function fill(node, { pieces, slot, condition, attributes, children }, values) {
  if (pieces) return node.replaceWith(...fillPieces(pieces, values));
  if (condition && isEmpty(values[condition])) return node.remove();
  if (slot) return node.replaceWith(...[valueAt(slot, values)].flat());
  for (const [name, pieces] of attributes) {
    const isWhole = pieces.length === 4 && !pieces[0] && !pieces[3];
    if (isWhole && isEmpty(values[pieces[1]]) && values[pieces[1]] !== 0) node.removeAttribute(name);
    else node.setAttribute(name, fillPieces(pieces, values).join(""));
  }
  const nodes = children.map(({ at }) => node.childNodes[at]);
  return children.forEach((child, nth) => fill(nodes[nth], child, values));
}

// Of every three pieces the first is a text, the others are of a gap.
const fillPieces = (pieces, values) =>
  pieces.flatMap((piece, at) => {
    if (at % 3 !== 1) return at % 3 ? [] : piece;
    if (pieces[at + 1] === undefined) return valueAt(piece, values);
    return isEmpty(values[piece]) ? "" : pieces[at + 1];
  });

/** Set attributes of an element, except those that are null or false; return it. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}
