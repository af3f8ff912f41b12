// A game: rounds folded into a state with totals, bags, dealer, phase, and the outcome. The scripts of
// this folder that have the names of the server's scorekeeper/rules give the same results, which tests
// compare. Seats and sides count from 0, rounds from 1; null means off, open, or nobody. All functions
// are pure. Sentences are returned as a code with values, which `translate` turns into text.
//
// rules: the fields of a RuleSet, by name      bid: a number, "blind 6", "nil" or "blind nil"
// round: {bids, tricks, tally} by seat, and what notesOf returns
// penalty: {seat, kind, size, to, reason}      refusal: {seat, code, values}
// score: what scoreSide returns, for a side    hint: {kind, code, values}
// state: what fold returns                     totals, bags: by side

import { areMade, biddingOrder, empties, inRound, sidesOf, sum, thrownIn, turned } from "./bidding.js";
import { kept, keptOf, lostBy, outcomeOf, startOf, tableOf, winnersOf } from "./outcome.js";
import { booksMoved, chargeOf, scoreSeats, scoreSide, tieBreak } from "./scoring.js";
import { takeSeats } from "./seating.js";

/** Return all facts of a round but bids and tricks. */
export const notesOf = ({ penalties = [], last_round = false, substitutes = [], remark = "", game_remark = "", cards = null, start = [], start_bags = [], trump = null }) =>
  ({ penalties, last_round, substitutes, remark, game_remark, cards, start, start_bags, trump });

/**
 * Return the state of a game, whose last round may be unfinished. The names of the starters tell who
 * comes back to a seat; without them nobody does. `known` are the first rounds as they were scored before.
 */
export function fold(rules, players, firstDealer, rounds, starters = Array(players).fill(""), known = []) {
  if (!rules.players.includes(players)) throw new RangeError("players");
  const sides = sidesOf(rules, players);
  const scored = [...known];
  let standing = known.at(-1)?.after ?? startOf(rules, starters, sides.length, rounds[0]);
  let open = { bids: empties(players), tricks: null, tally: null, ...notesOf({}) };
  let outcome = known.at(-1)?.outcome ?? null;
  let uncounted = 0;
  const isOver = () => outcome !== null && outcome.winner !== null;
  const isClockwise = rules.clockwise !== false;
  const nextDealer = ({ empty }) => {
    let dealer = scored.length ? turned(players, scored.at(-1).dealer, 1, isClockwise) : firstDealer;
    while (empty.includes(dealer)) dealer = turned(players, dealer, 1, isClockwise);
    return dealer;
  };
  for (const round of rounds.slice(known.length)) {
    const { bids, tricks = null, tally = null } = round;
    const notes = notesOf(round);
    const { penalties, substitutes } = notes;
    if (isOver()) {
      uncounted += 1;
      continue;
    }
    if (open.bids.some((bid) => bid !== null)) throw new RangeError("rounds");
    if (tricks === null) {
      open = { bids, tricks, tally, ...notes };
      const before = takeSeats(rules, standing, substitutes);
      const lost = lostBy(before, penalties);
      const end = lost.length && outcomeOf(rules, { ...before, lost }, scored.length + 1);
      if (end && end.winner !== null) [standing, outcome] = [{ ...before, lost }, end];
      continue;
    }
    const number = scored.length + 1;
    const before = takeSeats(rules, standing, substitutes);
    const played = { bids, tricks, ...notes };
    const own = inRound(rules, number, players, notes.cards);
    const scores = scoreSides(own, sides, before, played);
    standing = standingAfter(own, before, scores, played);
    outcome = outcomeOf(rules, standing, number);
    const dealer = nextDealer(before.seats);
    scored.push({ number, dealer, ...played, scores, before, after: standing, outcome });
  }
  const over = isOver();
  const isScored = over && standing === scored.at(-1)?.after; // or a penalty has ended the open round
  const number = scored.length + (isScored ? 0 : 1);
  if (!over) standing = takeSeats(rules, standing, open.substitutes);
  const dealer = isScored ? scored.at(-1).dealer : nextDealer(standing.seats);
  const { empty } = standing.seats;
  const unbid = bidsItself(rules, number);
  const again = over || unbid ? null : thrownIn(tableOf(rules, standing), open.bids);
  const isPlayed = unbid || (areMade(rules, open.bids, empty) && !again);
  return {
    rules,
    players,
    sides,
    rounds: scored,
    standing,
    number,
    dealer,
    order: biddingOrder(players, dealer, isClockwise).filter((seat) => !empty.includes(seat)),
    places: placesOf(standing, winnersOf(outcome)),
    phase: over ? "over" : isPlayed ? "playing" : "bidding",
    open,
    outcome,
    uncounted,
    bids_itself: unbid,
    thrown_in: again,
  };
}

