// The page of a past round in the app: how it was scored, and the form to correct it.

import { rowCards } from "./keypad.js";
import { namesOf } from "./scoreboard.js";
import { namesIn } from "../offline/facts.js";
import {
  bdi, bidWord, element, minus, phrase, render, setAttributes, shape, signed, text,
} from "../offline/phrases.js";
import { blindBids, inRound, possibleBids } from "../rules/bidding.js";
import { noCounts } from "../rules/entry.js";
import { roundReasons } from "../rules/explain.js";
import { playingSides } from "../rules/outcome.js";
import { takenSeats } from "../rules/seating.js";

/**
 * Return the page of round `n`: how it was scored, and the form to correct it, with what was `typed`
 * and why that was refused, beside its fields where it is about them.
 */
export function roundPage(played, state, { n, typed, error, refusals = [] }) {
  const game = { ...played, names: namesIn(played, n) };
  const round = state.rounds[n - 1];
  const scores = playingSides(round.after).map((side) => [state.sides[side], side]).map(([seats, side]) =>
    render("receipt", {
      seats: seats.map(shape),
      first_seat: seats[0] + 1,
      hands: seats.map((seat) => handOf(round, seat)),
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

const handOf = ({ bids, tricks }, seat) =>
  render("receipt-hand", { n: seat + 1, cards: rowCards(bids[seat], tricks[seat]) });

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
  const rules = inRound(state.rules, round.number, state.players);
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
    n: seat + 1,
    shape: shape(seat),
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
