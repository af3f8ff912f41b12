// What one side scores in one round, in named parts that add up, and what it pays for penalties.

import { blindTricks, callFactor, contract, isNil, isNumber, sum, worthOf } from "./bidding.js";

/**
 * Return the score of a side in a round, from the bids and tricks of its seats. `totals` before the round,
 * of the side or its seats, are needed only by `call_values`. `charge` is what `chargeOf` returns. Where
 * `bid_by` is the side, one seat has its bid.
 */
export function scoreSide(rules, bids, tricks, bagsBefore, totals = [], charge = NO_CHARGE) {
  if (isOfSide(rules, bids)) ({ bids, tricks } = ofSide(bids, tricks));
  const open = bids.includes(null);
  const { moved } = charge;
  const fine = sum(sizes(charge, "points"));
  const fails = sizes(charge, "set").length;
  if (bids.length !== tricks.length || (open && bids.some((bid) => bid !== null)))
    throw new RangeError("bids");
  if (rules.totals_by === "seat" && bids.length > 1)
    return addedScores(scoreSeats(rules, bids, tricks, totals, charge), bagsBefore);
  const goal = open ? sum(tricks) + moved : contract(bids);
  const hasContract = open || bids.some(isNumber);
  const [helping, byNil] = open
    ? [goal, 0]
    : afterMove(tricksFor(rules, bids, tricks, hasContract), moved, hasContract);
  const made = hasContract ? isMade(rules, goal, helping) && !fails : null;
  const asked = [sum(totals), blindTricks(bids)];
  const missing = fails ? goal : goal - helping;
  let contractPoints = 0;
  if (made) contractPoints = madePoints(rules, goal, helping - goal, ...asked);
  else if (hasContract) contractPoints = failedPoints(rules, goal, helping, missing, asked);
  const nil = nilPoints(rules, bids, tricks);
  const spare = hasContract && fails ? 0 : byNil + (made ? helping - goal : 0);
  const most = rules.overtrick_cap ?? Infinity;
  const paid = Math.max(0 - most, Math.min(0 + spare * rules.overtrick_points, most)); // never -0
  const [penalty, bags] = countBags(rules, bagsBefore + spare);
  const isFailed = made === false || bids.some((bid, at) => isNil(bid) && tricks[at]);
  const mostBonus = isFailed && rules.bonus_counts === "made" ? 0 : Infinity;
  const bonus = sum(sizes(charge, "bonus").map((points) => Math.min(points, mostBonus)));
  return {
    nil_points: nil,
    contract_points: contractPoints,
    overtrick_points: paid,
    bag_penalty: 0 - penalty,
    points: nil + contractPoints + paid - penalty - fine + bonus,
    contract: goal,
    made,
    overtricks: spare,
    bags,
    penalty_points: 0 - fine,
    bonus_points: bonus,
  };
}

/** Return what a round counts for a side in a tie after the last round; the most wins. */
export function tieBreak({ tie_at_limit: tie }, { made, overtricks }) {
  if (tie === "exact_bids") return Number(made === true && !overtricks);
  return tie === "fewer_bags" ? 0 - overtricks : 0;
}

/** Return whether bids are the one of a side, which one of its seats has. */
export const isOfSide = (rules, bids) =>
  rules.bid_by === "side" && bids.length > 1 && bids.includes(null);

/** Return the one bid of a side and its tricks, as those of a single seat. */
export const ofSide = (bids, tricks) => ({
  bids: [bids.find((bid) => bid !== null) ?? null], tricks: [sum(tricks)],
});

/** Return the score of each seat by itself, with what penalties do to all of them. */
export const scoreSeats = (rules, bids, tricks, totals, { paid }) =>
  bids.map((bid, at) => {
    const own = (list) => list.slice(at, at + 1);
    return scoreSide(rules, [bid], own(tricks), 0, own(totals), { moved: 0, paid: own(paid) });
  });

/** Return whether so many tricks make a contract. */
export function isMade({ made }, goal, helping) {
  if ((made ?? "at_least") === "at_least" || helping <= goal) return helping >= goal;
  return made === "below_double" && helping < 2 * goal;
}

// Returns what a made contract scores: one value only, the most special one that applies.
function madePoints(rules, goal, beyond, total, blind) {
  const worth = worthOf(rules.worth, goal, blind > 0 && blind === goal);
  if (isSet(worth?.made) && !(worth.isExact && beyond)) return worth.made * (worth.madeByCard ? rules.tricks : 1);
  const usual = rules.trick_points * callFactor(rules.call_values, goal, total);
  const bonus = rules.made_bonus ?? 0;
  if (blind && isSet(rules.blind_trick_points))
    return blind * rules.blind_trick_points + (goal - blind) * usual + bonus;
  if (isSet(rules.boston_made) && goal === rules.tricks) return rules.boston_made;
  if (isSet(rules.ten_made) && goal >= 10) return rules.ten_made;
  if (isSet(rules.ten_for) && goal >= 10) return goal * rules.ten_for + bonus;
  return goal * usual + bonus;
}

