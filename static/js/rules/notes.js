// The notes of a round: its penalties, whether it is the last, who takes a seat; and the deck that is
// prepared for as many players.

import { notesOf, placesOf } from "./game.js";
import { outcomeOf, winnersOf } from "./outcome.js";
import { seatsAfter, takenSeats } from "./seating.js";
import { sentenceOf } from "./explain.js";
import { refuse, Refused } from "./sentence.js";
import { cardsOf, empties, highestBid, planOf, totalSteps } from "./bidding.js";

const MAX_POINTS = 1000;
const MAX_BONUS = 1000000;
const LONGEST_REASON = 60; // characters
const MAX_PENALTIES = 12; // of a round
const LONGEST_REMARK = 500; // characters
const MOST_CARDS = 26; // of a player

function checkPenalties(rules, penalties) {
  if (penalties.length > MAX_PENALTIES) return [refuse(null, "penalties", { most: MAX_PENALTIES })];
  return penalties.flatMap((one) => wrongPenalty(rules, one) ?? []);
}

function wrongPenalty({ totals_by: by, tricks, partnerships }, { seat, kind, size, to, reason }) {
  if (kind === "bonus" && !(Math.abs(size) >= 1 && Math.abs(size) <= MAX_BONUS))
    return refuse(seat, "penalty_points", { most: MAX_BONUS });
  if (kind === "bonus" && [...reason].length > LONGEST_REASON)
    return refuse(seat, "penalty_reason", { most: LONGEST_REASON });
  if (kind === "points" && !(size >= 1 && size <= MAX_POINTS))
    return refuse(seat, "penalty_points", { most: MAX_POINTS });
  if (kind === "books" && by === "seat") return refuse(seat, "penalty_seat_books");
  if (kind === "books" && !(size >= 1 && size <= tricks)) return refuse(seat, "penalty_books", { tricks });
  if (to === "others" && (kind !== "books" || !partnerships)) return refuse(seat, "penalty_to");
  return null;
}

/** Give one more penalty; they stand in the order of seats. */
export function givePenalty(state, round, penalty) {
  const penalties = [...(round.penalties ?? []), penalty].sort((one, other) => one.seat - other.seat);
  const wrong = checkPenalties(state.rules, penalties);
  if (wrong.length) throw new Refused(wrong);
  return { ...round, penalties };
}

/** Remove the bids of a round that is dealt again; penalties stay. */
export function misdeal(round) {
  if (round.tricks) throw new Refused([refuse(null, "misdeal")]);
  return { ...round, bids: empties(round.bids.length), tally: null };
}

/** Return the fewest and the most cards that a round can be dealt. */
export function cardsRange(rules, players) {
  const bidders = Math.floor(players / (rules.bid_by === "side" ? 2 : 1));
  const each = Math.ceil(leastTotal(rules) / bidders);
  const steps = totalSteps(rules.minimum_by_total).map(([, number]) => number);
  const low = Math.max(1, rules.minimum_bid, rules.board ?? 0, each, ...steps);
  return { low, high: Math.min(Math.floor((rules.pack ?? SUITED) / players), MOST_CARDS) };
}

/** Deal a round other cards than the list says; its bids are removed, as they were made with others. */
export function dealCards({ rules, players }, number, round, cards) {
  if (round.tricks) throw new Refused([refuse(null, "misdeal")]);
  const dealt = cards === cardsOf(rules, number, players) ? null : cards;
  const { low, high } = cardsRange(rules, players);
  if (dealt !== null && !rules.cards) throw new Refused([refuse(null, "cards_fixed")]);
  if (dealt !== null && !(dealt >= low && dealt <= high)) throw new Refused([refuse(null, "cards_dealt", { low, high })]);
  return dealt === (round.cards ?? null) ? round : misdeal({ ...round, cards: dealt });
}

/** Return a round whose remarks are not too long. */
export function checkRemarks(round) {
  const isLong = [round.remark, round.game_remark].some((text) => text && [...text].length > LONGEST_REMARK);
  if (isLong) throw new Refused([refuse(null, "remark", { most: LONGEST_REMARK })]);
  return round;
}

