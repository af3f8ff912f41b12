// Lines about what a round has beside bids and tricks: who comes, who leaves, penalties.

import { bdi, phrase, render, sentence } from "../offline/phrases.js";
import { penaltyReason } from "../rules/reasons.js";
import { seatsIn } from "../rules/seating.js";

/**
 * Return the notes of the round that is played; after the end what lost it. A phone is told when the
 * player of its `own` seat leaves.
 */
export function roundNotes(game, { open, phase, number }, own) {
  const lost = open.penalties.filter(({ kind }) => kind === "lost");
  const found = phase === "over" ? penaltyLines(game, { penalties: lost }) : roundLines(game, number, open, own);
  const last = phase !== "over" && open.last_round ? [sentence("is_last_round")] : [];
  return [...last, ...found.map(({ line }) => line)].map((line) => render("note", { line }));
}

/** Return a line for each change of players and each penalty of round `n`, as `{seat, line}`. */
export const roundLines = (game, n, round, own = null) =>
  [...seatLines(game, n, round, own), ...penaltyLines(game, round)];

// Returns a line for each player who comes or leaves in round `n`.
function seatLines(game, n, { substitutes = [] }, own) {
  const before = seatsIn(game, n - 1);
  return substitutes.map((one) => {
    const line = seatLine(before, one);
    const isOurs = one.seat === own && one.player === null;
    return { seat: one.seat, line: isOurs ? sentence("enters_for_all", { left: line }) : line };
  });
}

function seatLine({ names, empty }, { seat, player }) {
  if (player === null) return sentence("leaves_table", { name: bdi(names[seat]) });
  if (empty.includes(seat)) return sentence("joins_table", { name: bdi(player) });
  return sentence("takes_seat", { name: bdi(player), old: bdi(names[seat]) });
}

// Returns a line for each penalty of a round.
function penaltyLines({ names, rules }, { penalties = [] }) {
  return penalties.map((one) => {
    const what = phrase(penaltyReason(one, one.size, rules.shown_as));
    return { seat: one.seat, line: sentence("penalty_of", { name: bdi(names[one.seat]), what }) };
  });
}
