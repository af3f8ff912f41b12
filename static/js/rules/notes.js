// The notes of a round: its penalties, whether it is the last, and who takes a seat.

import { Refused, refuse } from "./engine.js";

const MAX_POINTS = 1000;
const MAX_PENALTIES = 12; // of a round

function checkPenalties(rules, penalties) {
  if (penalties.length > MAX_PENALTIES) return [refuse(null, "penalties", { most: MAX_PENALTIES })];
  return penalties.flatMap((one) => wrongPenalty(rules, one) ?? []);
}

function wrongPenalty({ totals_by: by, tricks, partnerships }, { seat, kind, size, to }) {
  if (kind === "points" && !(size >= 1 && size <= MAX_POINTS))
    return refuse(seat, "penalty_points", { most: MAX_POINTS });
  if (kind === "books" && by === "seat") return refuse(seat, "penalty_seat_books");
  if (kind === "books" && !(size >= 1 && size <= tricks)) return refuse(seat, "penalty_books", { tricks });
  if (to === "others" && (kind !== "books" || !partnerships)) return refuse(seat, "penalty_to");
  return null;
}

/** Give one more penalty; they stand in the order of seats. */
export function givePenalty(state, round, penalty) {
  const penalties = [...(round.penalties ?? []), penalty].sort((one, other) => one.seat - other.seat);
  const wrong = checkPenalties(state.rules, penalties);
  if (wrong.length) throw new Refused(wrong);
  return { ...round, penalties };
}

/** Make a round the last of the game. */
export function callLastRound(round) {
  if (round.tricks) throw new Refused([refuse(null, "last_round")]);
  return { ...round, last_round: true };
}

/** Give a seat to a player from this round on; `before` are the names of the round before. */
export function takeSeat(before, round, seat, player) {
  if (round.tricks) throw new Refused([refuse(seat, "substitute")]);
  const names = [...before];
  for (const one of round.substitutes ?? []) names[one.seat] = one.player;
  if (names.includes(player)) throw new Refused([refuse(seat, "seated")]);
  names[seat] = player;
  const substitutes = names.flatMap((name, at) => (name === before[at] ? [] : [{ seat: at, player: name }]));
  if (substitutes.some((one) => before.includes(one.player))) throw new Refused([refuse(seat, "seated")]);
  return { ...round, substitutes };
}
