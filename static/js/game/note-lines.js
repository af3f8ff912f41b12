// Lines about what a round has beside bids and tricks: who comes, who leaves, penalties.

import { bdi, phrase, render, sentence } from "../offline/phrases.js";
import { penaltyReason } from "../rules/reasons.js";
import { seatsIn } from "../rules/seating.js";

/** Return the notes of the round that is played; after the end what lost it. */
export function roundNotes(game, { open, phase, number }) {
  const lost = open.penalties.filter(({ kind }) => kind === "lost");
  const found = phase === "over" ? penaltyLines(game, { penalties: lost }) : roundLines(game, number, open);
  const last = phase !== "over" && open.last_round ? [sentence("is_last_round")] : [];
  return [...last, ...found.map(({ line }) => line)].map((line) => render("note", { line }));
}

/** Return a line for each change of players and each penalty of round `n`, as `{seat, line}`. */
export const roundLines = (game, n, round) =>
  [...seatLines(game, n, round), ...penaltyLines(game, round)];

// Returns a line for each player who comes or leaves in round `n`.
function seatLines(game, n, { substitutes = [] }) {
  const before = seatsIn(game, n - 1);
  return substitutes.map((one) => ({ seat: one.seat, line: seatLine(before, one) }));
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
