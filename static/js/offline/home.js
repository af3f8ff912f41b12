// The list of games in the offline app, and the form of a new game.

import { stateOf } from "./facts.js";
import { resultCard, standingsCard } from "./cards.js";
import { bookSummary } from "../rules/rules-page.js";
import { amount } from "../game/scoreboard.js";
import { render, shape, text } from "./phrases.js";

const SEATS = 5;

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
