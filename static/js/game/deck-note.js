// How to prepare the deck, above the keypad until the first bid, also of another number of players.

import { preparation } from "../rules/deck.js";
import { takenSeats } from "../rules/seating.js";
import { element, phrase } from "../offline/phrases.js";

/** Return that as nodes; none after the first round, unless another number of players sits there. */
export function deckNote({ rounds, rules }, { rounds: scored, open, standing }) {
  const n = takenSeats(standing.seats).length;
  const hasChanged = scored.length > 0 && takenSeats(scored.at(-1).after.seats).length !== n;
  const isAnew = hasChanged && open.bids.every((bid) => bid === null);
  if (rounds.length && !isAnew) return [];
  const lines = preparation(rules, n).map(phrase);
  return lines.flatMap((line) => [element("span", line), " "]);
}
