// Awards of a finished game, with the codes of the server's rules/awards.py.

import { highestTotal, isNil } from "../rules/bidding.js";
import { sum } from "../rules/lists.js";
import { seatScores } from "../rules/rounds.js";
import { pointsForGap } from "../rules/sentence.js";

// Returns the score of a seat: its own where every player has a total, else its side's.
function ownScore(rules, round, seat) {
  const { before, scores } = round;
  if (before.seat_totals.length) return seatScores(rules, before, round)[seat];
  return scores[seat % scores.length];
}

const inRounds = (count) => ({ rules, rounds }, [seat]) =>
  sum(rounds.map((round) => Number(count(ownScore(rules, round, seat)))));

const countNils = (isKept) => ({ rules, rounds }, seats) => {
  const takenFor = (seat, tricks) => sum((rules.bid_by === "side" ? seats : [seat]).map((one) => tricks[one]));
  const count = ({ bids, tricks }) =>
    seats.filter((seat) => isNil(bids[seat]) && (takenFor(seat, tricks) === 0) === isKept).length;
  return sum(rounds.map(count));
};

const biggestRound = ({ rules, rounds }, [seat]) =>
  Math.max(...rounds.map((round) => ownScore(rules, round, seat).points));

// By code: the figure of a side, given by its seats, and the least that is worth an award.
const FIGURES = {
  bags: [inRounds((score) => score.overtricks), 3],
  nils_kept: [countNils(true), 1],
  nils_failed: [countNils(false), 1],
  exact: [inRounds((score) => score.made === true && !score.overtricks), 2],
  sets: [inRounds((score) => score.made === false), 2],
  round: [biggestRound, 1],
};

/**
 * Return the awards of a game as `{code, seats, n}`, with the seats of each side that shares it; none
 * that every side would share. Where every player has a total, players share it instead of sides.
 * Bags are for games in which they are counted toward a penalty.
 */
export function awards(state) {
  const owned = state.standing.seat_totals.map((_, seat) => [seat]);
  const sides = owned.length ? owned : state.sides;
  const codes = Object.keys(FIGURES).filter((code) => code !== "bags" || state.rules.bag_limit !== null);
  const given = codes.map((code) => {
    const [figure, least] = FIGURES[code];
    const figures = sides.map((seats) => figure(state, seats));
    const n = Math.max(...figures);
    const best = sides.filter((_, side) => figures[side] === n);
    return n < least || best.length === sides.length ? null : { code, seats: best, n };
  });
  return [...given, comeback(state)].filter(Boolean);
}

// The winner was once behind by a fifth of the target, or of the total, at least.
function comeback({ rules, rounds, sides, outcome, standing }) {
  const winner = outcome?.winner ?? null;
  if (winner === null) return null;
  const behind = rounds.map(({ before: { totals, seats } }) =>
    highestTotal(totals, seats.empty) - totals[winner]);
  const n = Math.max(...behind);
  const isFar = n > 0 && 5 * n >= (rules.target || standing.totals[winner]);
  return !isFar ? null : { code: "comeback", seats: [sides[winner]], n: pointsForGap(n, rules) };
}
