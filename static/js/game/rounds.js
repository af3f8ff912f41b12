// Past rounds in the app: the table of rounds, and what was entered in one.

import { race } from "./chart.js";
import { roundLines } from "./note-lines.js";
import { scoredKey } from "../offline/facts.js";
import {
  bdi, bidWord, element, fragment, intersperse, minus, part, render, sentence,
} from "../offline/phrases.js";
import { seatsAfter, seatsIn } from "../rules/seating.js";

const NEWEST_SHOWN = 20;

/** Return the table of the newest rounds, or of every one, newest first; for a view as in screen.js. */
export function roundsTable(game, state, view) {
  const key = `${scoredKey(game, state)} ${state.phase === "over"} ${view.everyRound}`;
  return part(key, () => renderTable(game, state, view).querySelector("#rounds"));
}

function renderTable(game, state, { everyRound }) {
  const shown = everyRound ? state.rounds : state.rounds.slice(-NEWEST_SHOWN);
  return render("rounds", {
    page_url: `/games/${game.id}`,
    race: state.phase !== "over" && race(game, state),
    players: game.names.map((name, seat) => render("player-head", { n: seat + 1, name })),
    rows: shown.map((round) => roundRow(game, state, round)).reverse(),
    older: state.rounds.length - shown.length,
  });
}

function roundRow(game, state, { number, bids, tricks, after }) {
  const own = [...after.seat_totals.entries()];
  const ofSides = state.sides.map(([first], side) => [first, after.totals[side]]);
  const totals = new Map(own.length ? own : ofSides);
  const isEmpty = (seat) => after.seats.empty.includes(seat);
  const cells = bids.map((bid, seat) =>
    render("round-cell", {
      bid: isEmpty(seat) ? "–" : bidWord(bid) || "·",
      took: isEmpty(seat) ? "–" : tricks[seat],
      total: totals.has(seat) ? minus(totals.get(seat), state.rules.shown_as) : "",
    }),
  );
  return render("round-row", { game_id: game.id, number, cells });
}

/** Return a note of this phone's replaced entries, or null. */
export function replacedNote(game) {
  if (!game.had?.length) return null;
  return render("replaced", { rounds: game.had.map(({ n, round }) => entriesLine(game, n, round)) });
}

/** Return the entries of a round as a paragraph. */
export const entriesLine = (game, n, round) =>
  element("p", sentence("had", { n, entries: fragment(intersperse(entryLines(game, n, round), " · ")) }));

/** Return each player's bid and tricks in a round, who comes or leaves, and penalties. */
export function entryLines(game, n, round) {
  const { names } = seatsAfter(seatsIn(game, n - 1), round.substitutes);
  const seats = names.map((name, seat) => fragment([bdi(name), " ", entryText(round, seat)]));
  return [...seats, ...roundLines(game, n, round).map(({ line }) => line)];
}

export const forgetReplaced = (game) => ({ ...game, had: [] });

/** Return what a seat bid and took. */
export function entryText(round, seat) {
  const [bid, n] = [bidWord(round.bids[seat]), (round.tricks ?? round.tally)?.[seat] ?? null];
  if (bid && n !== null) return sentence("bid_took", { bid, n });
  if (n !== null) return sentence("took", { n });
  return bid ? sentence("bid", { bid }) : "–";
}
