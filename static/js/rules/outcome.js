// What is known of every side between two rounds, when a game is over, and who has won.

import { lengthOf, sum } from "./bidding.js";

/** Return the standing before the first round, with the totals and bags of that. */
export function startOf(rules, starters, sides, { start = [], start_bags: bags = [] } = {}) {
  const zeros = Array(sides).fill(0);
  const own = starters.map((_, seat) => start[seat] ?? 0);
  const totals = zeros.map((_, side) => sum(own.filter((_, seat) => seat % sides === side)));
  return {
    totals, bags: rules.bag_limit && bags.length ? bags : zeros,
    seat_totals: rules.totals_by === "seat" ? own : [],
    tie_break: zeros, sets: zeros, sets_in_a_row: zeros, first_tricks: [],
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

/** Return what a bid is judged by: the rules of its round, the totals before it, and the empty seats. */
export const tableOf = (rules, standing) =>
  ({ rules, totals: kept(standing), empty: standing.seats.empty });

/** Return the totals that the rules ask for: of players where they are kept, else of sides. */
export const kept = ({ seat_totals: seats, totals }) => (seats.length ? seats : totals);

/** Return those of one side. */
export const keptOf = (standing, side) =>
  kept(standing).filter((_, at) => at % standing.totals.length === side);

/** Return how a game stands after a round: how it ends, or null if it goes on. */
export function outcomeOf(rules, standing, number) {
  const last = lengthOf(rules, standing.seats.names.length);
  const isAtLimit = Boolean(last) && number >= last;
  const limit = isAtLimit ? "rounds" : standing.time_is_up ? "last_round" : null;
  const outcome = endingOf(rules, standing, number, limit);
  const { tied = [] } = outcome ?? {};
  if (!limit || !tied.length || rules.tie_at_limit === "another_round") return outcome;
  if (rules.tie_at_limit === "shared") return { reason: limit, winner: tied[0], tied };
  const most = Math.max(...tied.map((side) => standing.tie_break[side]));
  return ledBy(standing, limit, tied.filter((side) => standing.tie_break[side] === most));
}

/** Return the sides that have won: one, or several that share it; none while a tie plays on. */
export const winnersOf = (outcome) =>
  (outcome?.winner ?? null) === null ? [] : outcome.tied.length ? outcome.tied : [outcome.winner];

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
  const { target, win_needs_partner: isNeeded, partner_least: least = 0 } = rules;
  if (!target || Math.max(...totalsPlaying(standing)) < target) return [];
  if (!standing.seat_totals.length) return sides;
  return sides.filter((side) => {
    const own = keptOf(standing, side);
    return Math.max(...own) >= target && (!isNeeded || Math.min(...own) >= least);
  });
}

function ledBy({ totals }, reason, sides) {
  const best = Math.max(...sides.map((side) => totals[side]));
  const leaders = sides.filter((side) => totals[side] === best);
  const isAlone = leaders.length === 1;
  return { reason, winner: isAlone ? leaders[0] : null, tied: isAlone ? [] : leaders };
}
