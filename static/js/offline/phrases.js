// Translated texts and HTML templates. Both come with the app shell, which the server renders in this
// phone's language: phrases with {placeholders} as JSON, templates with slots named by `data-slot`.

import * as rules from "../rules/engine.js";
import { isolateSign, translate } from "../rules/engine.js";

let shell = document;
let phraseData = {};

/** Load phrases and templates from the app shell: this document or one that was fetched. */
export function loadPhrases(page) {
  shell = page;
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
export const minus = (points) => isolateSign(rules.minus(points), phraseData.lang);
export const signed = (points) => isolateSign(rules.signed(points), phraseData.lang);

/** Return the names of the rule values. */
export const valueNames = () => phraseData.value_names;

/** Format a rule value. */
export function formatValue(value) {
  if (typeof value === "number") return minus(value);
  const name = { null: "off", true: "yes", false: "no" }[value] ?? value;
  return phraseData.value_words[name] ?? name;
}

/** Format a decimal number. */
export function formatDecimal(number) {
  const [whole, fraction] = number.split(".");
  return fraction ? text("decimal", { whole, fraction }) : number;
}

/** Format a day given as 2026-01-31. */
export function formatDay(iso) {
  const [year, month, day] = iso.split("-").map(Number);
  return text(`day_${month}`, { day, year });
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
  return typeof bid === "string" ? text(bid) : `${bid}`;
}

/** Return the symbol of a seat. */
export function shape(seat) {
  const space = "http://www.w3.org/2000/svg";
  const [svg, use] = ["svg", "use"].map((name) => document.createElementNS(space, name));
  svg.setAttribute("class", `shape seat-${seat + 1}`);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#seat-${seat + 1}`);
  svg.append(use);
  return svg;
}

/**
 * Return a copy of the template `part-<name>` with its slots filled by texts, nodes or lists of them.
 * `true` leaves the content of a `data-slot` element as it is, an empty value removes the element; a
 * `data-replace` element is replaced by the value.
 */
export function render(name, values = {}) {
  const piece = document.importNode(shell.getElementById(`part-${name}`).content, true);
  for (const slot of piece.querySelectorAll("[data-slot]")) {
    const value = values[slot.dataset.slot];
    if (value === undefined || value === null || value === false || value === "") slot.remove();
    else if (value !== true) slot.replaceChildren(...[value].flat());
    slot.removeAttribute("data-slot");
  }
  for (const slot of piece.querySelectorAll("[data-replace]")) {
    slot.replaceWith(...[values[slot.dataset.replace]].flat());
  }
  return piece;
}

/** Set attributes of an element, except those that are null or false; return it. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}
