// How a side's points came about, by its newest rounds, and what it is near to.

import { element, minus, phrase, render, signed } from "../offline/phrases.js";
import { hints, roundReasons } from "../rules/explain.js";

const ROUNDS_EXPLAINED = 3;

/** Return the explanations of a side's newest rounds, the last one first. */
export function explanations(game, state, side) {
  const rounds = state.rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return render("nothing-scored");
  return rounds.map((round) =>
    render("why", {
      game_id: game.id,
      number: round.number,
      lines: roundReasons(state.rules, round, side).map((reason) => element("span", phrase(reason))),
      points: signed(round.scores[side].points, state.rules.shown_as),
      total: minus(round.after.totals[side], state.rules.shown_as),
    }),
  );
}

/** Return two hints at most of a side, those that press alone if there are any. */
export function sideHints(state, side) {
  const found = hints(state, side);
  const pressing = found.filter(({ kind }) => kind !== "plain");
  return (pressing.length ? pressing : found).slice(0, 2);
}
