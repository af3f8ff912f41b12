// Words and pieces of pages. Both stand in the shell, which the server wrote in this phone's language:
// sentences with {gaps} as data, markup in templates with places named by `data-to`.

import * as rules from "../rules/engine.js";
import { inOrder, say } from "../rules/engine.js";

let shell = document;
let words = {};

/** Take words and templates from the shell, which is this page or one that was fetched. */
export function learn(page) {
  shell = page;
  words = JSON.parse(page.getElementById("phone-words").textContent);
}

/** A sentence of the rules, a refusal or a notice. */
export const told = (one) => say(words.phrases, one, words.lang);

/** A sentence as plain text. */
export const text = (code, values = {}) => say(words.words, { code, values }, words.lang);

/** A sentence whose gaps are filled with texts or nodes. */
export function sentence(code, values = {}) {
  const marked = Object.keys(values).map((name) => [name, `\u0000${name}\u0000`]);
  const gaps = { ...Object.fromEntries(marked), n: values.n };
  const whole = say(words.words, { code, values: gaps }, words.lang);
  const pieces = whole.split("\u0000").map((piece, at) => (at % 2 ? (values[piece] ?? "") : piece));
  return joined(pieces);
}

/** A name that keeps its own direction of writing to itself. */
export function bdi(name) {
  const element = document.createElement("bdi");
  element.textContent = name;
  return element;
}

/** Names as people say them: one, two and three. */
export function listed(names) {
  const shown = names.map(bdi);
  const last = shown.pop();
  if (!shown.length) return last;
  return sentence("some_and_last", { some: series(shown), last });
}

/** Parts of a sentence one after the other, as the language divides them. */
export const series = (nodes) => joined(between(nodes, text("series")));

/** Points as they are printed in this language. */
export const minus = (points) => inOrder(rules.minus(points), words.lang);
export const signed = (points) => inOrder(rules.signed(points), words.lang);

/** What a rule value is called, and the value as a person reads it. */
export const valueNames = () => words.value_names;
export function valueShown(value) {
  if (typeof value === "number") return minus(value);
  const name = { null: "off", true: "yes", false: "no" }[value] ?? value;
  return words.value_words[name] ?? name;
}

/** A number as it is written in this language. */
export function decimal(number) {
  const [whole, fraction] = number.split(".");
  return fraction ? text("decimal", { whole, fraction }) : number;
}

/** A day, given as 2026-01-31, as it is written in this language. */
export function dayOf(iso) {
  const [year, month, day] = iso.split("-").map(Number);
  return text(`day_${month}`, { day, year });
}

export const between = (nodes, text) => nodes.flatMap((node, at) => (at ? [text, node] : [node]));

export function joined(pieces) {
  const all = document.createDocumentFragment();
  all.append(...pieces);
  return all;
}

export function bidWord(bid) {
  if (bid === null) return "";
  return typeof bid === "string" ? text(bid) : `${bid}`;
}

/** The sign of a seat. */
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
 * A piece of a page, its places filled: with texts, nodes or lists of them; `true` leaves what
 * stands there, nothing takes the place away. What is named by `data-instead` gives its place up.
 */
export function part(name, places = {}) {
  const piece = document.importNode(shell.getElementById(`part-${name}`).content, true);
  for (const place of piece.querySelectorAll("[data-to]")) {
    const value = places[place.dataset.to];
    if (value === undefined || value === null || value === false || value === "") place.remove();
    else if (value !== true) place.replaceChildren(...[value].flat());
    place.removeAttribute("data-to");
  }
  for (const place of piece.querySelectorAll("[data-instead]")) {
    place.replaceWith(...[places[place.dataset.instead]].flat());
  }
  return piece;
}

/** Set attributes of an element; those that are null or false stay away. */
export function mark(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}
