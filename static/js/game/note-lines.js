// Lines about what a round has beside bids and tricks: who comes, who leaves, penalties.

import { bdi, phrase, sentence } from "../offline/phrases.js";
import { penaltyReason } from "../rules/penalties.js";
import { seatsIn } from "../rules/seating.js";

/** Return a line for each player who comes or leaves in round `n`, as `{seat, line}`. */
export function seatLines(game, n, { substitutes = [] }) {
  const before = seatsIn(game, n - 1);
  return substitutes.map((one) => ({ seat: one.seat, line: seatLine(before, one) }));
}

function seatLine({ names, empty }, { seat, player }) {
  if (player === null) return sentence("leaves_table", { name: bdi(names[seat]) });
  if (empty.includes(seat)) return sentence("joins_table", { name: bdi(player) });
  return sentence("takes_seat", { name: bdi(player), old: bdi(names[seat]) });
}

/** Return a line for each penalty of a round, as `{seat, line}`. */
export function penaltyLines({ names, rules }, { penalties = [] }) {
  return penalties.map((one) => {
    const what = phrase(penaltyReason(one, one.size, rules.shown_as));
    return { seat: one.seat, line: sentence("penalty_of", { name: bdi(names[one.seat]), what }) };
  });
}
