// Lines about what a round has beside bids and tricks: who comes, who leaves, penalties.

import { misdealLine } from "./announcement.js";
import { bdi, phrase, render, sentence } from "../offline/phrases.js";
import { penaltyReason } from "../rules/explain.js";
import { seatsAfter, seatsIn } from "../rules/seating.js";

/** Return the notes of the round that is played; after the end what lost it. */
export function roundNotes(game, { open, phase, number, dealer }) {
  const lost = open.penalties.filter(({ kind }) => kind === "lost");
  const found = phase === "over" ? penaltyLines(game, number, { penalties: lost }) : roundLines(game, number, open);
  const last = phase !== "over" && open.last_round ? [sentence("is_last_round")] : [];
  const misdeal = misdealLine(game, { open, number, dealer, phase });
  const lines = [...last, ...found.map(({ line }) => line), ...(misdeal ? [misdeal] : [])];
  return lines.map((line) => render("note", { line }));
}

/** Return a line for each change of players and each penalty of round `n`, as `{seat, line}`. */
export const roundLines = (game, n, round) =>
  [...seatLines(game, n, round), ...penaltyLines(game, n, round)];

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

// Returns a line for each penalty of round `n`, with the name of who sat there.
function penaltyLines(game, n, { penalties = [], substitutes }) {
  const { names } = seatsAfter(seatsIn(game, n - 1), substitutes ?? game.rounds[n - 1]?.substitutes);
  return penalties.map((one) => {
    const what = phrase(penaltyReason(one, one.size, game.rules.shown_as));
    return { seat: one.seat, line: sentence("penalty_of", { name: bdi(names[one.seat]), what }) };
  });
}
