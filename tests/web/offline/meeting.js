// Merges what a phone stores with what a server has and returns the result as JSON.

import { rules } from "/given.js";
import * as walks from "/js/model/undo.js";
import * as facts from "/js/model/facts.js";
import { resolveConflict } from "/js/game/conflict.js";
import {
  acknowledgeAll, markNextSent, merge, mergeLine, mergeRestored, recreateLost, resend, sentTaps,
  takeTheirs,
} from "/js/model/merge.js";

const round = (told) => (told === null ? null : { tricks: null, tally: null, ...told });
const rounds = (told) => told.map(round);
const walk = (told = []) => told.map(([n, one]) => [n, round(one)]);
const NAMES = ["North", "East", "South", "West"];

function stored({ base, own, undo, tried = {} }) {
  const told = { id: "g", rules, names: NAMES, first_dealer: 3, rounds: rounds(base), version: 1 };
  const first = facts.fromServer({ ...told, undo: walk(undo) }, "t");
  return { ...first, rounds: rounds(own), tried };
}

function plain(now) {
  facts.stateOf(now); // must never throw
  const told = ({ bids, tricks, tally }) => [bids, tricks ?? null, tricks ? null : (tally ?? null)];
  return { rounds: now.rounds.map(told), waiting: facts.unsentRounds(now), clashes: facts.conflicts(now) };
}

export function meet(given) {
  let now = merge(stored(given), { rounds: rounds(given.there), version: 9 });
  for (const [n, ours] of given.choices ?? []) now = resolveConflict(now, n, ours);
  return plain(now);
}

function entered(now, what, ...rest) {
  if (what === "enter") return facts.enter(now, rest[0], round(rest[1]));
  if (what !== "meet") return walks[what](now);
  const [there, undo, house] = rest;
  return merge(now, { rounds: rounds(there), version: 9, house, undo: walk(undo), redo: [] });
}

export function steps({ entries, base = [], undo }) {
  let now = stored({ base, own: base, undo });
  const seen = [];
  for (const [what, ...rest] of entries) {
    now = entered(now, what, ...rest);
    seen.push(plain(now).rounds);
  }
  return seen;
}

// The server was restored from a backup; `answer` is the decision of the players, if there is one.
export function restored(given) {
  let now = mergeRestored(stored(given), { rounds: rounds(given.there), version: 1, restored: true });
  if (given.answer) now = given.answer === "again" ? resend(now) : takeTheirs(now);
  return { ...plain(now), asked: facts.needsDecision(now), had: (now.had ?? []).map(({ n }) => n) };
}

// Another phone has sent the same meanwhile.
export function settled(given) {
  const before = mergeRestored(stored(given), { rounds: rounds(given.there), version: 1, restored: true });
  const now = mergeRestored(before, { rounds: rounds(given.then), version: 3 });
  return { ...plain(now), asked: facts.needsDecision(now), told: now.restored };
}

export function gone(given) {
  const now = recreateLost({ ...stored(given), house: given.house ?? {}, stake: 250 });
  return { ...plain(now), asked: facts.needsDecision(now), begin: now.begin };
}

// Taps of a phone, and what the server makes of them, one after the other. Returns the queue, the steps
// of undo and redo, and the rounds after each.
export function taps({ base, undo, entries }) {
  let now = { ...stored({ base, own: base, undo }), revision: "1-a" };
  return entries.map(([what, ...rest]) => {
    now = tapped(now, what, ...rest);
    const queue = now.queue?.map(({ n, way, line }) => (way ? [way, n, line] : ["enter", n])) ?? null;
    const lines = (list) => list.map(([, , line]) => line ?? null);
    const bids = now.queue?.map(({ round }) => round.bids);
    return { ...plain(now), queue, bids, undo: lines(now.undo), redo: lines(now.redo), unsent: facts.unsentCount(now) };
  });
}

function tapped(now, what, ...rest) {
  if (what === "send") return markNextSent(now);
  if (what === "facts") {
    const [{ rounds, ...told }] = rest;
    return merge(now, { ...told, rounds: rounds.map(round), house: now.house });
  }
  if (what === "answer") return acknowledgeAll(now, sentTaps(now), { revision: rest[0], lines: rest[1] });
  if (what === "line") return mergeLine(now, { ...rest[0], facts: round(rest[0].facts) }) ?? now;
  return entered(now, what, ...rest);
}
