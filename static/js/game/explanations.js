// How a side's points came about, by its newest rounds.

import { roundReasons } from "../rules/reasons.js";
import { element, minus, phrase, render, signed } from "../offline/phrases.js";

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
