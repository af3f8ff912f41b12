// Undo and redo of the entries of this phone.

import { afterStep, emptyRound, replaceRound, roundOf } from "./facts.js";

export const undo = (game) => replay(game, "undo", "redo");
export const redo = (game) => replay(game, "redo", "undo");

function replay(game, from, to) {
  if (!game[from].length) return game;
  const [n, found, ...acts] = game[from].at(-1);
  const round = found ?? emptyRound(game);
  const queued = afterStep(game, from, { n, round }, acts);
  const back = [n, roundOf(game, n), ...acts];
  const steps = { [from]: game[from].slice(0, -1), [to]: [...game[to], back] };
  return { ...replaceRound(game, n, round), ...steps, ...queued, refused: null };
}
