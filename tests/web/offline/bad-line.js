// A phone that sends its taps over a line whose every request and answer is carried by a test.

import { get, update } from "/js/offline/db.js";
import * as facts from "/js/offline/facts.js";
import { mergeLine } from "/js/offline/merge.js";
import { Unavailable } from "/js/offline/network.js";
import { syncGame } from "/js/offline/sync.js";

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
    if (what !== "enter") return facts[what](game);
    const { bids, ...others } = facts.roundOf(game, 1);
    return facts.enter(game, 1, { ...others, bids: bids.with(seat, bid) });
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
  const { bids } = facts.roundOf(game, 1);
  const { refused, revision } = game;
  return { bids, unsent: facts.unsentCount(game), conflicts: facts.conflicts(game), refused, revision };
}
