// A server that was restored from a backup: what this phone has and the server lacks is unsent again.
// If nothing was unsent before, the players decide first whether to send it.

import { conflicts, roundOf, unsentRounds } from "./entries.js";
import { needsDecision, normalize, unsentCount } from "./facts.js";
import { merge } from "./merge.js";

/** Merge the server's facts into a game; the server may have been restored from a backup. */
export function mergeRestored(game, facts) {
  const merged = merge(game, facts);
  const isWaiting = unsentRounds(merged).length > 0;
  if (!facts.restored) return game.restored?.ask && !isWaiting ? forgetRestored(merged) : merged;
  const rules = JSON.stringify(game.rules) !== JSON.stringify(merged.rules);
  if (!isWaiting && !rules) return merged;
  const ask = isWaiting && (needsDecision(game) || !unsentCount(game));
  return { ...merged, restored: { ask, rules }, refused: null };
}

/** Return a game that the server has lost, to be created there again with all its rounds. */
export function recreateLost(game) {
  if (game.begin) return game;
  const restored = { ask: !unsentCount(game), rules: false };
  const server = { version: 0, revision: "", tag: "", base: [], queue: null, tried: {}, theirs: {} };
  const begin = { ...creationForm(game), request_key: game.id, game_id: game.id };
  return { ...game, ...server, begin, restored, refused: null, gone: false };
}

/** Return the form that creates a game on the server, except for its request key. */
export function creationForm({ rules, house, starters, names, first_dealer: dealer, stake }) {
  const players = Object.fromEntries((starters ?? names).map((name, seat) => [`player-${seat + 1}`, name]));
  // The field `first_dealer` is a seat of this game, not the house rule of that name.
  const { first_dealer: rule = "", ...values } = house;
  const chosen = { rules: rules.key, rules_name: rules.name, first_dealer: dealer + 1 };
  const more = { first_dealer_rule: rule, stake: stake ? (stake / 100).toFixed(2) : "" };
  return { ...values, ...players, ...chosen, ...more };
}

/** Send what the server lacks. */
export const resend = (game) => ({ ...game, restored: { ...game.restored, ask: false } });

/** Take what the server has; this phone's entries are kept as replaced. */
export function takeTheirs(game) {
  const numbers = unsentRounds(game);
  const dropped = numbers.filter((n) => n <= game.rounds.length);
  const had = [...(game.had ?? []), ...dropped.map((n) => ({ n, round: roundOf(game, n) }))];
  const rounds = game.base.map((round, at) => game.theirs[at + 1] ?? round);
  for (const n of conflicts(game)) rounds[n - 1] = game.theirs[n];
  const steps = { undo: [], redo: [], queue: null };
  return normalize({ ...game, ...steps, rounds, base: rounds, theirs: {}, had, restored: null });
}

export const forgetRestored = (game) => ({ ...game, restored: null });
