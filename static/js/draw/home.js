// The list of games in the offline app with their cards, the form of a new game, and the rules.

import { faceOf, pathOf, stateOf, unsentCount } from "../model/facts.js";
import {
  bdi, element, fragment, intersperse, listed, minus, phraseData, render, sentence, shown,
  text,
} from "./phrases.js";
import { winningSeats } from "../game/announcement.js";
import { svg } from "../game/chart.js";
import { bookName } from "../game/menu.js";
import { amount, namesOf, shapesOf } from "../game/scoreboard.js";
import { setUp } from "../game/setup.js";
import { lengthOf, roundRules } from "../rules/bidding.js";
import { playingSides, winnersOf } from "../rules/outcome.js";
import { asSeated } from "../rules/result.js";
import { faceAt } from "../rules/seating.js";

const SEATS = 10;
const DEFAULT_SEATS = 4;

/** Return the list of games, headed by the one that is played if any goes on since the last one ended. */
export function gameListPage(games, canBegin, line, error) {
  const isOver = (game) => stateOf(game).phase === "over";
  const last = games.findIndex((game) => game.gone || isOver(game));
  const goingOn = last < 0 ? games : games.slice(0, last);
  const current = goingOn.find((game) => stateOf(game).rounds.length) ?? goingOn[0];
  const others = games.filter((game) => game !== current);
  return render("list", {
    line,
    error,
    current: current && standingsCard(current),
    last_id: canBegin ? others.find((game) => isOver(game) && !game.match)?.id : "",
    can_begin: canBegin,
    empty: !games.length,
    in_progress: others.filter((game) => !isOver(game)).map(resultCard),
    results: others.filter(isOver).map(resultCard),
  });
}

/** Return the form of a new game; `typed` are the values to fill in again. */
export function newGamePage(table, typed, error) {
  const seats = Array.from({ length: SEATS }, (_, seat) => seat + 1);
  const count = typed ? Number(typed.get("seats")) : table.last?.length || DEFAULT_SEATS;
  const names = seats.map((n) => (typed ? typed.get(`player-${n}`) : table.last?.[n - 1]) ?? "");
  const chosen = typed?.get("first_dealer") ?? "";
  const groups = booksOf(table, typed);
  const paper = seats.flatMap((n) => ["start", "bags"].map((name) => [`${name}_${n}`, typed?.get(`${name}-${n}`)]));
  const piece = render("new", {
    error,
    filters: groups.map((group) => render("book-filter", group)),
    groups: groups.map(({ n, cards }) => render("book-group", { n, books: cards })),
    places: seats.map((n) => render("place", { n, value: names[n - 1], focused: n === 1 && !names[0] })),
    known: table.names.map((name) => new Option("", name)),
    chips: table.names.map((name, at) => render("chip", { name, ...faceAt([table.faces?.[at]], 0) })),
    dealers: seats.map((n) => render("first-dealer", { n, name: names[n - 1] })),
    minutes: typed?.get("minutes"),
    ...Object.fromEntries(paper),
    has_paper: paper.some(([, value]) => value),
    stake: typed ? typed.get("stake") : table.stake && amount(table.stake),
  });
  const form = piece.querySelector("form");
  // Attributes would not do, as all choices of a template have them at first.
  for (const [name, value] of [["seats", count], ["first_dealer", chosen]])
    form.querySelector(`[name=${name}][value="${value}"]`).checked = true;
  showBookText(table, form);
  setUp(form);
  return piece;
}

// The cards of the rule books in groups. As the server's text/rule_books.py, the chosen rules come first.
function booksOf(table, typed) {
  const groups = new Map();
  table.books.forEach((book, at) => {
    const checked = typed ? typed.get("rules") === `${at}` : book.last;
    const group = groups.get(book.group) ?? { n: groups.size + 1, title: book.group, cards: [] };
    const card = render("book-card", { ...bookCard(book), value: at, checked });
    group.cards.splice(checked ? 0 : group.cards.length, 0, card);
    group.is_chosen ||= checked;
    groups.set(book.group, group);
  });
  return [...groups.values()];
}

function bookCard(book) {
  const isChanged = Object.keys(book.house).length > 0 && !book.named;
  return {
    name: isChanged ? text("with_house_rules", { rules: bookName(book) }) : bookName(book),
    line: bookLine(book),
    sizes: book.sizes.join(" "),
    pairs: book.partnerships && book.players[0],
    dealer: book.first_dealer,
    stake_by: book.stake_by ?? "winner",
  };
}

const PAIRS = { 4: "two_pairs", 6: "three_pairs" };

/** Return what tells a rule book from the others in one line. */
export function bookLine({ partnerships, tricks, target, rounds: most, ...book }) {
  const { blind_nil_points: blind, bag_limit: limit, bag_penalty: points } = book;
  const kind = partnerships
    ? [text(PAIRS[book.players] ?? "pairs"), blind !== null && text("blind nil"), limit !== null && bagsText(limit, points)]
    : [text("everyone_alone"), text(book.cards ? "up_to_cards" : "cards_each", { n: tricks })];
  const ends = [
    target !== null && text("to_target", { target }),
    most && text("rounds", { n: most }),
  ];
  return [...kind, ...ends].filter(Boolean).join(" · ");
}

