// A server whose history went back, as after a restored backup: what this phone has and the server
// lacks now waits again. Where nothing waited before, the table is asked first.

import { clashes, howMany, meet, roundOf, tidy, waiting } from "./facts.js";
import { both } from "./rounds.js";
import { bdi, between, joined, part, sentence } from "./phrases.js";

/** Whether the table is to say what happens to what the server lacks. */
export const asks = (kept) => Boolean(kept.restored?.ask && howMany(kept));

/** What is kept once this phone has met the server, whose history may have gone back. */
export function meetAgain(kept, facts) {
  const met = meet(kept, facts);
  const isWaiting = waiting(met).length > 0;
  if (!facts.restored) return kept.restored?.ask && !isWaiting ? forgetRestored(met) : met;
  const rules = JSON.stringify(kept.rules) !== JSON.stringify(met.rules);
  if (!isWaiting && !rules) return met;
  const ask = isWaiting && (asks(kept) || !howMany(kept));
  return { ...met, restored: { ask, rules }, refused: null };
}

/** A game that the server has lost altogether: it is begun again, and all its rounds wait. */
export function lost(kept) {
  if (kept.begin) return kept;
  const restored = { ask: !howMany(kept), rules: false };
  const server = { version: 0, revision: "", tag: "", base: [], tried: {}, theirs: {} };
  return { ...kept, ...server, begin: formOf(kept), restored, refused: null, gone: false };
}

function formOf({ id, house, names, rules, first_dealer: dealer, stake }) {
  const players = Object.fromEntries(names.map((name, seat) => [`player-${seat + 1}`, name]));
  const chosen = { rules: rules.key, rules_name: rules.name, first_dealer: dealer + 1 };
  const asked = { stake: stake ? (stake / 100).toFixed(2) : "", request_key: id, game_id: id };
  return { ...house, ...players, ...chosen, ...asked };
}

/** Send what the server lacks. */
export const sendAgain = (kept) => ({ ...kept, restored: { ...kept.restored, ask: false } });

/** Take what the server has; what this phone had of it stays to be read. */
export function takeTheirs(kept) {
  const numbers = waiting(kept);
  const dropped = numbers.filter((n) => n <= kept.rounds.length);
  const had = [...(kept.had ?? []), ...dropped.map((n) => ({ n, round: roundOf(kept, n) }))];
  const rounds = kept.base.map((round, at) => kept.theirs[at + 1] ?? round);
  for (const n of clashes(kept)) rounds[n - 1] = kept.theirs[n];
  const steps = { undo: [], redo: [] };
  return tidy({ ...kept, ...steps, rounds, base: rounds, theirs: {}, had, restored: null });
}

export const forgetRestored = (kept) => ({ ...kept, restored: null });

/** The question, instead of the pad. */
export function question(kept) {
  const numbers = waiting(kept).filter((n) => n <= kept.rounds.length);
  const said = kept.begin ? sentence("game_lost") : sentence("rounds_lost", { n: numbers.length });
  return part("restored", {
    said,
    rules: kept.restored.rules && sentence("rules_restored"),
    rounds: numbers.map((n) => line(kept, n)),
    keep: !kept.begin,
    remove: Boolean(kept.begin),
  });
}

function line(kept, n) {
  const seats = kept.names.map((name, seat) => joined([bdi(name), " ", both(roundOf(kept, n), seat)]));
  const shown = document.createElement("p");
  shown.append(sentence("had", { n, entries: joined(between(seats, " · ")) }));
  return shown;
}

/** What happened, until somebody removes it; nothing while the table is asked. */
export function note(kept) {
  if (!kept.restored || asks(kept)) return null;
  return part("restored-note", { rules: kept.restored.rules && sentence("rules_restored") });
}
