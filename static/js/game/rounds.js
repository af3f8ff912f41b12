// Past rounds in the app: the table of rounds, what was entered in one, and its page.

import { race } from "./chart.js";
import { card, cardKinds } from "./keypad.js";
import { roundLines } from "./notes.js";
import { namesOf, shapesOf } from "./scoreboard.js";
import { BASE, faceOf, namesIn, scoredKey } from "../model/facts.js";
import {
  bdi, bidWord, element, fragment, intersperse, minus, phrase, piece, render, sentence,
  setAttributes, signed, text,
} from "../draw/phrases.js";
import { blindBids, inRound, possibleBids } from "../rules/bidding.js";
import { noCounts } from "../rules/entry.js";
import { roundReasons } from "../rules/explain.js";
import { playingSides } from "../rules/outcome.js";
import { asSeated } from "../rules/result.js";
import { seatsAfter, seatsIn, takenSeats } from "../rules/seating.js";

const NEWEST_SHOWN = 20;

/** Return what stands where the chart will be, on screens with room for it. */
export const raceToCome = (isOver) => (isOver ? "" : piece("race-to-come", {}));

let table = {}; // that is shown, and for what
let showNext; // draws the next one, as that takes longer than a tap may

/**
 * Return the table of the newest rounds, or of every one, newest first; for a view as in screen.js. Where one of the
 * same game is shown it stays until `showRounds`.
 */
export function roundsTable(game, state, view) {
  const key = `${scoredKey(game, state)} ${state.phase === "over"} ${view.everyRound}`;
  const draw = () => ({ id: game.id, key, node: renderTable(game, state, view).querySelector("#rounds") });
  showNext = table.key === key ? null : () => {
    const [{ node: shown }, { node }] = [table, (table = draw())];
    for (const { id } of shown.querySelectorAll("details[open]")) node.querySelector(`#${id}`)?.setAttribute("open", "");
    shown.replaceWith(node);
  };
  if (table.id !== game.id || !table.node.isConnected) [table, showNext] = [draw(), null];
  return table.node;
}

/** Bring the table of rounds up to date. */
export function showRounds() {
  showNext?.();
  showNext = null;
}

function renderTable(game, state, { everyRound }) {
  const { rounds } = asSeated(state);
  const shown = everyRound ? rounds : rounds.slice(-NEWEST_SHOWN);
  return render("rounds", {
    page_url: `${BASE}/games/${game.id}`,
    race: state.phase !== "over" && race(game, state),
    players: game.names.map((name, seat) => render("player-head", { ...faceOf(game, seat), name })),
    is_wide: game.names.length > 4,
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

/**
 * Return the page of round `n`: how it was scored, and the form to correct it, with what was `typed`
 * and why that was refused, beside its fields where it is about them.
 */
export function roundPage(played, state, { n, typed, error, refusals = [] }) {
  const game = { ...played, names: namesIn(played, n) };
  const round = state.rounds[n - 1];
  const scores = playingSides(round.after).map((side) => [state.sides[side], side]).map(([seats, side]) =>
    render("receipt", {
      faces: shapesOf(game, seats),
      color: faceOf(game, seats[0]).color,
      hands: seats.map((seat) => handOf(game, round, seat)),
      names: namesOf(game, seats),
      points: signed(round.scores[side].points, state.rules.shown_as),
      lines: roundReasons(state.rules, round, side).map(receiptLine),
      total: minus(round.after.totals[side], state.rules.shown_as),
    }),
  );
  const errors = new Map(refusals.map((one) => [fieldOf(one), []]));
  for (const one of refusals) errors.get(fieldOf(one)).push(one);
  const rows = takenSeats(round.after.seats).flatMap((seat) => [
    correctRow(game, state, round, seat, typed, errors),
    ...[`bid-${seat + 1}`, `tricks-${seat + 1}`].map((field) => errorRow(errors, field)),
  ]);
  const last = ["tricks", "bid"].map((field) => errorRow(errors, field));
  return render("past", { n, error: refusals.length ? "" : error, scores, rows: [...rows, ...last] });
}

// A reason with its points at the end of the row: all languages have them behind the last colon.
function receiptLine(reason) {
  const said = phrase(reason);
  const points = said.split(":").at(-1);
  if (!points.includes(reason.values.points) || points === said) return element("span", element("span", said));
  const what = said.slice(0, -points.length - 1).trimEnd();
  return element("span", element("span", what), " ", element("b", points.trimStart()));
}

const handOf = (game, { bids, tricks }, seat) =>
  render("receipt-hand", { color: faceOf(game, seat).color, cards: cardKinds(bids[seat], tricks[seat]).map(card) });

// The field that a refusal is about; without a seat, all bids or all counts.
function fieldOf({ seat, code }) {
  const what = ["sum", "tricks_range"].includes(code) ? "tricks" : "bid";
  return seat === null ? what : `${what}-${seat + 1}`;
}

function errorRow(errors, field) {
  const error = errors.get(field)?.map(phrase).join(" ");
  return error ? render("correct-error", { field, error }) : "";
}

function correctRow(game, state, round, seat, typed, errors) {
  const name = game.names[seat];
  const rules = inRound(state.rules, round.number, state.players, round.cards);
  const bids = [...possibleBids(rules), ...blindBids(rules)].map((bid) => [`${bid}`, bidWord(bid)]);
  const counts = Array.from({ length: rules.tricks + 1 }, (_, n) => [`${n}`, `${n}`]);
  const field = (what, choices, now) => {
    const key = `${what}-${seat + 1}`;
    const wrong = [what, key].find((one) => errors.has(one));
    const label = text(what === "bid" ? "bid_of" : "tricks_of", { name });
    const attributes = wrong ? { "aria-invalid": "true", "aria-describedby": `${wrong}-error` } : {};
    return select({ name: key, "aria-label": label, ...attributes }, choices, typed?.get(key) ?? `${now}`);
  };
  const isCounted = noCounts(state.rules, state.players)[seat] === null;
  return render("correct-row", {
    color: faceOf(game, seat).color,
    shape: shapesOf(game, [seat]),
    name: bdi(name),
    bid: round.bids[seat] === null ? "–" : field("bid", bids, round.bids[seat]),
    tricks: isCounted ? field("tricks", counts, round.tricks[seat]) : "–",
  });
}

function select(attributes, choices, chosen) {
  const field = setAttributes(element("select"), attributes);
  for (const [value, shown] of choices) field.add(new Option(shown, value, false, value === chosen));
  return field;
}
