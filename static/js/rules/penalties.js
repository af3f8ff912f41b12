// Penalties: what a player's side pays for a fault.

import { sum } from "./lists.js";

/** Return how many books each penalty moves: as many as the side still has of those `taken` by sides. */
export function booksPaid(penalties, taken) {
  const left = [...taken];
  return penalties.map((penalty) => {
    const n = penalty.kind === "books" ? Math.min(penalty.size, left[penalty.seat % left.length]) : 0;
    moveBooks(left, penalty, n);
    return n;
  });
}

function moveBooks(books, { seat, to }, n) {
  const side = seat % books.length;
  books[side] -= n;
  if (to === "others") books[1 - side] += n;
}

/** Return how many books each side gains by penalties; losses are negative. */
export function booksMoved(penalties, taken) {
  const moved = taken.map(() => 0);
  booksPaid(penalties, taken).forEach((n, at) => moveBooks(moved, penalties[at], n));
  return moved;
}

/** Return the points that each seat pays, and how often its contract counts as set. */
export const finesOf = ({ bids, penalties = [] }) =>
  ["points", "set"].map((kind) =>
    bids.map((_, seat) =>
      sum(penalties.map((one) => (one.kind === kind && one.seat === seat ? one.size : 0))),
    ),
  );
