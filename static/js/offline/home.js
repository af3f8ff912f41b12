// The games of this phone, and a new one with players it knows.

import { boardOf, howMany } from "./facts.js";
import { bookLines } from "./rules-page.js";
import { amount, namesOf, wins } from "./scoreboard.js";
import { dayOf, joined, mark, minus, part, sentence, shape, text } from "./phrases.js";

const SEATS = 5;

export const pathOf = (kept) => (kept.begin ? `/phone#${kept.id}` : `/games/${kept.id}`);

/** The list of games, the one to play on with on top. */
export function list(games, canBegin, line, error) {
  const on = games.find((kept) => !kept.gone && boardOf(kept).phase !== "over");
  const which = on && sentence("rules_and_round", { rules: on.rules.name, n: boardOf(on).number });
  const piece = part("list", {
    line,
    error,
    last: on && part("last", { which }),
    "can-begin": canBegin,
    empty: !games.length,
    "has-games": games.length > 0,
    games: games.length > 0 && games.map(row),
  });
  const last = piece.querySelector(".button[data-act=open]");
  if (last) mark(last, { href: pathOf(on), "data-id": on.id });
  return piece;
}

function row(kept) {
  const board = boardOf(kept);
  const waits = howMany(kept);
  const state =
    board.phase === "over" ? wins(kept, board) : sentence("in_round", { n: board.number });
  const piece = part("kept", {
    when: `${dayOf(kept.day)} · ${kept.rules.name}`,
    who: board.sides.map((seats, side) =>
      part("total", {
        shape: shape(seats[0]),
        names: namesOf(kept, seats),
        total: minus(board.standing.totals[side]),
      }),
    ),
    state: waits ? joined([state, " · ", sentence("waiting", { n: waits })]) : state,
  });
  mark(piece.querySelector("a"), { href: pathOf(kept), "data-id": kept.id });
  return piece;
}

/** The form of a new game; `typed` is what stood in it. */
export function newGame(table, typed, error) {
  const seats = Array.from({ length: SEATS }, (_, seat) => seatField(table, typed, seat));
  const books = booksOf(table, typed);
  const dealers = seats.map((_, seat) => {
    const name = typed?.get(`player-${seat + 1}`) ?? "";
    const shown = text("seat", { n: seat + 1 });
    const isChosen = typed?.get("first_dealer") === `${seat + 1}`;
    return new Option(name ? `${shown} · ${name}` : shown, seat + 1, false, isChosen);
  });
  const draws = typed?.get("first_dealer") === "draw";
  const draw = part("draw");
  if (draws) draw.querySelector("option").defaultSelected = true;
  const piece = part("new", {
    error,
    "book-text": true,
    books,
    seats,
    known: table.names.map((name) => new Option("", name)),
    dealers: [part("by-book"), draw, ...dealers],
  });
  const stake = typed ? typed.get("stake") : table.stake && amount(table.stake);
  mark(piece.querySelector("#stake"), { value: stake || null });
  tellBook(table, piece.querySelector("#rules"), piece.querySelector("#book-text"));
  return piece;
}

// The rule books, those for the same numbers of players together.
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

// What the chosen rules say, changing with the choice.
function tellBook(table, select, place) {
  const tell = () => place.replaceChildren(bookLines(table, table.books[Number(select.value)]));
  select.addEventListener("change", tell);
  tell();
}

function seatField(table, typed, seat) {
  const name = `player-${seat + 1}`;
  const shown = text("seat", { n: seat + 1 });
  const piece = part("new-seat", { shape: shape(seat), label: shown });
  const value = typed ? typed.get(name) : (table.last?.[seat] ?? "");
  mark(piece.querySelector("label"), { for: name });
  mark(piece.querySelector("input"), { id: name, name, value, placeholder: shown });
  return piece;
}
