// Awards of a finished game, with the codes of the server's rules/awards.py.

import { isNil, sum } from "../rules/engine.js";

const inRounds = (count) => (state, side) =>
  sum(state.rounds.map((round) => Number(count(round.scores[side]))));

const nils = (isKept) => (state, side) => {
  const count = ({ bids, tricks }) =>
    state.sides[side].filter((seat) => isNil(bids[seat]) && (tricks[seat] === 0) === isKept).length;
  return sum(state.rounds.map(count));
};

const biggestRound = (state, side) => Math.max(...state.rounds.map((round) => round.scores[side].points));

// By code: the figure of a side, and the least that is worth an award.
const FIGURES = {
  bags: [inRounds((score) => score.overtricks), 3],
  nils_kept: [nils(true), 1],
  nils_failed: [nils(false), 1],
  exact: [inRounds((score) => score.made === true && !score.overtricks), 2],
  sets: [inRounds((score) => score.made === false), 2],
  round: [biggestRound, 1],
};

/** Return the awards of a game as `{code, sides, n}`; none that every side would share. */
export function awards(state) {
  const given = Object.entries(FIGURES).map(([code, [figure, least]]) => {
    const figures = state.sides.map((_, side) => figure(state, side));
    const n = Math.max(...figures);
    const sides = [...figures.keys()].filter((side) => figures[side] === n);
    return n < least || sides.length === figures.length ? null : { code, sides, n };
  });
  return [...given, comeback(state)].filter(Boolean);
}

// The winner was once behind by a fifth of the target, or of the total, at least.
function comeback({ rules, rounds, outcome, standing }) {
  const winner = outcome?.winner ?? null;
  if (winner === null) return null;
  const behind = rounds.map(({ before }) => Math.max(...before.totals) - before.totals[winner]);
  const n = Math.max(...behind);
  const isFar = n > 0 && 5 * n >= (rules.target || standing.totals[winner]);
  return !isFar ? null : { code: "comeback", sides: [winner], n };
}
