// The list of games in the offline app, and the form of a new game.

import { stateOf, unsentCount, pathOf } from "./facts.js";
import { bookSummary } from "../rules/rules-page.js";
import { amount, namesOf, winsText } from "../game/scoreboard.js";
import {
  formatDay, fragment, minus, render, sentence, shape, text,
} from "./phrases.js";

const SEATS = 5;

/** Return the list of games, preceded by a link to the newest unfinished one. */
export function gameListPage(games, canBegin, line, error) {
  const on = games.find((game) => !game.gone && stateOf(game).phase !== "over");
  const which = on && sentence("rules_and_round", { rules: on.rules.name, n: stateOf(on).number });
  return render("list", {
    line,
    error,
    which,
    last_id: on?.id,
    last_path: on && pathOf(on),
    can_begin: canBegin,
    empty: !games.length,
    games: games.map(gameRow),
  });
}

function gameRow(game) {
  const state = stateOf(game);
  const waits = unsentCount(game);
  const status =
    state.phase === "over" ? winsText(game, state) : sentence("in_round", { n: state.number });
  return render("game-row", {
    id: game.id,
    path: pathOf(game),
    when: `${formatDay(game.day)} · ${game.rules.name}`,
    who: state.sides.map((seats, side) =>
      render("total", {
        shape: shape(seats[0]),
        names: namesOf(game, seats),
        total: minus(state.standing.totals[side]),
      }),
    ),
    state: waits ? fragment([status, " · ", sentence("waiting", { n: waits })]) : status,
  });
}

/** Return the form of a new game; `typed` are the values to fill in again. */
export function newGamePage(table, typed, error) {
  const seats = Array.from({ length: SEATS }, (_, seat) => seatField(table, typed, seat));
  const books = booksOf(table, typed);
  const dealers = seats.map((_, seat) => {
    const name = typed?.get(`player-${seat + 1}`) ?? "";
    const shown = text("seat", { n: seat + 1 });
    const isChosen = typed?.get("first_dealer") === `${seat + 1}`;
    return new Option(name ? `${shown} · ${name}` : shown, seat + 1, false, isChosen);
  });
  const piece = render("new", {
    error,
    books,
    seats,
    known: table.names.map((name) => new Option("", name)),
    draws: typed?.get("first_dealer") === "draw",
    dealers,
    stake: typed ? typed.get("stake") : table.stake && amount(table.stake),
  });
  showBookText(table, piece.querySelector("#rules"), piece.querySelector("#book-text"));
  return piece;
}

// Options of the rule books, grouped by the numbers of players.
function booksOf(table, typed) {
  const groups = new Map();
  table.books.forEach((book, at) => {
    const isChanged = Object.keys(book.house).length > 0 && !book.named;
    const name = isChanged ? text("with_house_rules", { rules: book.name }) : book.name;
    const isChosen = typed ? typed.get("rules") === `${at}` : book.last;
    const players = book.sizes.join(", ");
    const group = groups.get(players) ?? document.createElement("optgroup");
    group.label = text("players", { players });
    group.append(new Option(name, at, false, isChosen));
    groups.set(players, group);
  });
  return [...groups.values()];
}

// Shows the summary of the chosen rule book.
function showBookText(table, select, place) {
  const show = () => place.replaceChildren(bookSummary(table, table.books[Number(select.value)]));
  select.addEventListener("change", show);
  show();
}

function seatField(table, typed, seat) {
  const n = seat + 1;
  const value = typed ? typed.get(`player-${n}`) : table.last?.[seat];
  return render("new-seat", { n, shape: shape(seat), value });
}
