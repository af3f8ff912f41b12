// Lets a phone and a server meet, in a browser, and tells what comes of it.

import { rules } from "/given.js";
import * as facts from "/phone/facts.js";

const round = (told) => (told === null ? null : { tricks: null, tally: null, ...told });
const rounds = (told) => told.map(round);
const NAMES = ["North", "East", "South", "West"];

function kept({ base, own, tried = {} }) {
  const first = facts.fresh({ id: "g", rules, names: NAMES, first_dealer: 3, rounds: rounds(base), version: 1 }, "t");
  return { ...first, rounds: rounds(own), tried };
}

function plain(now) {
  const told = ({ bids, tricks, tally }) => [bids, tricks ?? null, tricks ? null : (tally ?? null)];
  return { rounds: now.rounds.map(told), waiting: facts.waiting(now), clashes: facts.clashes(now) };
}

export function meet(told) {
  let now = facts.meet(kept(told), { rounds: rounds(told.there), version: 9 });
  for (const [n, ours] of told.choices ?? []) now = facts.choose(now, n, ours);
  return plain(now);
}

export function steps({ entries }) {
  let now = kept({ base: [], own: [] });
  const seen = [];
  for (const [what, ...rest] of entries) {
    now = what === "enter" ? facts.enter(now, rest[0], round(rest[1])) : facts[what](now);
    seen.push(plain(now).rounds);
  }
  return seen;
}
