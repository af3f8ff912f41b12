// Scores of a game in the offline app: the strip of all sides, and how they were reached.

import { hints, scoreReasons } from "../rules/engine.js";
import {
  element, formatDecimal, listed, minus, phrase, render, sentence, setAttributes, shape, signed,
  text,
} from "./phrases.js";

const ROUNDS_EXPLAINED = 3;

export const namesOf = (game, seats) => listed(seats.map((seat) => game.names[seat]));

/** Return the strip of scores, the best side first once the game is over. */
export function scoreStrip(game, state) {
  const sides = [...state.sides.keys()];
  const over = state.phase === "over";
  if (over) sides.sort((one, other) => state.places[one] - state.places[other]);
  return render("strip", { sides: sides.map((side) => sideRow(game, state, side)) });
}

function sideRow(game, state, side) {
  const { rules, standing } = state;
  const seats = state.sides[side];
  const over = state.phase === "over";
  const last = state.rounds.at(-1);
  const justScored = last && (over || state.open.bids.every((bid) => bid === null));
  const gained = justScored ? last.scores[side].points : null;
  const piece = render("side", {
    shapes: seats.map(shape),
    names: namesOf(game, seats),
    deals: !over && seats.includes(state.dealer),
    notes: hintLines(state, side, justScored),
    pips: rules.bag_limit !== null && pips(standing.bags[side], rules.bag_limit),
    delta: justScored && signed(gained),
    total: minus(standing.totals[side]),
    why: explanations(game, state, side),
  });
  const share = Math.floor((100 * standing.totals[side]) / rules.target);
  setAttributes(piece.querySelector(".reached"), { width: `${Math.max(0, Math.min(100, share))}%` });
  piece.querySelector(".reached").classList.add(`seat-${seats[0] + 1}`);
  piece.querySelector("details").id = `side-${side}`;
  piece.querySelector("small")?.classList.add(gained < 0 ? "loss" : "gain");
  markPips(piece.querySelector(".pips"), standing.bags[side], rules.bag_limit);
  return piece;
}

function hintLines(state, side, justScored) {
  const last = state.rounds.at(-1);
  const penalty = justScored && last.scores[side].bag_penalty;
  const paid = penalty ? [{ kind: "danger", ...sideReasons(state, last, side).at(-1) }] : [];
  const found = [...paid, ...hints(state, side)];
  const pressing = found.filter(({ kind }) => kind !== "plain");
  return (pressing.length ? pressing : found).slice(0, 2).map((hint) => {
    const shown = element("span", phrase(hint));
    shown.className = hint.kind;
    return shown;
  });
}

function pips(bags, limit) {
  if (limit > 10) return `${bags}/${limit}`;
  return Array.from({ length: limit }, (_, n) => {
    const pip = element("i");
    if (n < bags) pip.className = "on";
    return pip;
  });
}

function markPips(shown, bags, limit) {
  if (!shown) return;
  setAttributes(shown, { "aria-label": text("bags_of", { bags, limit }) });
  shown.classList.toggle("danger", limit - bags === 1);
  shown.classList.toggle("many", limit > 6);
}

function explanations(game, state, side) {
  const rounds = state.rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return render("nothing-scored");
  return rounds.map((round) => {
    const piece = render("why", {
      round: sentence("round", { n: round.number }),
      lines: reasonLines(state, round, side),
      points: text("step", {
        old: signed(round.scores[side].points),
        new: minus(round.after.totals[side]),
      }),
    });
    const link = { href: pastPath(game, round.number), "data-round": round.number };
    setAttributes(piece.querySelector("a"), link);
    return piece;
  });
}

export const pastPath = (game, n) => `/games/${game.id}/rounds/${n}`;

/** Return the reasons of a side's points in a round. */
export function sideReasons(state, round, side) {
  const own = (list) => state.sides[side].map((seat) => list[seat]);
  const bags = round.before.bags[side];
  return scoreReasons(state.rules, own(round.bids), own(round.tricks), round.scores[side], bags);
}

/** Return those reasons as elements. */
export function reasonLines(state, round, side) {
  return sideReasons(state, round, side).map((reason) => element("span", phrase(reason)));
}

/** Return who won, with what total, after how many rounds. */
export function winnerCard(game, state) {
  const side = state.outcome.winner;
  const { totals } = state.standing;
  const others = [...totals.keys()].filter((other) => other !== side);
  const second = others.reduce((best, other) => (totals[other] > totals[best] ? other : best));
  return render("winner", {
    title: winsText(game, state),
    after: sentence("after_rounds", { n: state.rounds.length }),
    with: sentence("with_total", {
      total: minus(totals[side]),
      n: totals[side] - totals[second],
      second: namesOf(game, state.sides[second]),
    }),
    reason: endReason(state),
    pot: game.stake && potText(game, namesOf(game, state.sides[side])),
    uncounted: state.uncounted > 0 && sentence("uncounted", { n: state.uncounted }),
  });
}

function endReason({ rules, outcome }) {
  if (outcome.reason === "target") return sentence("ends_at_target", { target: rules.target });
  return sentence("ends_at_mercy", { floor: minus(rules.mercy) });
}

/** Format an amount in hundredths, without decimals if they are zero. */
export const amount = (hundredths) => (hundredths / 100).toFixed(hundredths % 100 ? 2 : 0);
export const money = (hundredths) => formatDecimal(amount(hundredths));

const potText = ({ stake, names }, winners) =>
  sentence("pot", { pot: money(stake * names.length), names: winners });

export function winsText(game, state) {
  const seats = state.sides[state.outcome.winner];
  return sentence("wins", { names: namesOf(game, seats), n: seats.length });
}

export function tieText(game, state) {
  const tied = state.outcome?.tied ?? [];
  if (!tied.length || state.phase === "over") return null;
  const seats = tied.flatMap((side) => state.sides[side]);
  const total = minus(Math.max(...state.standing.totals));
  return sentence("tie", { names: namesOf(game, seats), n: seats.length, total });
}
