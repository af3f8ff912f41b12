// Preparation of the deck: the codes and values that the server's rules/deck.py returns.

import { sentenceOf } from "./sentence.js";

const DECK = 52;
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS = ["♣", "♦", "♥", "♠"]; // in the order in which their cards are removed

/** Return the numbers of players for whom one deck is enough. */
export const sizesOf = ({ players, tricks }) => players.filter((n) => n * tricks <= DECK);

// Whether two jokers can take the place of two low cards, at any number of players.
function jokersCanPlay(rules) {
  const isWhole = sizesOf(rules).some((n) => n * rules.tricks === DECK);
  return isWhole && !rules.partnerships && rules.clockwise !== false;
}

/** Return which cards to remove before the first deal: whole ranks, single cards, jokers. */
export function preparation(rules, players) {
  const { tricks } = rules;
  const surplus = Math.max(0, DECK - tricks * players);
  if (!surplus) {
    const all = sentenceOf("deck_all", { n: DECK, tricks });
    return jokersCanPlay(rules) ? [all, sentenceOf("deck_jokers", { cards: "2♣ 2♦" })] : [all];
  }
  const whole = Math.floor(surplus / SUITS.length);
  const single = SUITS.slice(0, surplus % SUITS.length).map((suit) => RANKS[whole] + suit);
  return [
    whole === 1 && sentenceOf("deck_rank", { rank: RANKS[0] }),
    whole > 1 && sentenceOf(ranksCode(whole), { low: RANKS[0], second: RANKS[1], high: RANKS[whole - 1] }),
    single.length > 0 && sentenceOf("deck_cards", { cards: single.join(" ") }),
    sentenceOf("deck_left", { n: DECK - surplus, tricks }),
  ].filter(Boolean);
}

const ranksCode = (n) => (n > 3 ? "deck_ranks" : `deck_ranks_${n}`);
