// Scores of a game in the offline app: the strip of all sides, and how they were reached.

import { hints, scoreReasons } from "../rules/engine.js";
import {
  element, formatDecimal, listed, minus, phrase, render, sentence, setAttributes, shape, signed,
  text,
} from "./phrases.js";

const ROUNDS_EXPLAINED = 3;

export const namesOf = (game, seats) => listed(seats.map((seat) => game.names[seat]));

/** Return the strip of scores, the best side first once the game is over. */
export function scoreStrip(game, board) {
  const sides = [...board.sides.keys()];
  const over = board.phase === "over";
  if (over) sides.sort((one, other) => board.places[one] - board.places[other]);
  return render("strip", { sides: sides.map((side) => sideRow(game, board, side)) });
}

function sideRow(game, board, side) {
  const { rules, standing } = board;
  const seats = board.sides[side];
  const over = board.phase === "over";
  const last = board.rounds.at(-1);
  const justScored = last && (over || board.open.bids.every((bid) => bid === null));
  const gained = justScored ? last.scores[side].points : null;
  const piece = render("side", {
    shapes: seats.map(shape),
    names: namesOf(game, seats),
    deals: !over && seats.includes(board.dealer),
    notes: noticeLines(board, side, justScored),
    pips: rules.bag_limit !== null && pips(standing.bags[side], rules.bag_limit),
    delta: justScored && signed(gained),
    total: minus(standing.totals[side]),
    why: explanations(game, board, side),
  });
  const share = Math.floor((100 * standing.totals[side]) / rules.target);
  setAttributes(piece.querySelector(".reached"), { width: `${Math.max(0, Math.min(100, share))}%` });
  piece.querySelector(".reached").classList.add(`seat-${seats[0] + 1}`);
  piece.querySelector("details").id = `side-${side}`;
  piece.querySelector("small")?.classList.add(gained < 0 ? "loss" : "gain");
  markPips(piece.querySelector(".pips"), standing.bags[side], rules.bag_limit);
  return piece;
}

function noticeLines(board, side, justScored) {
  const last = board.rounds.at(-1);
  const penalty = justScored && last.scores[side].bag_penalty;
  const paid = penalty ? [{ kind: "danger", ...sideReasons(board, last, side).at(-1) }] : [];
  const found = [...paid, ...hints(board, side)];
  const pressing = found.filter(({ kind }) => kind !== "plain");
  return (pressing.length ? pressing : found).slice(0, 2).map((notice) => {
    const shown = element("span", phrase(notice));
    shown.className = notice.kind;
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

function explanations(game, board, side) {
  const rounds = board.rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return render("nothing-scored");
  return rounds.map((round) => {
    const piece = render("why", {
      round: sentence("round", { n: round.number }),
      lines: reasonLines(board, round, side),
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
export function sideReasons(board, round, side) {
  const own = (list) => board.sides[side].map((seat) => list[seat]);
  const bags = round.before.bags[side];
  return scoreReasons(board.rules, own(round.bids), own(round.tricks), round.scores[side], bags);
}

/** Return those reasons as elements. */
export function reasonLines(board, round, side) {
  return sideReasons(board, round, side).map((reason) => element("span", phrase(reason)));
}

/** Return who won, with what total, after how many rounds. */
export function winnerCard(game, board) {
  const side = board.outcome.winner;
  const { totals } = board.standing;
  const others = [...totals.keys()].filter((other) => other !== side);
  const second = others.reduce((best, other) => (totals[other] > totals[best] ? other : best));
  return render("winner", {
    title: winsText(game, board),
    after: sentence("after_rounds", { n: board.rounds.length }),
    with: sentence("with_total", {
      total: minus(totals[side]),
      n: totals[side] - totals[second],
      second: namesOf(game, board.sides[second]),
    }),
    reason: endReason(board),
    pot: game.stake && potText(game, namesOf(game, board.sides[side])),
    uncounted: board.uncounted > 0 && sentence("uncounted", { n: board.uncounted }),
  });
}

function endReason({ rules, outcome }) {
  if (outcome.reason === "target") return sentence("ends_at_target", { target: rules.target });
  return sentence("ends_at_floor", { floor: minus(rules.mercy) });
}

/** Format an amount in hundredths, without decimals if they are zero. */
export const amount = (hundredths) => (hundredths / 100).toFixed(hundredths % 100 ? 2 : 0);
export const money = (hundredths) => formatDecimal(amount(hundredths));

const potText = ({ stake, names }, winners) =>
  sentence("pot", { pot: money(stake * names.length), names: winners });

export function winsText(game, board) {
  const seats = board.sides[board.outcome.winner];
  return sentence("wins", { names: namesOf(game, seats), n: seats.length });
}

export function tieText(game, board) {
  const tied = board.outcome?.tied ?? [];
  if (!tied.length || board.phase === "over") return null;
  const seats = tied.flatMap((side) => board.sides[side]);
  const total = minus(Math.max(...board.standing.totals));
  return sentence("tie", { names: namesOf(game, seats), n: seats.length, total });
}