const bagsText = (n, points) => text("bags_cost_points", { n, points });

// Shows the summary of the chosen rule book.
function showBookText(table, form) {
  const show = () => {
    const at = Number(form.querySelector("[name=rules]:checked").value);
    const players = form.querySelector("[name=seats]:checked").value;
    form.querySelector("#book-text").replaceChildren(bookSummary(table, table.books[at], players));
  };
  form.addEventListener("change", ({ target }) => ["rules", "seats"].includes(target.name) && show());
  show();
}

const [SPARK_WIDTH, SPARK_HEIGHT] = [60, 44]; // units of a chart
const [SPARK_MARGIN, SPARK_MARK] = [6, 11]; // around its lines, and of the shape at the end of one
const SPARK_POINTS = 30; // of a line

/** Return the card of a game that goes on. */
export function standingsCard(game) {
  const state = stateOf(game);
  const { target } = game.rules;
  return render("standings", {
    game_id: game.id,
    path: pathOf(game),
    book: bookName(game.rules),
    length: game.rules.cards ? roundLine(game, state) : target === null
      ? sentence("rounds_of", { played: state.rounds.length, n: lengthOf(game.rules, state.players) })
      : sentence("rounds_to", { n: state.rounds.length, target }),
    sides: sideTotals(game, state).map((side) => render("standing", side)),
    sentence: leaderLine(game, state),
    number: state.number,
  });
}

// The round that is played, of how many, and its cards where they are not always equal.
function roundLine({ rules }, state) {
  const [n, rounds] = [state.number, lengthOf(rules, state.players)];
  const shown = n <= rounds ? sentence("round_of", { n, rounds }) : sentence("round", { n });
  const cards = () => sentence("cards_each", { n: roundRules(state).tricks });
  return rules.cards ? fragment([shown, " · ", cards()]) : shown;
}

/** Return the card of a game in a list: the winner first, or the round that is played. */
export function resultCard(game) {
  const state = stateOf(game);
  const { places } = state;
  const order = [...places.keys()].sort((one, other) => places[one] - places[other]);
  const seats = winningSeats(state);
  const others = order.filter((side) => !winnersOf(state.outcome).includes(side));
  const sides = sideTotals(game, state);
  return render("result", {
    game_id: game.id,
    path: pathOf(game),
    winner_faces: shapesOf(game, seats),
    color: seats.length ? faceOf(game, seats[0]).color : 0,
    goes_on: !seats.length,
    title: seats.length ? wonLine(game, state) : sentence("goes_on", { round: roundLine(game, state) }),
    others: others.map((side) => render("other-side", sides[side])),
    about: about(game, state),
    chart: state.rounds.length ? sparkline(game, state) : "",
  });
}

function wonLine(game, state) {
  const [seats, total] = [winningSeats(state), state.standing.totals[state.outcome.winner]];
  return sentence("won_with", { names: namesOf(game, seats), n: seats.length, total: minus(total, game.rules.shown_as) });
}

function about(game, state) {
  const parts = [formatWhen(game), sentence("rounds", { n: state.rounds.length })];
  const n = unsentCount(game);
  return fragment(intersperse(n ? [...parts, sentence("waiting", { n })] : parts, " · "));
}

/** Format when a game was begun. */
export function formatWhen({ started }) {
  const at = new Date(started);
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - at.setHours(0, 0, 0, 0)) / 864e5);
  const code = ["today", "yesterday"][daysAgo];
  if (code) return text(code, { time: timeOfDay(new Date(started)) });
  return daysAgo > 1 && daysAgo < 7 ? text(`weekday_${at.getDay() || 7}`) : formatDay(at);
}

/** Format the day of a time. */
export const formatDay = (at) =>
  text(`day_${at.getMonth() + 1}`, { day: at.getDate(), year: at.getFullYear() });

const timeOfDay = (at) => [at.getHours(), at.getMinutes()].map((n) => `${n}`.padStart(2, "0")).join(":");

function sideTotals(game, { sides, standing, rounds }) {
  const { totals } = standing;
  const best = Math.max(...playingSides(standing).map((side) => totals[side]));
  const full = game.rules.target ?? Math.max(1, best);
  return sides.map((seats, side) => ({
    faces: shapesOf(game, seats),
    color: faceOf(game, seats[0]).color,
    names: namesOf(game, seats),
    total: minus(totals[side], game.rules.shown_as),
    share: Math.max(0, Math.min(100, Math.floor((100 * totals[side]) / full))),
    leads: rounds.length > 0 && totals[side] === best,
  }));
}

