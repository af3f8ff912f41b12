// A phone that sends its taps over a line whose every request and answer is carried by a test.

import { resolveConflict } from "/js/game/conflict.js";
import { Unavailable } from "/js/game/loading.js";
import { get, update } from "/js/model/db.js";
import { mergeLine } from "/js/model/merge.js";
import { syncGame } from "/js/model/sync.js";
import { countTricks, fillLastCount, placeBid, scoreRound } from "/js/rules/entry.js";
import { misdeal } from "/js/rules/notes.js";
import { Refused } from "/js/rules/sentence.js";
import { redo, undo } from "/js/model/undo.js";
import * as facts from "/js/model/facts.js";

let request; // that waits for its answer
let isSending = false;

globalThis.navigator ??= {};
globalThis.DOMParser = class {
  parseFromString = () => ({ querySelector: () => null }); // no answer is a page
};
globalThis.fetch = (path, { body, headers }) =>
  new Promise((resolve, reject) => {
    request = { told: [path, body ? `${body}` : null, headers], resolve, reject };
  });

// Returns the next request, or null once nothing is sent any more.
async function nextRequest() {
  while (isSending && !request) await new Promise(setImmediate);
  return request?.told ?? null;
}

export async function begin({ game, owner, token }) {
  await update("table", () => ({ owner, token }));
  await update(`game/${game.id}`, () => facts.fromServer(game, owner));
}

/** Enter a bid of a seat in round 1, or undo or redo. */
export const tap = ([id, what, seat, bid]) =>
  update(`game/${id}`, (game) => {
    if (what !== "enter") return { ...facts, undo, redo }[what](game);
    const { bids, ...others } = facts.roundOf(game, 1);
    return facts.enter(game, 1, { ...others, bids: bids.with(seat, bid) });
  });

/** Make the next tap of the round that is played, or another one; what is refused changes nothing. */
export const play = ([id, what, bid, counts]) =>
  update(`game/${id}`, (game) => {
    if (facts.hasConflict(game) || facts.stateOf(game).phase === "over") return game;
    try {
      return (actions[what] ?? { ...facts, undo, redo }[what])(game, bid, counts);
    } catch (error) {
      if (error instanceof Refused) return game;
      throw error;
    }
  });

const actions = {
  next(game, bid, counts) {
    const state = facts.stateOf(game);
    const { number, order, rules } = state;
    const round = facts.roundOf(game, number);
    const [bidder] = order.filter((seat) => round.bids[seat] === null);
    const [counted] = order.slice(0, -1).filter((seat) => (round.tally?.[seat] ?? null) === null);
    const enter = (step, ...rest) => facts.enter(game, number, step(state, number, ...rest));
    if (bidder !== undefined) return enter(placeBid, round, bidder, bid);
    if (counted !== undefined) return enter(countTricks, round, counted, counts[counted]);
    return enter(scoreRound, { ...round, tricks: fillLastCount(round.tally, rules, order.length) });
  },

  correct(game, _, tricks) {
    const state = facts.stateOf(game);
    const number = state.rounds.length;
    const before = facts.roundOf(game, number);
    return facts.enter(game, number, scoreRound(state, number, { ...before, tricks }, before));
  },

  misdeal(game) {
    const { number } = facts.stateOf(game);
    return facts.enter(game, number, misdeal(facts.roundOf(game, number)), "misdeal");
  },
};

/** Choose this phone's round or the other's, where there are two. */
export const choose = ([id, ours]) =>
  update(`game/${id}`, (game) => {
    const [n] = facts.conflicts(game);
    return n ? resolveConflict(game, n, ours) : game;
  });

/** Send what is unsent, and return the first request. */
export function send(id) {
  isSending = true;
  const isLost = (error) => {
    if (!(error instanceof Unavailable)) throw error;
  };
  syncGame(id).catch(isLost).finally(() => {
    isSending = false;
  });
  return nextRequest();
}

/** Answer a request, or lose it without an answer, and return the next one. */
export function carry(answer) {
  const { resolve, reject } = request;
  request = undefined;
  if (answer) {
    const { status, headers, body } = answer;
    resolve(new Response(body || null, { status, headers }));
  } else reject(new TypeError("lost"));
  return nextRequest();
}

/** Hear a line of the journal. */
export const hear = ([id, line]) =>
  update(`game/${id}`, (game) => (game.version < line.version ? (mergeLine(game, line) ?? game) : game));

export async function shown(id) {
  const game = await get(`game/${id}`);
  const told = ({ bids, tricks, tally }) => [bids, tricks, tally ?? null];
  const { refused, revision, rounds } = game;
  const waits = { unsent: facts.unsentCount(game), conflicts: facts.conflicts(game), refused };
  return { revision, rounds: rounds.map(told), waits };
}