/** Make a round the last of the game. */
export function callLastRound(round) {
  if (round.tricks) throw new Refused([refuse(null, "last_round")]);
  return { ...round, last_round: true };
}

/**
 * Return how a game ends with its newest scored round as the last, or null if it cannot: the state that it comes to,
 * where a tie that would play on is shared, whether that drops what was entered of the open round, and how many bids
 * that is, if it is nothing else.
 */
export function endingNow(state) {
  const { phase, rounds, open } = state;
  if (phase === "over" || !rounds.length) return null;
  const standing = { ...rounds.at(-1).after, time_is_up: true };
  const outcomeBy = (rules) => outcomeOf(rules, standing, rounds.length);
  const shared = { ...state.rules, tie_at_limit: "shared" };
  const isTied = outcomeBy(state.rules) && !winnersOf(outcomeBy(state.rules)).length;
  const isEarlier = ({ after, number }) => number < rounds.length && winnersOf(outcomeOf(shared, after, number)).length;
  const rules = isTied ? shared : state.rules;
  const outcome = outcomeBy(rules);
  const won = winnersOf(outcome);
  if (!won.length || (isTied && rounds.some(isEarlier))) return null;
  const hasMore = open.tally || JSON.stringify({ ...notesOf(open), last_round: false }) !== JSON.stringify(notesOf({}));
  const bids = open.bids.filter((bid) => bid !== null).length;
  const over = { ...state, rules, standing, outcome, number: rounds.length, phase: "over", places: placesOf(standing, won) };
  return { state: over, bids: hasMore ? 0 : bids, drops: Boolean(hasMore || bids) };
}

/** Make the newest scored round the last of the game. */
export function endNow(state, number, round) {
  if (number !== state.rounds.length || !endingNow(state)) throw new Refused([refuse(null, "end_now")]);
  return { ...round, last_round: true };
}

/**
 * Give a seat to a player from this round on, or leave it empty where that is null; `before` are the seats
 * in the round before. Where the number of players changes, the cards are dealt again.
 */
export function takeSeat({ rules, number }, before, round, seat, player) {
  if (round.tricks) throw new Refused([refuse(seat, "substitute")]);
  const now = seatsAfter(before, round.substitutes);
  const isEmpty = now.empty.includes(seat);
  if (player === null && isEmpty) throw new Refused([refuse(seat, "empty")]);
  if (now.names.includes(player) && !(isEmpty && player === now.names[seat]))
    throw new Refused([refuse(seat, "seated")]);
  const others = (round.substitutes ?? []).filter((one) => one.seat !== seat);
  const substitutes = [...others, { seat, player }].filter((one) => isChange(before, one));
  substitutes.sort((one, other) => one.seat - other.seat);
  const seats = seatsAfter(before, substitutes);
  for (const one of substitutes) checkSubstitute(before, seats, one, number);
  const n = takenSeats(seats).length;
  if (`${seats.empty}` !== `${before.empty}` && !sizesOf(rules).includes(n))
    throw new Refused([refuse(null, "table_size", { n })]);
  const changed = { ...round, substitutes };
  return `${seats.empty}` === `${now.empty}` ? changed : misdeal(changed);
}

/**
 * Let the players of two seats change them from this round on; bids and counts that are theirs go with
 * them. `before` are the seats in the round before.
 */
export function swapSeats({ rules }, before, round, seats) {
  if (round.tricks) throw new Refused([refuse(null, "substitute")]);
  const { names, empty } = seatsAfter(before, round.substitutes);
  const two = new Set(seats.filter((seat) => !empty.includes(seat)));
  if (two.size !== 2 || seats.length !== 2) throw new Refused([refuse(null, "two_seats")]);
  const other = (seat) => (seat === seats[0] ? seats[1] : seat === seats[1] ? seats[0] : seat);
  const swapped = (list) => list?.map((_, seat) => list[other(seat)]) ?? list;
  const others = (round.substitutes ?? []).filter(({ seat }) => !seats.includes(seat));
  const own = seats.map((seat) => ({ seat, player: names[other(seat)] })).filter((one) => isChange(before, one));
  const substitutes = [...others, ...own].sort((one, next) => one.seat - next.seat);
  const bids = rules.bid_by === "side" ? round.bids : swapped(round.bids);
  return { ...round, bids, tally: rules.tricks_by === "side" ? round.tally : swapped(round.tally), substitutes };
}

