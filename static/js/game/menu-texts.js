// What the menu of a game says of undo and redo.

import { countsOf, emptyRound, notesOf, roundOf } from "../offline/entries.js";
import { namesIn } from "../offline/facts.js";
import { bdi, bidWord, sentence } from "../offline/phrases.js";

/** Return what undo would take back, and redo repeat. */
export function stepTexts(game) {
  const [undo, redo] = [game.undo.at(-1), game.redo.at(-1)];
  const found = ([n, round]) => [roundOf(game, n), round ?? emptyRound(game)];
  return {
    undoes: undo && stepText(game, undo[0], ...found(undo).reverse()),
    redoes: redo && stepText(game, redo[0], ...found(redo)),
  };
}

// A bid or a count, or else the round.
function stepText(game, n, before, after) {
  const names = namesIn(game, n);
  const [old, now] = [cellsOf(before), cellsOf(after)];
  const [at, ...others] = [...now.keys()].filter((cell) => now[cell] !== old[cell]);
  const value = now[at];
  if (others.length || (value ?? null) === null || at >= 2 * names.length) return sentence("round", { n });
  const name = bdi(names[at % names.length]);
  if (at < names.length) return sentence("bid_of_name", { name, new: bidWord(value) });
  return sentence("took_of_name", { name, new: value });
}

function cellsOf(round) {
  const { tricks, tally } = countsOf(round);
  const none = round.bids.map(() => null);
  return [...round.bids, ...(tally ?? none), ...(tricks ?? none), JSON.stringify(notesOf(round))];
}
