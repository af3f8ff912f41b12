// How to prepare the deck: a note above the keypad until the first bid, again for more or fewer players.

import { preparation } from "../rules/deck.js";
import { takenSeats } from "../rules/seating.js";
import { element, phrase } from "../offline/phrases.js";

/** Return the note as nodes; none after the first round, unless the number of players has changed. */
export function deckNote({ rounds, rules }, { rounds: scored, open, standing }) {
  const n = takenSeats(standing.seats).length;
  const hasChanged = scored.length > 0 && takenSeats(scored.at(-1).after.seats).length !== n;
  const isAnew = hasChanged && open.bids.every((bid) => bid === null);
  if (rounds.length && !isAnew) return [];
  const lines = preparation(rules, n).map(phrase);
  return lines.flatMap((line) => [element("span", line), " "]);
}
