// Rules in the offline app: the rules page of a game, and the summary of a rule book. Their text is
// written by the server, in sentences and examples.

import {
  bdi, element, intersperse, minus, phraseData, render, sentence,
} from "../offline/phrases.js";

/** Return the rules page of a game, with the values that score it. */
export function rulesPage({ rules, house }, table) {
  const base = baseRules(table, rules);
  return render("rules", {
    title: bdi(rules.name),
    own: rules.name !== base.name && sentence("own_rules", { name: bdi(rules.name) }),
    changed: changesText(rules, house, base),
    ...textOf(rules, house, table),
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
    ...textOf(book, book.house, table),
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

// The text of a rule book comes with the phrases, that of house rules with the table. It is missing for
// those that only this phone has yet, as where minutes were set offline.
function textOf({ key }, house, table) {
  const isSame = (one) => one.key === key && asKey(one.house) === asKey(house);
  const isBook = !Object.keys(house).length;
  const found = isBook ? phraseData.rule_texts?.[key] : table?.texts?.find(isSame)?.text;
  if (!found) return { later: true };
  const { decks, sentences, examples } = found;
  return {
    decks: decks.map(line), sentences: sentences.map(line), examples: examples.map(renderExample),
  };
}

const asKey = (house) => JSON.stringify(Object.entries(house).sort());
const line = (content) => render("line-of-rules", { line: content });

function renderExample({ lines, ...example }) {
  const spans = lines.map((one) => element("span", one));
  return render("example", { ...example, lines: intersperse(spans, " ") });
}

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
