// Who surely wins with the round to be played, in whatever way its tricks fall. Of each end that another side
// can come to counts only how it compares with the one that is to win; see the server's certainty.py.

import { isNil, lengthOf, roundRules, sum } from "./bidding.js";
import { totalsForScore } from "./game.js";
import { keptOf, playingSides } from "./outcome.js";
import { scoreSide, tieBreak } from "./scoring.js";

// A kind of end is a sum of these: the side has lost by a penalty or its first tricks, it has by its sets, it
// ends the game, and it is not behind the one that is to win, in points or by a target.
export const LOST = 1;
export const SET = 2;
export const OVER = 4;
const [AHEAD, LEADS] = [8, 16];

/** Return a game with the rules of its round, and whether it ends with that unless a tie plays on. */
export function roundAhead(game) {
  const { rules, players, number, open, standing } = game;
  const last = lengthOf(rules, players);
  const isLast = Boolean(standing.time_is_up || open.last_round || (last && number >= last));
  return { ...game, rules: roundRules(game), isLast };
}

/**
 * Return whether a side wins, alone or with others, if its tricks fall in one of these ways, or without them
 * in any. The state is that of `roundAhead`, with all bids, and no penalties in the round.
 */
export function surelyWins(state, side, ways = null) {
  const own = endsOf(state, side, ways);
  if (!canEndWithoutTarget(state) && !own.every(({ isThere }) => isThere)) return false;
  const others = playingSides(state.standing).filter((other) => other !== side).map((other) => endsOf(state, other));
  let isPossible = false;
  for (const end of own)
    for (const kinds of together(state, end, others)) {
      isPossible = true;
      if (!isWon(state, end, kinds)) return false;
    }
  return isPossible;
}

/** Return whether a round can end the game though no target is reached. */
export function canEndWithoutTarget({ rules, standing, isLast }) {
  const { sets_lose: many, sets_in_a_row_lose: row, first_round_minimum: least } = rules;
  return isLast || standing.lost.length || rules.mercy !== null || many || row || least;
}

/** Return where a side can be after the round, with some ways of its tricks or with all. */
export function endsOf(state, side, ways) {
  const { rules, sides, standing, open, isLast } = state;
  const bids = sides[side].map((seat) => open.bids[seat]);
  const totals = totalsForScore(rules, standing, side);
  const before = keptOf(standing, side);
  const one = (bid, at) => trickCounts(rules).map((n) => scoreSide(rules, [bid], [n], 0, totals.slice(at, at + 1)));
  const bySeat = standing.seat_totals.length ? bids.map(one) : null;
  return (ways ?? allWays(rules, bids)).map((tricks) => {
    const own = bySeat
      ? bySeat.map((scores, at) => scores[tricks[at]])
      : [scoreSide(rules, bids, tricks, standing.bags[side], totals)];
    const after = before.map((total, at) => total + own[at].points);
    const isThere = hasReached(rules, after);
    const isOver = isThere || (rules.mercy !== null && Math.min(...after) <= rules.mercy);
    const isSet = own.some(({ made }) => made === false);
    const kind = (isOver ? OVER : 0) | lossOf(state, side, sum(tricks), isSet);
    const isDecided = isLast && !["another_round", "shared"].includes(rules.tie_at_limit);
    const breaks = isDecided ? standing.tie_break[side] + sum(own.map((score) => tieBreak(rules, score))) : 0;
    return { taken: tricks, tricks: sum(tricks), kind, isThere, total: sum(after), breaks };
  });
}

const trickCounts = ({ tricks }) => [...Array(tricks + 1).keys()];

// Returns the ways of a side's tricks, those of partners as one where they score the same.
function allWays(rules, bids) {
  const counts = trickCounts(rules);
  if (bids.length === 1) return counts.map((n) => [n]);
  if (rules.totals_by !== "seat" && !bids.some(isNil)) return counts.map((n) => [n, 0]);
  return counts.flatMap((n) => counts.slice(0, n + 1).map((own) => [own, n - own]));
}

function hasReached({ target, win_needs_partner: isNeeded, partner_least: least = 0 }, after) {
  return Boolean(target) && Math.max(...after) >= target && (!isNeeded || Math.min(...after) >= least);
}

function lossOf({ rules, standing, number }, side, tricks, isSet) {
  const { first_tricks: first, lost, sets, sets_in_a_row: inARow } = standing;
  const { first_round_minimum: least, sets_lose: many, sets_in_a_row_lose: row } = rules;
  if (lost.length) return lost.includes(side) ? LOST : 0;
  if (least && (first.length ? first[side] : tricks) < least) return LOST;
  if (number < (rules.minimum_rounds || 1)) return 0;
  const isOften = many && sets[side] + isSet >= many;
  return isOften || (row && isSet && inARow[side] + 1 >= row) ? SET : 0;
}

// Returns lists of the kinds of ends that the others can have together beside one of a side.
function together(state, own, others) {
  const { tricks, lost_tricks: lost = 0 } = state.rules;
  const most = tricks - own.tricks;
  let reached = new Map([[0, 1]]); // sums of tricks as bits, by the kinds so far as bits
  for (const ends of others) {
    const byKind = new Map();
    for (const end of ends) {
      const kind = end.kind | comparison(state, own, end);
      byKind.set(kind, byKind.get(kind) | (1 << end.tricks));
    }
    const next = new Map();
    for (const [kinds, sums] of reached)
      for (const [kind, counts] of byKind) {
        const both = kinds | (1 << kind);
        next.set(both, next.get(both) | added(sums, counts, most));
      }
    reached = next;
  }
  const left = (sums) => sums >> Math.max(0, most - lost);
  return [...reached].filter(([, sums]) => left(sums)).map(([kinds]) => bitsOf(kinds));
}

const bitsOf = (bits) => [...Array(32).keys()].filter((n) => (bits >>> n) & 1);

// Returns the sums, up to `most`, of one number of each set; sets are bits.
function added(sums, counts, most) {
  let found = 0;
  for (let n = 0; n <= most; n += 1) if ((counts >> n) & 1) found |= sums << n;
  return found & ((1 << (most + 1)) - 1);
}

function comparison({ rules, isLast }, own, other) {
  const ahead = other.total - own.total || other.breaks - own.breaks;
  const isAhead = ahead > 0 || (ahead === 0 && !(isLast && rules.tie_at_limit === "shared"));
  const leads = rules.totals_by === "seat" && other.isThere !== own.isThere ? other.isThere : isAhead;
  return (isAhead ? AHEAD : 0) | (leads ? LEADS : 0);
}

// Returns whether a side wins beside others of these kinds: what outcomeOf says of them.
function isWon({ standing, isLast }, own, kinds) {
  const everybody = [own.kind, ...kinds];
  const has = (flag) => everybody.some((kind) => kind & flag);
  const lost = standing.lost.length || has(LOST) ? LOST : has(SET) ? SET : 0;
  if (!lost) return (isLast || has(OVER)) && !kinds.some((kind) => kind & LEADS);
  if (everybody.every((kind) => kind & lost)) return !kinds.some((kind) => kind & AHEAD);
  return !(own.kind & lost) && !kinds.some((kind) => kind & AHEAD && !(kind & lost));
}
