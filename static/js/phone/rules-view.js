// The rules on the phone: those of a game on a page of their own, those of a book in a few lines.

import { preparation, readings, sizesOf } from "./rule-text.js";
import { money } from "./score.js";
import { bdi, between, joined, part, sentence, told, valueNames, valueShown } from "./words.js";

/** How to prepare the deck, and what is in the pot: until the first bid of a game. */
export function deck({ rounds, rules, names, stake }) {
  if (rounds.length) return null;
  const lines = preparation(rules, names.length).map(told);
  if (stake) lines.push(sentence("the_pot", { pot: money(stake * names.length) }));
  const shown = lines.map((line) => {
    const span = document.createElement("span");
    span.append(line);
    return span;
  });
  return between(shown, " ");
}

/** The rules of a game, from the values that score it. */
export function rulesOf({ rules, house }, table) {
  const usual = bookOf(table, rules);
  const decks = sizesOf(rules).map((n) =>
    joined(between([sentence("deck_for", { n }), ...preparation(rules, n).map(told)], " ")),
  );
  return part("rules", {
    title: bdi(rules.name),
    own: rules.name !== usual.name && sentence("own_rules", { name: bdi(rules.name) }),
    changed: changed(rules, house, usual),
    decks: decks.map(line),
    readings: readings(rules).map(told).map(line),
    values: valueNames().map((name) => valueRow(name, rules, house, usual)),
  });
}

/** What a rule book says, the values first in which it is not as usual. */
export function bookLines(table, book) {
  const usual = bookOf(table, book);
  const values = valueNames().filter(([name]) => name in book.house);
  return part("book", {
    changed: changed(book, book.house, usual),
    "has-values": values.length > 0,
    values: values.map((name) => valueRow(name, book, book.house, usual)),
    readings: readings(book).map(told).map(line),
  });
}

// The book as it is without house rules; an old snapshot may lack it.
const bookOf = (table, rules) =>
  table?.books.find(({ key, house, named }) => {
    const isUsual = !named && !Object.keys(house).length;
    return key === rules.key && isUsual;
  }) ?? rules;

function changed(rules, house, usual) {
  const n = Object.keys(house).length;
  const isAsUsual = !n && rules.name === usual.name;
  return !isAsUsual && sentence("house_rules_marked", { book: usual.name, n });
}

const line = (said) => part("line-of-rules", { line: said });

function valueRow([name, called], rules, house, usual) {
  return part("value", {
    name: called,
    here: valueShown(rules[name]),
    usual: name in house && sentence("house_rule", { usual: valueShown(usual[name]) }),
  });
}
