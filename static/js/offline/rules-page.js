// The rules on the phone: those of a game on a page of their own, those of a book in a few lines.

import { workedExamples } from "./rule-examples.js";
import { preparation, readings, sizesOf } from "./rule-text.js";
import { money } from "./scoreboard.js";
import { bdi, between, bidWord, joined, part, sentence, signed, text, told } from "./phrases.js";
import { valueNames, valueShown } from "./phrases.js";

/** How to prepare the deck, and what is in the pot: until the first bid of a game. */
export function deck({ rounds, rules, names, stake }) {
  if (rounds.length) return null;
  const lines = preparation(rules, names.length).map(told);
  if (stake) lines.push(sentence("the_pot", { pot: money(stake * names.length) }));
  return between(lines.map(spanOf), " ");
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
    examples: workedExamples(rules).map(example),
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

function example({ title, told: { lines, score }, hand }) {
  return part("example", {
    title: told(title),
    hand: hand?.bids.length > 1 && handShown(hand),
    lines: between(lines.map((one) => spanOf(told(one))), " "),
    together: score && sentence("together", { points: signed(score.points) }),
  });
}

function handShown({ bids, tricks, bags }) {
  const seats = bids.map((bid, at) => {
    const n = tricks[at];
    return bid === null ? text("took", { n }) : text("bid_took", { bid: bidWord(bid), n });
  });
  if (bags) seats.push(text("bags_before", { n: bags }));
  return seats.join(" · ");
}

function spanOf(said) {
  const span = document.createElement("span");
  span.append(said);
  return span;
}

const line = (said) => part("line-of-rules", { line: said });

function valueRow([name, called], rules, house, usual) {
  return part("value", {
    name: called,
    here: valueShown(rules[name]),
    usual: name in house && sentence("house_rule", { usual: valueShown(usual[name]) }),
  });
}