function leaderLine(game, { sides, rounds, standing }) {
  const { target } = game.rules;
  if (!rounds.length) {
    const most = lengthOf(game.rules, game.names.length);
    return target === null ? sentence("most_after", { rounds: most }) : sentence("first_to", { target });
  }
  const playing = playingSides(standing);
  const totals = playing.map((side) => standing.totals[side]);
  const best = Math.max(...totals);
  const seats = playing.flatMap((side, at) => (totals[at] === best ? sides[side] : []));
  const about = { names: listed(seats.map((seat) => game.names[seat])), n: seats.length };
  const others = totals.filter((total) => total !== best);
  if (others.length < totals.length - 1) return sentence("tied_at", { ...about, total: minus(best, game.rules.shown_as) });
  const gap = best - Math.max(...others);
  const isNear = target !== null && best < target && !standing.seat_totals.length;
  if (!isNear) return sentence("leads_by", { ...about, gap: shown(gap, game.rules) });
  return sentence("leads", {
    ...about, gap: shown(gap, game.rules), missing: shown(target - best, game.rules), target: shown(target, game.rules),
  });
}

function sparkline(game, state) {
  const { sides, rounds } = asSeated(state);
  const rows = [sides.map(() => 0), ...rounds.map(({ after }) => after.totals)];
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const last = rows.length - 1;
  const best = rows[last].indexOf(Math.max(...rows[last]));
  const step = Math.ceil(last / SPARK_POINTS);
  const shown = [...rows.keys()].filter((n) => n === last || n % step === 0);
  const [across, down] = [SPARK_WIDTH, SPARK_HEIGHT].map((size) => size - 2 * SPARK_MARGIN);
  const x = (n) => SPARK_MARGIN + (across * n) / last;
  const y = (total) => SPARK_MARGIN + (down * (high - total)) / Math.max(1, high - low);
  const points = (side) =>
    shown.map((n) => `${x(n).toFixed(1)},${y(rows[n][side]).toFixed(1)}`).join(" ");
  const others = [...sides.keys()].filter((side) => side !== best);
  const { shape, color } = faceOf(game, sides[best][0]);
  const [left, top] = [x(last), y(rows[last][best])].map((at) => (at - SPARK_MARK / 2).toFixed(1));
  const place = { x: left, y: top, width: SPARK_MARK, height: SPARK_MARK };
  const viewBox = `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`;
  const drawn = svg("svg", { class: "spark", viewBox, "aria-hidden": true });
  drawn.append(
    ...others.map((side) => svg("polyline", { points: points(side) })),
    svg("polyline", { class: `tint-${color}`, points: points(best) }),
    svg("use", { href: `#seat-${shape}`, class: `seat-${color}`, ...place }),
  );
  return drawn;
}

/** Return the rules page of a game, with the values that score it. */
export function rulesPage({ rules, house, names }, table) {
  const base = baseRules(table, rules);
  const chosen = asChosen(house, base, names.length);
  return render("rules", {
    title: bdi(bookName(rules)),
    own: rules.name !== base.name && sentence("own_rules", { name: bdi(rules.name) }),
    changed: changesText(rules, chosen, base),
    ...textOf(rules, chosen, table, names.length),
    values: phraseData.value_names.map((name) => valueRow(name, rules, chosen, base)),
  });
}

// House rules without the cards of so many players where they are as many as the deck has for each: no house rule.
function asChosen({ tricks, ...others }, { tricks: usual, pack }, players) {
  const most = Math.floor((pack ?? 52) / players);
  return tricks === undefined || (Number(tricks) === most && most < usual) ? others : { tricks, ...others };
}

/** Return the summary of a rule book, its changed values first. */
function bookSummary(table, book, players) {
  const base = baseRules(table, book);
  const values = phraseData.value_names.filter(([name]) => name in book.house);
  return render("book", {
    changed: changesText(book, book.house, base),
    values: values.map((name) => valueRow(name, book, book.house, base)),
    ...textOf(book, book.house, table, players),
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
  return !isAsUsual && sentence("house_rules_marked", { book: bookName(base), n });
}

// The text of a rule book comes with the phrases, that of house rules with the table. It is missing for
// those that only this phone has yet, as where minutes were set offline.
function textOf({ key }, house, table, players) {
  const isSame = (one) => one.key === key && asKey(one.house) === asKey(house);
  const isBook = !Object.keys(house).length;
  const found = isBook ? phraseData.rule_texts?.[key] : table?.texts?.find(isSame)?.text;
  if (!found?.sizes) return { later: true }; // a version before told them for no number of players
  const { deck, sentences, examples } = found.sizes[players] ?? { deck: "", sentences: {}, examples: [] };
  const topics = found.topics.map((topic) => ({ ...topic, sentences: sentences[topic.key] ?? topic.sentences }));
  return {
    topics: topics.map((topic, at) => renderTopic(topic, at + 1, deck)),
    examples: (examples.length ? examples : found.examples).map(renderExample),
  };
}

const asKey = (house) => JSON.stringify(Object.entries(house).sort());

function renderTopic({ key, title, rows, sentences }, n, deck) {
  return render("topic", {
    n, title,
    rows: rows.length > 0 && rows.map((row) => render("score-row", row)),
    decks: key === "deal" && deck ? [render("deck-of-size", { line: deck })] : [],
    lines: sentences.map((line) => render("line-of-rules", { line })),
  });
}

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
  if (Array.isArray(value)) return value.join(", ");
  const name = { null: "off", true: "yes", false: "no" }[value] ?? value;
  return phraseData.value_words[name] ?? name;
}
