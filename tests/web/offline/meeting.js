// Lets a phone and a server meet, and tells what comes of it.

import { rules } from "/given.js";
import * as facts from "/js/offline/facts.js";
import { asks, lost, meetAgain, sendAgain, takeTheirs } from "/js/offline/restored.js";

const round = (told) => (told === null ? null : { tricks: null, tally: null, ...told });
const rounds = (told) => told.map(round);
const walk = (told = []) => told.map(([n, one]) => [n, round(one)]);
const NAMES = ["North", "East", "South", "West"];

function kept({ base, own, undo, tried = {} }) {
  const told = { id: "g", rules, names: NAMES, first_dealer: 3, rounds: rounds(base), version: 1 };
  const first = facts.fresh({ ...told, undo: walk(undo) }, "t");
  return { ...first, rounds: rounds(own), tried };
}

function plain(now) {
  facts.boardOf(now); // which can always be drawn
  const told = ({ bids, tricks, tally }) => [bids, tricks ?? null, tricks ? null : (tally ?? null)];
  return { rounds: now.rounds.map(told), waiting: facts.waiting(now), clashes: facts.clashes(now) };
}

export function meet(told) {
  let now = facts.meet(kept(told), { rounds: rounds(told.there), version: 9 });
  for (const [n, ours] of told.choices ?? []) now = facts.choose(now, n, ours);
  return plain(now);
}

function entered(now, what, ...rest) {
  if (what === "enter") return facts.enter(now, rest[0], round(rest[1]));
  if (what !== "meet") return facts[what](now);
  const [there, undo, house] = rest;
  return facts.meet(now, { rounds: rounds(there), version: 9, house, undo: walk(undo), redo: [] });
}

export function steps({ entries, base = [], undo }) {
  let now = kept({ base, own: base, undo });
  const seen = [];
  for (const [what, ...rest] of entries) {
    now = entered(now, what, ...rest);
    seen.push(plain(now).rounds);
  }
  return seen;
}

// The server has other rounds now, and its history went back; what the table answers, if it is asked.
export function restored(told) {
  let now = meetAgain(kept(told), { rounds: rounds(told.there), version: 1, restored: true });
  if (told.answer) now = told.answer === "again" ? sendAgain(now) : takeTheirs(now);
  return { ...plain(now), asked: asks(now), had: (now.had ?? []).map(({ n }) => n) };
}

// Another phone has sent the same meanwhile.
export function settled(told) {
  const before = meetAgain(kept(told), { rounds: rounds(told.there), version: 1, restored: true });
  const now = meetAgain(before, { rounds: rounds(told.then), version: 3 });
  return { ...plain(now), asked: asks(now), told: now.restored };
}

export function gone(told) {
  const now = lost({ ...kept(told), house: {}, stake: 250 });
  return { ...plain(now), asked: asks(now), begin: now.begin };
}
