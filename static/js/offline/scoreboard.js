// The scores of a game on the phone: the strip of standings, and why each number is so.

import { explain, warnings } from "../rules/engine.js";
import { decimal, listed, mark, minus, part, sentence, shape, signed, text, told } from "./phrases.js";

const ROUNDS_EXPLAINED = 3;

export const namesOf = (kept, seats) => listed(seats.map((seat) => kept.names[seat]));

/** The strip, the best side first once the game is over. */
export function strip(kept, board) {
  const sides = [...board.sides.keys()];
  const over = board.phase === "over";
  if (over) sides.sort((one, other) => board.places[one] - board.places[other]);
  return part("strip", { sides: sides.map((side) => sideOf(kept, board, side)) });
}

function sideOf(kept, board, side) {
  const { rules, standing } = board;
  const seats = board.sides[side];
  const over = board.phase === "over";
  const last = board.rounds.at(-1);
  const justScored = last && (over || board.open.bids.every((bid) => bid === null));
  const gained = justScored ? last.scores[side].points : null;
  const piece = part("side", {
    shapes: seats.map(shape),
    names: namesOf(kept, seats),
    deals: !over && seats.includes(board.dealer),
    notes: notes(board, side, justScored),
    pips: rules.bag_limit !== null && pips(standing.bags[side], rules.bag_limit),
    delta: justScored && signed(gained),
    total: minus(standing.totals[side]),
    why: whys(kept, board, side),
  });
  const share = Math.floor((100 * standing.totals[side]) / rules.target);
  mark(piece.querySelector(".reached"), { width: `${Math.max(0, Math.min(100, share))}%` });
  piece.querySelector(".reached").classList.add(`seat-${seats[0] + 1}`);
  piece.querySelector("details").id = `side-${side}`;
  piece.querySelector("small")?.classList.add(gained < 0 ? "loss" : "gain");
  markPips(piece.querySelector(".pips"), standing.bags[side], rules.bag_limit);
  return piece;
}

function notes(board, side, justScored) {
  const last = board.rounds.at(-1);
  const penalty = justScored && last.scores[side].bag_penalty;
  const paid = penalty ? [{ kind: "danger", ...reasons(board, last, side).at(-1) }] : [];
  const found = [...paid, ...warnings(board, side)];
  const pressing = found.filter(({ kind }) => kind !== "plain");
  return (pressing.length ? pressing : found).slice(0, 2).map((notice) => {
    const shown = document.createElement("span");
    shown.className = notice.kind;
    shown.textContent = told(notice);
    return shown;
  });
}

function pips(bags, limit) {
  if (limit > 10) return `${bags}/${limit}`;
  return Array.from({ length: limit }, (_, n) => {
    const pip = document.createElement("i");
    if (n < bags) pip.className = "on";
    return pip;
  });
}

function markPips(shown, bags, limit) {
  if (!shown) return;
  mark(shown, { "aria-label": text("bags_of", { bags, limit }) });
  shown.classList.toggle("danger", limit - bags === 1);
  shown.classList.toggle("many", limit > 6);
}

function whys(kept, board, side) {
  const rounds = board.rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return part("nothing-scored");
  return rounds.map((round) => {
    const piece = part("why", {
      round: sentence("round", { n: round.number }),
      lines: lines(board, round, side),
      points: text("step", {
        old: signed(round.scores[side].points),
        new: minus(round.after.totals[side]),
      }),
    });
    const link = { href: pastPath(kept, round.number), "data-round": round.number };
    mark(piece.querySelector("a"), link);
    return piece;
  });
}

export const pastPath = (kept, n) => `/games/${kept.id}/rounds/${n}`;

/** What led to a side's points in a round: `{code, values}`, and as nodes. */
export function reasons(board, round, side) {
  const own = (list) => board.sides[side].map((seat) => list[seat]);
  const bags = round.before.bags[side];
  return explain(board.rules, own(round.bids), own(round.tricks), round.scores[side], bags);
}

export function lines(board, round, side) {
  return reasons(board, round, side).map((reason) => {
    const line = document.createElement("span");
    line.textContent = told(reason);
    return line;
  });
}

/** Who won, with what, after how many rounds. */
export function winner(kept, board) {
  const side = board.outcome.winner;
  const { totals } = board.standing;
  const others = [...totals.keys()].filter((other) => other !== side);
  const second = others.reduce((best, other) => (totals[other] > totals[best] ? other : best));
  return part("winner", {
    title: wins(kept, board),
    after: sentence("after_rounds", { n: board.rounds.length }),
    with: sentence("with_total", {
      total: minus(totals[side]),
      n: totals[side] - totals[second],
      second: namesOf(kept, board.sides[second]),
    }),
    reason: reason(board),
    pot: kept.stake && pot(kept, namesOf(kept, board.sides[side])),
    uncounted: board.uncounted > 0 && sentence("uncounted", { n: board.uncounted }),
  });
}

function reason({ rules, outcome }) {
  if (outcome.reason === "target") return sentence("ends_at_target", { target: rules.target });
  return sentence("ends_at_floor", { floor: minus(rules.mercy) });
}

/** An amount given in hundredths, which are written only where there are some. */
export const amount = (hundredths) => (hundredths / 100).toFixed(hundredths % 100 ? 2 : 0);
export const money = (hundredths) => decimal(amount(hundredths));

const pot = ({ stake, names }, winners) =>
  sentence("pot", { pot: money(stake * names.length), names: winners });

export function wins(kept, board) {
  const seats = board.sides[board.outcome.winner];
  return sentence("wins", { names: namesOf(kept, seats), n: seats.length });
}

export function tie(kept, board) {
  const tied = board.outcome?.tied ?? [];
  if (!tied.length || board.phase === "over") return null;
  const seats = tied.flatMap((side) => board.sides[side]);
  const total = minus(Math.max(...board.standing.totals));
  return sentence("tie", { names: namesOf(kept, seats), n: seats.length, total });
}