// Returns what a failed contract scores; all tricks are missing if it counts as set, and fewer than none
// where too many were taken.
function failedPoints(rules, goal, helping, missing, [total, blind]) {
  const worth = worthOf(rules.worth, goal, blind > 0 && blind === goal);
  if (isSet(worth?.failed)) return 0 - worth.failed * (worth.failedByCard ? rules.tricks : 1);
  const beside = helping * (rules.failed_trick_points ?? 0) - (rules.miss_points ?? 0);
  const usual = rules.set_points * callFactor(rules.call_values, goal, total);
  if (blind && isSet(rules.blind_set_points))
    return beside - blind * rules.blind_set_points - lostTricks(rules, goal - blind, missing) * usual;
  if (isSet(rules.ten_failed) && goal >= 10) return beside - rules.ten_failed;
  return beside - lostTricks(rules, goal, missing) * usual;
}

// Returns how many of the tricks bid a failed contract pays for.
function lostTricks({ failed_bid: failed }, bid, missing) {
  if (failed === "zero") return 0;
  if (failed === "difference" && missing < 0) return 0 - missing;
  return failed === "per_trick" ? bid : Math.min(bid, Math.max(missing, 0));
}

// A value that a game stored long ago does not have is off.
const isSet = (value) => value !== null && value !== undefined;

// Returns the score of a side whose seats are scored one by one.
function addedScores(scores, bagsBefore) {
  const added = (part) => sum(scores.map((score) => score[part]));
  const contracts = scores.flatMap(({ made }) => made ?? []);
  return {
    ...Object.fromEntries(Object.keys(scores[0]).map((part) => [part, added(part)])),
    made: contracts.length ? contracts.every(Boolean) : null,
    bags: bagsBefore + added("overtricks"),
  };
}

// Returns the tricks that count for the contract, and those that are overtricks anyway.
function tricksFor({ failed_nil_tricks: failed }, bids, tricks, hasContract) {
  const numeric = byNumbers(bids, tricks);
  const byNil = sum(tricks) - numeric;
  if (failed === "ignored") return [numeric, 0];
  return failed === "contract" && hasContract ? [numeric + byNil, 0] : [numeric, byNil];
}

// Returns the same after books were moved; a loss takes first those that help.
function afterMove([helping, spare], moved, hasContract) {
  if (moved > 0) return hasContract ? [helping + moved, spare] : [helping, spare + moved];
  const lost = Math.min(helping, -moved);
  return [helping - lost, Math.max(0, spare + moved + lost)];
}

export const byNumbers = (bids, tricks) => sum(tricks.filter((_, at) => isNumber(bids[at])));

export const areBothNil = (rules, bids) =>
  rules.double_nil_points !== null && bids.length === 2 && bids.every((bid) => bid === "nil");

function nilPoints(rules, bids, tricks) {
  if (areBothNil(rules, bids)) return rules.double_nil_points * (sum(tricks) ? -1 : 1);
  return sum(bids.map((bid, at) => (isNil(bid) ? nilScore(rules, bid, tricks[at]) : 0)));
}

/** Return what a Nil scores that took so many tricks; if it fails, less than nothing. */
export function nilScore(rules, bid, taken) {
  const isBlind = bid !== "nil";
  const points = (isBlind ? rules.blind_nil_points : rules.nil_points) ?? 0;
  if (!taken) return points;
  return 0 - ((isBlind ? rules.blind_nil_failed : rules.nil_failed) ?? points);
}

// Returns the penalty due, and the bags that remain.
function countBags({ bag_limit: limit, bag_penalty: penalty, bag_remainder: rest }, bags) {
  if (limit === null || bags < limit) return [0, bags];
  if (rest === "dropped") return [penalty ?? 0, 0];
  return [(penalty ?? 0) * Math.floor(bags / limit), bags % limit];
}

/** Return how many books each penalty moves: as many as the side still has of those `taken` by sides. */
export function booksPaid(penalties, taken) {
  const left = [...taken];
  return penalties.map((penalty) => {
    const n = penalty.kind === "books" ? Math.min(penalty.size, left[penalty.seat % left.length]) : 0;
    moveBooks(left, penalty, n);
    return n;
  });
}

function moveBooks(books, { seat, to }, n) {
  const side = seat % books.length;
  books[side] -= n;
  if (to === "others") books[(side + 1) % books.length] += n;
}

/** Return how many books each side gains by penalties; losses are negative. */
export function booksMoved(penalties, taken) {
  const moved = taken.map(() => 0);
  booksPaid(penalties, taken).forEach((n, at) => moveBooks(moved, penalties[at], n));
  return moved;
}

/** Return what penalties do to some seats: how many books their side gains, and what each of them has paid. */
export const chargeOf = (penalties, seats, moved = 0) =>
  ({ moved, paid: seats.map((seat) => penalties.filter((one) => one.seat === seat)) });

export const NO_CHARGE = chargeOf([], []);

/** Return the sizes of the penalties of a kind, of all seats. */
export const sizes = ({ paid }, kind) => paid.flat().flatMap((one) => (one.kind === kind ? one.size : []));
