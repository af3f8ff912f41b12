// Past rounds in the offline app: the table of rounds, and the page that explains and corrects one.

import { possibleBids, sideOf } from "../rules/engine.js";
import { race as drawRace } from "./chart.js";
import { namesOf, pastPath, reasonLines } from "./scoreboard.js";
import {
  bdi, bidWord, element, fragment, intersperse, minus, render, sentence, setAttributes, shape,
  signed, text,
} from "./phrases.js";

/** Return the table of all rounds, newest first. */
export function roundsTable(game, state) {
  const head = (name, seat) => render("head", { shape: shape(seat), name: bdi(name) });
  const rows = state.rounds.map((round) => roundRow(game, state, round)).reverse();
  const race = state.phase !== "over" && drawRace(game, state);
  return render("rounds", { heads: [render("corner"), ...game.names.map(head)], race, rows });
}

function roundRow(game, state, round) {
  const piece = render("row", { n: `${round.number}` });
  setAttributes(piece.querySelector("a"), {
    href: pastPath(game, round.number),
    "data-round": round.number,
    "aria-label": text("correct_round", { n: round.number }),
  });
  game.names.forEach((_, seat) => {
    const side = sideOf(state.sides, seat);
    const isFirst = state.sides[side][0] === seat;
    const cell = render("cell", {
      bid: bidWord(round.bids[seat]) || "·",
      took: `${round.tricks[seat]}`,
      total: isFirst && minus(round.after.totals[side]),
    });
    piece.querySelector("tr").append(cell);
  });
  return piece;
}

/** Return the page of a round: how it was scored, and the form to correct it. */
export function roundPage(game, state, n, typed, error) {
  const round = state.rounds[n - 1];
  const explained = state.sides.map((seats, side) =>
    render("explained", {
      names: namesOf(game, seats),
      points: signed(round.scores[side].points),
      lines: [...reasonLines(state, round, side), totalText(round, side)],
    }),
  );
  const rows = game.names.map((_name, seat) => correctRow(game, state, round, seat, typed));
  const piece = render("past", { title: sentence("round", { n }), error, explained, rows });
  setAttributes(piece.querySelector("form"), { "data-round": n });
  return piece;
}

const totalText = (round, side) => sentence("total", { total: minus(round.after.totals[side]) });

function correctRow(game, state, round, seat, typed) {
  const name = game.names[seat];
  const bids = possibleBids(state.rules).map((bid) => [`${bid}`, bidWord(bid)]);
  const counts = Array.from({ length: state.rules.tricks + 1 }, (_, n) => [`${n}`, `${n}`]);
  const field = (what, choices, now) => {
    const key = `${what}-${seat + 1}`;
    const label = text(what === "bid" ? "bid_of" : "tricks_of", { name });
    return select(key, label, choices, typed?.get(key) ?? `${now}`);
  };
  return render("correct-row", {
    shape: shape(seat),
    name: bdi(name),
    bid: round.bids[seat] === null ? "–" : field("bid", bids, round.bids[seat]),
    tricks: field("tricks", counts, round.tricks[seat]),
  });
}

function select(name, label, choices, chosen) {
  const field = setAttributes(element("select"), { name, "aria-label": label });
  for (const [value, shown] of choices) field.add(new Option(shown, value, false, value === chosen));
  return field;
}

/** Return a note of this phone's overruled entries, or null. */
export function overruledNote(game) {
  if (!game.had?.length) return null;
  return render("overruled", { rounds: game.had.map(({ n, round }) => entriesLine(game, n, round)) });
}

/** Return the entries of a round as a paragraph. */
export function entriesLine(game, n, round) {
  const seats = game.names.map((name, seat) => fragment([bdi(name), " ", entryText(round, seat)]));
  return element("p", sentence("had", { n, entries: fragment(intersperse(seats, " · ")) }));
}

export const forgetOverruled = (game) => ({ ...game, had: [] });

/** Return what a seat bid and took. */
export function entryText(round, seat) {
  const [bid, n] = [bidWord(round.bids[seat]), (round.tricks ?? round.tally)?.[seat] ?? null];
  if (bid && n !== null) return sentence("bid_took", { bid, n });
  if (n !== null) return sentence("took", { n });
  return bid ? sentence("bid", { bid }) : "–";
}