function isChange({ names, empty }, { seat, player }) {
  return (player === null) !== empty.includes(seat) || (player !== null && player !== names[seat]);
}

function checkSubstitute({ names, empty }, after, { seat, player }, number) {
  if (player === null && number === 1) throw new Refused([refuse(seat, "first_round")]);
  const isBack = empty.includes(seat) && names[seat] === player;
  const isTwice = after.names.filter((name) => name === player).length > 1;
  if (player !== null && isTwice && !isBack) throw new Refused([refuse(seat, "seated")]);
}

const SUITED = 52; // cards of a pack that is known card by card
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS = ["♣", "♦", "♥", "♠"]; // in the order in which their cards are removed

/** Return the numbers of players for whom the pack is enough, and who can bid as much as needed. */
export const sizesOf = (rules) => rules.players.filter((n) => planOf(rules, n).length && canBeBid(rules, n));

// Whether so many players can bid the least total with which cards are played.
function canBeBid(rules, players) {
  const bidders = Math.floor(players / (rules.bid_by === "side" ? 2 : 1));
  const most = Math.min(highestBid(rules), ...planOf(rules, players));
  return bidders * most >= leastTotal(rules);
}

// The largest sum of bids below which cards are dealt again.
const leastTotal = (rules) =>
  Math.max(rules.bids_at_least ?? 0, ...totalSteps(rules.bids_at_least_by_total).map(([, least]) => least));

// Whether two jokers can take the place of two low cards, at any number of players.
function jokersCanPlay(rules) {
  if (rules.cards || rules.deal === "drawn" || (rules.pack ?? SUITED) !== SUITED) return false;
  const isWhole = sizesOf(rules).some((n) => n * rules.tricks === SUITED);
  return isWhole && !rules.partnerships && rules.clockwise !== false;
}

/** Return which cards to remove before the first deal: whole ranks, single cards, jokers. */
export function preparation(rules, players) {
  const { tricks, cards, deal, pack = SUITED } = rules;
  if (deal === "drawn") return [sentenceOf("deck_drawn", { n: pack, tricks })];
  if (cards) return [sentenceOf("deck_list", { n: pack })];
  const surplus = Math.max(0, pack - tricks * players);
  const left = sentenceOf("deck_left", { n: pack - surplus, tricks });
  if (surplus && pack % SUITED) return [sentenceOf("deck_aside", { n: surplus }), left];
  if (surplus && pack > SUITED) return [sentenceOf("deck_cards", { cards: lowCards(surplus).join(" ") }), left];
  if (!surplus) {
    const all = sentenceOf("deck_all", { n: pack, tricks });
    return jokersCanPlay(rules) ? [all, sentenceOf("deck_jokers", { cards: "2♣ 2♦" })] : [all];
  }
  const whole = Math.floor(surplus / SUITS.length);
  const single = SUITS.slice(0, surplus % SUITS.length).map((suit) => RANKS[whole] + suit);
  return [
    whole === 1 && sentenceOf("deck_rank", { rank: RANKS[0] }),
    whole > 1 && sentenceOf(ranksCode(whole), { low: RANKS[0], second: RANKS[1], high: RANKS[whole - 1] }),
    single.length > 0 && sentenceOf("deck_cards", { cards: single.join(" ") }),
    left,
  ].filter(Boolean);
}

// Returns the lowest cards of two packs.
const lowCards = (n) =>
  RANKS.flatMap((rank) => SUITS.flatMap((suit) => [rank + suit, rank + suit])).slice(0, n);

const ranksCode = (n) => (n > 3 ? "deck_ranks" : `deck_ranks_${n}`);
