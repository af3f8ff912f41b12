// What a round makes of every side's total and bags, and how it ends a game.

import { sum } from "./lists.js";
import { booksMoved, finesOf } from "./penalties.js";
import { scoreSeats, scoreSide } from "./scoring.js";

/** Return the standing before the first round. */
export function startOf(rules, starters, sides) {
  const zeros = Array(sides).fill(0);
  const seats = rules.totals_by === "seat" ? starters.map(() => 0) : [];
  return {
    totals: zeros, bags: zeros, seat_totals: seats,
    overtricks: zeros, sets: zeros, sets_in_a_row: zeros, first_tricks: [],
    time_is_up: false, lost: [], seats: { names: starters, empty: [] },
  };
}

/** Return the sides that have lost by a penalty, with those of a round. */
export const lostBy = ({ lost, bags }, penalties) =>
  [...bags.keys()].filter((side) =>
    lost.includes(side) || penalties.some((one) => one.kind === "lost" && one.seat % bags.length === side),
  );

/** Return the sides that play; where seats are empty everybody is a side. */
export const playingSides = ({ totals, seats }) =>
  [...totals.keys()].filter((side) => !seats.empty.includes(side));

// Returns the totals that are kept of those who play.
const totalsPlaying = (standing) =>
  standing.seats.empty.length ? playingSides(standing).map((side) => standing.totals[side]) : kept(standing);

/** Return the totals that the rules ask for: of players where they are kept, else of sides. */
export const kept = ({ seat_totals: seats, totals }) => (seats.length ? seats : totals);

const keptOf = (standing, side) =>
  kept(standing).filter((_, at) => at % standing.totals.length === side);

/** Return the totals that a side's score depends on; none where it depends on none. */
export const totalsForScore = (rules, standing, side) => (rules.call_values ? keptOf(standing, side) : []);

/** Return the score of each seat in a round, where every player has a total. */
export function seatScores(rules, { seat_totals: totals }, round) {
  return totals.length ? scoreSeats(rules, round.bids, round.tricks, totals, finesOf(round)) : [];
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
    overtricks: before.overtricks.map((n, side) => n + scores[side].overtricks),
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
  overtricks: 0, penalty_points: 0,
};

/** Return the score of each side in a round that was played. */
export function scoreSides(rules, sides, standing, { bids, tricks, penalties = [] }) {
  const own = (list, seats) => seats.map((seat) => list[seat]);
  const moved = booksMoved(penalties, takenBySides(tricks, sides.length));
  const [fined, failed] = finesOf({ bids, penalties });
  return sides.map((seats, side) => {
    if (standing.seats.empty.includes(side)) return { ...NO_SCORE, bags: standing.bags[side] };
    const totals = totalsForScore(rules, standing, side);
    const paid = [moved[side], sum(own(fined, seats)), own(failed, seats)];
    return scoreSide(rules, own(bids, seats), own(tricks, seats), standing.bags[side], totals, ...paid);
  });
}

/** Return how a game stands after a round: how it ends, or null if it goes on. */
export function outcomeOf(rules, standing, number) {
  const isAtLimit = Boolean(rules.rounds) && number >= rules.rounds;
  const limit = isAtLimit ? "rounds" : standing.time_is_up ? "last_round" : null;
  const outcome = endingOf(rules, standing, number, limit);
  if (!limit || !outcome.tied.length || rules.tie_at_limit !== "fewer_bags") return outcome;
  const fewest = Math.min(...outcome.tied.map((side) => standing.overtricks[side]));
  return ledBy(standing, limit, outcome.tied.filter((side) => standing.overtricks[side] === fewest));
}

// Returns how the totals end a game, of which a round may be the last by a limit.
function endingOf(rules, standing, number, limit) {
  const sides = playingSides(standing);
  for (const [reason, lost] of losses(rules, standing, number)) {
    if (!lost.length) continue;
    const others = sides.filter((side) => !lost.includes(side));
    return ledBy(standing, reason, others.length ? others : sides);
  }
  const reached = atTarget(rules, standing, sides);
  if (reached.length) return ledBy(standing, "target", reached);
  if (rules.mercy !== null && Math.min(...totalsPlaying(standing)) <= rules.mercy)
    return ledBy(standing, "mercy", sides);
  return limit && ledBy(standing, limit, sides);
}

// Returns the sides that lose whatever their totals, by the reason.
function losses(rules, standing, number) {
  const { first_tricks: first, sets, sets_in_a_row: inARow, lost } = standing;
  const { first_round_minimum: least, sets_lose: many, sets_in_a_row_lose: row } = rules;
  const where = (loses) => playingSides(standing).filter(loses);
  const isLate = number >= (rules.minimum_rounds || 1);
  return [
    ["penalty", lost],
    ["first_round", least ? where((side) => first[side] < least) : []],
    ["sets", where((side) => isLate && ((many && sets[side] >= many) || (row && inARow[side] >= row)))],
  ];
}

function atTarget(rules, standing, sides) {
  const { target, win_needs_partner: isNeeded } = rules;
  if (!target || Math.max(...totalsPlaying(standing)) < target) return [];
  if (!standing.seat_totals.length) return sides;
  return sides.filter((side) => {
    const own = keptOf(standing, side);
    return Math.max(...own) >= target && (!isNeeded || Math.min(...own) >= 0);
  });
}

function ledBy({ totals }, reason, sides) {
  const best = Math.max(...sides.map((side) => totals[side]));
  const leaders = sides.filter((side) => totals[side] === best);
  const isAlone = leaders.length === 1;
  return { reason, winner: isAlone ? leaders[0] : null, tied: isAlone ? [] : leaders };
}
