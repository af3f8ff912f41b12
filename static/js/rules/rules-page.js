// Rules in the offline app: the rules page of a game, and the summary of a rule book.

import { workedExamples } from "./rule-examples.js";
import { preparation, sizesOf } from "./deck.js";
import { ruleSentences } from "./rule-text.js";
import {
  bdi, bidWord, element, fragment, intersperse, minus, phrase, phraseData, render, sentence, signed,
  text,
} from "../offline/phrases.js";

/** Return the rules page of a game, from the values that score it. */
export function rulesPage({ rules, house }, table) {
  const base = baseRules(table, rules);
  const decks = sizesOf(rules).map((n) =>
    fragment(intersperse([sentence("deck_for", { n }), ...preparation(rules, n).map(phrase)], " ")),
  );
  return render("rules", {
    title: bdi(rules.name),
    own: rules.name !== base.name && sentence("own_rules", { name: bdi(rules.name) }),
    changed: changesText(rules, house, base),
    decks: decks.map(line),
    sentences: ruleSentences(rules).map(phrase).map(line),
    examples: workedExamples(rules).map((one) => renderExample(one, rules.shown_as)),
    values: phraseData.value_names.map((name) => valueRow(name, rules, house, base)),
  });
}

/** Return the summary of a rule book, its changed values first. */
export function bookSummary(table, book) {
  const base = baseRules(table, book);
  const values = phraseData.value_names.filter(([name]) => name in book.house);
  return render("book", {
    changed: changesText(book, book.house, base),
    values: values.map((name) => valueRow(name, book, book.house, base)),
    sentences: ruleSentences(book).map(phrase).map(line),
  });
}

// The rule book without house rules; a snapshot that is old, or not fetched yet, may lack it.
const baseRules = (table, rules) =>
  table?.books?.find(({ key, house, named }) => {
    const isUsual = !named && !Object.keys(house).length;
    return key === rules.key && isUsual;
  }) ?? rules;

function changesText(rules, house, base) {
  const n = Object.keys(house).length;
  const isAsUsual = !n && rules.name === base.name;
  return !isAsUsual && sentence("house_rules_marked", { book: base.name, n });
}

function renderExample({ title, explanation: { lines, score }, hand }, shownAs) {
  return render("example", {
    title: phrase(title),
    hand: hand?.bids.length > 1 && handText(hand),
    lines: intersperse(lines.map((one) => span(phrase(one))), " "),
    together: score && sentence("together", { points: signed(score.points, shownAs) }),
  });
}

function handText({ bids, tricks, bags }) {
  const seats = bids.map((bid, at) => {
    const n = tricks[at];
    return bid === null ? text("took", { n }) : text("bid_took", { bid: bidWord(bid), n });
  });
  if (bags) seats.push(text("bags_before", { n: bags }));
  return seats.join(" · ");
}

const span = (content) => element("span", content);
const line = (content) => render("line-of-rules", { line: content });

function valueRow([name, called], rules, house, base) {
  return render("value", {
    name: called,
    here: formatValue(rules[name]),
    usual: name in house && sentence("house_rule", { usual: formatValue(base[name]) }),
  });
}

function formatValue(value) {
  if (typeof value === "number") return minus(value);
  const name = { null: "off", true: "yes", false: "no" }[value] ?? value;
  return phraseData.value_words[name] ?? name;
}
