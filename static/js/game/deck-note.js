// How to prepare the deck, above the keypad until the first round is scored.

import { preparation } from "../rules/deck.js";
import { element, phrase } from "../offline/phrases.js";

/** Return that as nodes; none after the first round. */
export function deckNote({ rounds, rules, names }) {
  if (rounds.length) return [];
  const lines = preparation(rules, names.length).map(phrase);
  return lines.flatMap((line) => [element("span", line), " "]);
}
