// How to prepare the deck: a note above the keypad until the first entry, again for more or fewer players.

import { element, phrase } from "../offline/phrases.js";
import { preparation } from "../rules/notes.js";
import { takenSeats } from "../rules/seating.js";

/** Return the note as nodes; none after the first round, unless the number of players has changed. */
export function deckNote({ rules }, { rounds, open, standing }) {
  const n = takenSeats(standing.seats).length;
  const isPrepared = rounds.length > 0 && takenSeats(rounds.at(-1).after.seats).length === n;
  if (isPrepared || open.tally || open.bids.some((bid) => bid !== null)) return [];
  const lines = preparation(rules, n).map(phrase);
  return lines.flatMap((line) => [element("span", line), " "]);
}
