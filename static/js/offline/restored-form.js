// What the page of a game shows after the server was restored from a backup.

import { roundOf, unsentRounds } from "./entries.js";
import { needsDecision } from "./facts.js";
import { render, sentence } from "./phrases.js";
import { entriesLine } from "../game/rounds.js";

/** Return the form in which the players decide what happens to the rounds that the server lacks, shown instead of the keypad. */
export function decisionForm(game) {
  const numbers = unsentRounds(game).filter((n) => n <= game.rounds.length);
  const said = game.begin ? sentence("game_lost") : sentence("rounds_lost", { n: numbers.length });
  return render("restored", {
    said,
    rules: game.restored.rules && sentence("rules_restored"),
    rounds: numbers.map((n) => entriesLine(game, n, roundOf(game, n))),
    keep: !game.begin,
    remove: Boolean(game.begin),
  });
}

/** Return a note of the restored server, or null if there is none or a decision is due. */
export function restoredNote(game) {
  if (!game.restored || needsDecision(game)) return null;
  return render("restored-note", { rules: game.restored.rules && sentence("rules_restored") });
}
