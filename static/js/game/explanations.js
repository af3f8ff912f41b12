// How a side's points came about, by its newest rounds.

import { part } from "./patch.js";
import { scoredKey } from "../offline/facts.js";
import { roundReasons } from "../rules/reasons.js";
import { element, minus, phrase, render, signed } from "../offline/phrases.js";

const ROUNDS_EXPLAINED = 3;

/** Return the explanations of a side's newest rounds, the last one first. */
export function explanations(game, state, side) {
  const rounds = state.rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return render("nothing-scored");
  const key = scoredKey(game, state);
  return rounds.map((round) =>
    part(`${key} ${side} ${round.number}`, () => explanation(game, state, side, round)),
  );
}

function explanation({ id }, state, side, round) {
  const piece = render("why", {
    game_id: id,
    number: round.number,
    lines: sideReasons(state, round, side).map((reason) => element("span", phrase(reason))),
    points: signed(round.scores[side].points, state.rules.shown_as),
    total: minus(round.after.totals[side], state.rules.shown_as),
  });
  return piece.querySelector("p");
}

/** Return the reasons of a side's points in a round. */
export const sideReasons = (state, round, side) => roundReasons(state.rules, round, side);