/** Return whether a round is played without bids: what a side takes is its contract. */
export const bidsItself = (rules, number) => rules.first_round_bids_itself && number === 1;

/** Return the seats whose bids, or then tricks, are asked for; of a side that is one, its first is. */
export function askedSeats({ rules, phase, order, sides }) {
  const by = phase === "bidding" ? rules.bid_by : rules.tricks_by;
  return by === "side" ? [...new Set(order.map((seat) => seat % sides.length))] : order;
}

// The winner comes first, those who have left last, and ties share the better place.
export function placesOf({ totals, seats }, won) {
  const rank = (side) => [won.includes(side), !seats.empty.includes(side), totals[side]].map(Number);
  const ranks = totals.map((_, side) => rank(side));
  const isBetter = (one, own) => {
    const at = one.findIndex((part, n) => part !== own[n]);
    return at >= 0 && one[at] > own[at];
  };
  return ranks.map((own) => 1 + ranks.filter((one) => isBetter(one, own)).length);
}

/** Return how many tricks each side has taken. */
export const takenBySides = (tricks, sides) =>
  Array.from({ length: sides }, (_, side) => sum(tricks.filter((_n, seat) => seat % sides === side)));

/** Return the standing after a round with the scores of its sides. */
export function standingAfter(rules, before, scores, round) {
  const { tricks, penalties = [], last_round: isLast = false } = round;
  const own = seatScores(rules, before, round);
  const played = takenBySides(tricks, scores.length);
  const moved = booksMoved(penalties, played);
  const taken = played.map((n, side) => n + moved[side]);
  return {
    totals: before.totals.map((total, side) => total + scores[side].points),
    bags: scores.map(({ bags }) => bags),
    seat_totals: before.seat_totals.map((total, seat) => total + own[seat].points),
    tie_break: before.tie_break.map((n, side) => n + tieBreak(rules, scores[side])),
    sets: before.sets.map((n, side) => n + Number(scores[side].made === false)),
    sets_in_a_row: before.sets_in_a_row.map((n, side) => (scores[side].made === false ? n + 1 : 0)),
    first_tricks: before.first_tricks.length ? before.first_tricks : taken,
    time_is_up: before.time_is_up || isLast,
    lost: lostBy(before, penalties),
    seats: before.seats,
  };
}

// Of a side that does not play; its bags stay.
const NO_SCORE = {
  nil_points: 0, contract_points: 0, overtrick_points: 0, bag_penalty: 0, points: 0, contract: 0, made: null,
  overtricks: 0, penalty_points: 0, bonus_points: 0,
};

/** Return the score of each side in a round that was played. */
export function scoreSides(rules, sides, standing, { bids, tricks, penalties = [] }) {
  const own = (list, seats) => seats.map((seat) => list[seat]);
  const moved = booksMoved(penalties, takenBySides(tricks, sides.length));
  return sides.map((seats, side) => {
    if (standing.seats.empty.includes(side)) return { ...NO_SCORE, bags: standing.bags[side] };
    const totals = totalsForScore(rules, standing, side);
    const charge = chargeOf(penalties, seats, moved[side]);
    return scoreSide(rules, own(bids, seats), own(tricks, seats), standing.bags[side], totals, charge);
  });
}

/** Return the score of each seat in a round, where every player has a total. */
export const seatScores = (rules, { seat_totals: totals }, { bids, tricks, penalties = [] }) =>
  totals.length ? scoreSeats(rules, bids, tricks, totals, chargeOf(penalties, [...bids.keys()])) : [];

/** Return the totals that a side's score depends on; none where it depends on none. */
export const totalsForScore = (rules, standing, side) => (rules.call_values ? keptOf(standing, side) : []);
