// The list of games in the offline app, and the form of a new game.

import { resultCard, standingsCard } from "./cards.js";
import { stateOf } from "./facts.js";
import { render, text } from "./phrases.js";
import { amount } from "../game/scoreboard.js";
import { setUp } from "../game/setup.js";
import { bookSummary } from "../rules/rules-page.js";

const SEATS = 5;
const DEFAULT_SEATS = 4;

/** Return the list of games, headed by the newest one if that goes on. */
export function gameListPage(games, canBegin, line, error) {
  const isOver = (game) => stateOf(game).phase === "over";
  const [newest] = games;
  const current = newest && !newest.gone && !isOver(newest) ? newest : null;
  const others = current ? games.slice(1) : games;
  return render("list", {
    line,
    error,
    current: current && standingsCard(current),
    last_id: canBegin ? others.find(isOver)?.id : "",
    can_begin: canBegin,
    empty: !games.length,
    results: others.map(resultCard),
  });
}

/** Return the form of a new game; `typed` are the values to fill in again. */
export function newGamePage(table, typed, error) {
  const seats = Array.from({ length: SEATS }, (_, seat) => seat + 1);
  const count = typed ? Number(typed.get("seats")) : table.last?.length || DEFAULT_SEATS;
  const names = seats.map((n) => (typed ? typed.get(`player-${n}`) : table.last?.[n - 1]) ?? "");
  const chosen = typed?.get("first_dealer") ?? "";
  const groups = booksOf(table, typed);
  const [first, ...further] = groups;
  const piece = render("new", {
    error,
    books: first?.cards,
    groups: further.map(({ title, cards, open }) => render("book-group", { title, books: cards, open })),
    places: seats.map((n) => render("place", { n, value: names[n - 1], focused: n === 1 && !names[0] })),
    known: table.names.map((name) => new Option("", name)),
    chips: table.names.map((name) => render("chip", { name })),
    dealers: seats.map((n) => render("first-dealer", { n, name: names[n - 1] })),
    minutes: typed?.get("minutes"),
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

// The cards of the rule books in groups with titles; the first group has none. As the server's
// text/rule_books.py, the chosen rules come first.
function booksOf(table, typed) {
  const groups = new Map();
  table.books.forEach((book, at) => {
    const checked = typed ? typed.get("rules") === `${at}` : book.last;
    const title = book.group ?? "";
    const group = groups.get(title) ?? { title, cards: [], open: false };
    const card = render("book-card", { ...bookCard(book), value: at, checked });
    group.cards.splice(checked ? 0 : group.cards.length, 0, card);
    group.open ||= checked;
    groups.set(title, group);
  });
  return [...groups.values()].sort((one, other) => Boolean(one.title) - Boolean(other.title));
}

function bookCard(book) {
  const isChanged = Object.keys(book.house).length > 0 && !book.named;
  return {
    name: isChanged ? text("with_house_rules", { rules: book.name }) : book.name,
    line: bookLine(book),
    sizes: book.sizes.join(" "),
    pairs: book.partnerships,
    dealer: book.first_dealer,
  };
}

/** Return what tells a rule book from the others in one line. */
export function bookLine({ partnerships, tricks, target, rounds: most, ...book }) {
  const { blind_nil_points: blind, bag_limit: limit, bag_penalty: points } = book;
  const kind = partnerships
    ? [text("two_pairs"), blind !== null && text("blind nil"), limit !== null && bagsText(limit, points)]
    : [text("everyone_alone"), text("cards", { n: tricks })];
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
    form.querySelector("#book-text").replaceChildren(bookSummary(table, table.books[at]));
  };
  form.addEventListener("change", ({ target }) => target.name === "rules" && show());
  show();
}
