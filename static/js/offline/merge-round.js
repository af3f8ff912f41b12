// Three-way merge of a round: as phone and server last knew it, as it is here, and as it is there now.

import { countsOf, isSame, notesOf } from "./entries.js";

/** Return whether an entry without tricks takes the place of what both knew. */
export const isReopened = (known, round) => !round.tricks && !isSame(round, known);

/**
 * Return the merged round, where one side changed nothing or both filled different cells, else null: a
 * conflict. It is one, too, where one side played on (`isPlayedOn`) from a round that the other reopened,
 * or counted tricks after a bid that the other took back.
 */
export function mergeRound(known, own, now, wasOurs, isPlayedOn) {
  if (isSame(own, now)) return now;
  if (wasOurs || isSame(now, known)) return isPlayedOn ? null : own;
  if (isSame(own, known)) return isPlayedOn ? null : now;
  const bids = own.bids.map((bid, seat) => mergeCell(known.bids[seat], bid, now.bids[seat]));
  const counts = mergeCounts(...[known, own, now].map(countsOf));
  const notes = mergeNotes(...[known, own, now].map(notesOf));
  if (bids.includes(undefined) || !counts || !notes) return null;
  const isCounted = counts.tally?.some((count) => count !== null);
  const isTakenBack = (bid, seat) => bid === null && (own.bids[seat] ?? now.bids[seat]) !== null;
  if ((counts.tricks || isCounted) && bids.some(isTakenBack)) return null;
  return { bids, tricks: counts.tricks, tally: isCounted ? counts.tally : null, ...notes };
}

function mergeNotes(known, own, now) {
  const last = mergeCell(known.last_round, own.last_round, now.last_round);
  const listOf = (name) => mergeCell(...[known, own, now].map((notes) => JSON.stringify(notes[name])));
  const [penalties, substitutes] = ["penalties", "substitutes"].map(listOf);
  if (penalties === undefined || substitutes === undefined) return null;
  return { penalties: JSON.parse(penalties), last_round: last, substitutes: JSON.parse(substitutes) };
}

// Returns undefined for a conflict.
function mergeCell(known, own, now) {
  if (own === now || now === known) return own;
  return own === known ? now : undefined;
}

function mergeCounts(known, own, now) {
  const [before, ours, theirs] = [known, own, now].map((counts) => JSON.stringify(counts));
  if (theirs === before || ours === theirs) return own;
  if (ours === before) return now;
  if (known.tricks || (own.tricks && now.tricks)) return null;
  const [whole, part] = own.tricks ? [own, now] : [now, own];
  if (whole.tricks) {
    const fits = part.tally.every((count, seat) => count === null || count === whole.tricks[seat]);
    return fits ? whole : null;
  }
  const tally = own.tally.map((count, seat) => mergeCell(known.tally[seat], count, now.tally[seat]));
  return tally.includes(undefined) ? null : { tricks: null, tally };
}
