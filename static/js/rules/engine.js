// The rules engine: the same results as scorekeeper/rules, which tests compare. Seats and sides count
// from 0, rounds from 1; null means off, open, or nobody. All functions are pure. Sentences are
// returned as a code with values, which `translate` turns into text.
//
// rules: the fields of a RuleSet, by name      bid: a number, "blind 6", "nil" or "blind nil"
// round: {bids, tricks, tally, penalties, last_round, substitutes}, the first three by seat
// penalty: {seat, kind, size, to, reason}      refusal: {seat, code, values}
// score: what scoreSide returns, for a side    hint: {kind, code, values}
// state: what fold returns                     totals, bags: by side

import { seatsAfter, takeSeats } from "./seating.js";
import { formatPoints, formatSigned, pointsForGap } from "./sentence.js";

export const isNil = (bid) => bid === "nil" || bid === "blind nil";
const isNumber = (bid) => bid !== null && !isNil(bid);
/** Return the number of a blind bid, 0 for any other. */
export const blindNumber = (bid) => (isNil(bid) || typeof bid !== "string" ? 0 : Number(bid.slice(6)));
const numberOf = (bid) => (typeof bid === "number" ? bid : blindNumber(bid));
/** Return how many of the tricks bid were bid blind. */
export const blindTricks = (bids) => sum(bids.map(blindNumber));
export const sum = (counts) => counts.reduce((all, count) => all + (count ?? 0), 0);
const replaced = (list, at, value) => list.map((old, index) => (index === at ? value : old));
const empties = (players) => Array(players).fill(null);
export const sideOf = (sides, seat) => sides.findIndex((seats) => seats.includes(seat));

/** Thrown for an illegal entry; `refusals` has one item for each seat at fault. */
export class Refused extends Error {
  constructor(refusals) {
    super(refusals.map(({ code }) => code).join(" "));
    this.refusals = refusals;
  }
}

// Bids

/** Parse a bid; throw RangeError if it is not one. */
export function parseBid(text) {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  if (/^(blind )?nil$|^blind (0?[1-9]|[1-9][0-9])$/.test(text)) return text.replace(" 0", " ");
  throw new RangeError(text);
}

/** Return the seats of each side; partners sit opposite each other. */
export function sidesOf(rules, players) {
  const seats = [...Array(players).keys()];
  if (!rules.partnerships) return seats.map((seat) => [seat]);
  const half = Math.floor(players / 2);
  return seats.slice(0, half).map((seat) => [seat, seat + half]);
}

/** Return the seats in the order in which they bid. */
export function biddingOrder(players, dealer, isClockwise = true) {
  return empties(players).map((_, turn) => turned(players, dealer, turn + 1, isClockwise));
}

const turned = (players, seat, steps, isClockwise) =>
  (((seat + (isClockwise ? steps : -steps)) % players) + players) % players;

/** Return whether both partners of a side make a bid. */
export const doPartnersBid = (rules) => rules.partnerships && rules.bid_by !== "side";

/** Return how many seats bid: all of them, or the first of each side, which come first. */
export const calls = (rules, players) => (rules.bid_by === "side" ? sidesOf(rules, players).length : players);

/** Return whether every seat that bids has done so. */
export const areMade = (rules, bids, empty = []) =>
  bids.slice(0, calls(rules, bids.length)).filter((bid) => bid === null).length <= empty.length;

/** Return the sum of the bids that are numbers. */
export const contract = (bids) => sum(bids.map(numberOf));

/** Return all bids that the rules know, in the order of the keys. */
export function possibleBids(rules) {
  const found = [];
  if (rules.nil_points !== null) found.push("nil");
  if (rules.blind_nil_points !== null) found.push("blind nil");
  for (let bid = rules.minimum_bid; bid <= highestBid(rules); bid += 1) found.push(bid);
  return found;
}

/** Return all blind bids of a number that the rules know. */
export function blindBids(rules) {
  const found = [];
  const { blind_bid_from: lowest } = rules;
  for (let n = lowest || Infinity; n <= highestBid(rules); n += 1) found.push(`blind ${n}`);
  return found;
}

/** Return the highest number that a seat may bid. */
export const highestBid = ({ tricks, maximum_bid: most }) => Math.min(tricks, most || tricks);

/** Return why a seat may not make a bid, or null; `totals` of sides or seats are those before the round. */
export function refusal(rules, bids, seat, bid, totals, empty = []) {
  if (empty.includes(seat)) return refuse(seat, "empty");
  if (seat >= calls(rules, bids.length)) return refuse(seat, "side_bid");
  const others = replaced(bids, seat, null);
  const own = isNil(bid)
    ? nilRefusal(rules, others, seat, bid, totals)
    : (blindRefusal(rules, seat, bid, totals) ?? numberRefusal(rules, numberOf(bid), totals));
  const reason = own ?? boardRefusal(rules, others, seat, bid) ?? hookRefusal(rules, others, bid, empty);
  return reason && refuse(seat, ...reason);
}

/** Return the refusals of a complete round of bids. */
export function checkBids(rules, bids, totals, empty = []) {
  const found = bids.flatMap((bid, seat) => {
    if (bid === null)
      return seat < calls(rules, bids.length) && !empty.includes(seat) ? [refuse(seat, "missing")] : [];
    const made = bids.map((one, other) => (other < seat ? one : null));
    return refusal(rules, made, seat, bid, totals, empty) ?? [];
  });
  const tooLow = found.length ? null : thrownIn(rules, bids, totals, empty);
  return tooLow ? [tooLow] : found;
}

/** Return why the cards are dealt again once everybody has bid, or null. */
export function thrownIn(rules, bids, totals, empty = []) {
  if (!rules.bids_at_least || !areMade(rules, bids, empty)) return null;
  const usual = rules.bids_at_least;
  const least = fromTotal(rules.bids_at_least_by_total, Math.max(...totals), usual);
  const worth = (bid, seat) => numberOf(bid) * callFactor(rules.call_values, numberOf(bid), totals[seat % totals.length]);
  const areValues = rules.bids_at_least_counts === "values";
  const n = areValues
    ? sum(bids.map((bid, seat) => (isNumber(bid) ? worth(bid, seat) : 0)))
    : contract(bids);
  return n < least ? refuse(null, "thrown_in", { n, least }) : null;
}

/** Return the refusals of a complete round of trick counts. */
export function checkTricks(rules, counts, empty = []) {
  const { tricks } = rules;
  const taken = empty.filter((seat) => counts[seat]);
  if (taken.length) return [refuse(taken[0], "empty")];
  const found = counts.flatMap((n, seat) =>
    n >= 0 && n <= tricks ? [] : [refuse(seat, "tricks_range", { tricks, n })],
  );
  const n = sum(counts);
  if (found.length || n === tricks) return found;
  return [refuse(null, "sum", { n, tricks })];
}

export const refuse = (seat, code, values = {}) => ({ seat, code, values });

function numberRefusal(rules, bid, totals) {
  const { minimum_bid: usual, minimum_by_total: steps, nil_points: nil } = rules;
  const [low, high] = [fromTotal(steps, Math.max(...totals), usual), highestBid(rules)];
  if (bid < 1 || bid > high) return [nil === null ? "range_no_nil" : "range", { low, high }];
  return bid < low ? ["minimum", { low }] : null;
}

function blindRefusal(rules, seat, bid, totals) {
  const { blind_bid_from: low, blind_bid_deficit: deficit } = rules;
  if (!blindNumber(bid)) return null;
  if (!low) return ["blind_bid"];
  if (blindNumber(bid) < low) return ["blind_bid_from", { low }];
  const n = behind(totals, seat);
  return deficit && n < deficit ? ["blind_bid_deficit", { deficit, behind: Math.max(n, 0) }] : null;
}

function nilRefusal(rules, others, seat, bid, totals) {
  if (bid === "nil") return rules.nil_points === null ? ["nil"] : null;
  if (rules.blind_nil_points === null) return ["blind_nil"];
  const sides = sidesOf(rules, others.length);
  const mates = sides[sideOf(sides, seat)];
  const mateIsBlind = mates.some((mate) => others[mate] === "blind nil");
  if (rules.blind_nil_partners === "one" && mateIsBlind) return ["blind_nil_partner"];
  const deficit = rules.blind_nil_deficit;
  const n = behind(totals, seat);
  return deficit === null || n >= deficit ? null : ["blind_nil_deficit", { deficit, behind: Math.max(n, 0) }];
}

const bestOther = (totals, own) => Math.max(...totals.filter((_, side) => side !== own));

function behind(totals, seat) {
  const own = seat % totals.length;
  return bestOther(totals, own) - totals[own];
}

function boardRefusal(rules, others, seat, bid) {
  const { board, bid_by: by } = rules;
  if (board === null) return null;
  const own = by === "side" ? [seat] : sidesOf(rules, others.length).find((seats) => seats.includes(seat));
  const together = own.map((mate) => (mate === seat ? bid : others[mate]));
  const n = contract(together);
  if (together.includes(null) || !together.some(isNumber) || n >= board) return null;
  return ["board", { board, n }];
}

function hookRefusal(rules, others, bid, empty) {
  const { bids_may_equal_tricks: free, tricks } = rules;
  const isOpen = (one, seat) => one === null && seat < calls(rules, others.length);
  const isLast = others.filter(isOpen).length === 1 + empty.length;
  return !free && isLast && contract([...others, bid]) === tricks ? ["hook", { tricks }] : null;
}

// Scores

/**
 * Return the score of a side in a round, from the bids and tricks of its seats. `totals` before the round,
 * of the side or its seats, are needed only by `call_values`. `moved` are the books that penalties give
 * to the side, or take from it; `fine` are the points that it pays; `failed` is not 0 for a seat
 * whose contract fails whatever it took. Where `bid_by` is the side, one seat has its bid.
 */
export function scoreSide(
  rules, bids, tricks, bagsBefore, totals = [], moved = 0, fine = 0, failed = [],
) {
  if (isOfSide(rules, bids)) {
    const whole = ofSide(bids, tricks, failed);
    return scoreSide(rules, whole.bids, whole.tricks, bagsBefore, totals, moved, fine, whole.failed);
  }
  const open = bids.includes(null);
  if (bids.length !== tricks.length || (open && bids.some((bid) => bid !== null)))
    throw new RangeError("bids");
  if (rules.totals_by === "seat" && bids.length > 1)
    return addedScores(scoreSeats(rules, bids, tricks, totals, [[], failed]), bagsBefore, fine);
  const goal = open ? sum(tricks) + moved : contract(bids);
  const hasContract = open || bids.some(isNumber);
  const [helping, byNil] = open
    ? [goal, 0]
    : afterMove(tricksFor(rules, bids, tricks, hasContract), moved, hasContract);
  const made = hasContract ? helping >= goal && !sum(failed) : null;
  const blind = blindTricks(bids);
  const contractPoints = made
    ? madePoints(rules, goal, sum(totals), blind)
    : made === false ? 0 - failedPoints(rules, goal, helping, sum(totals), blind) : 0;
  const nil = nilPoints(rules, bids, tricks);
  const spare = hasContract && sum(failed) ? 0 : byNil + (made ? helping - goal : 0);
  const paid = Math.min(spare * rules.overtrick_points, rules.overtrick_cap ?? Infinity);
  const [penalty, bags] = countBags(rules, bagsBefore + spare);
  return {
    nil_points: nil,
    contract_points: contractPoints,
    overtrick_points: paid,
    bag_penalty: 0 - penalty,
    points: nil + contractPoints + paid - penalty - fine,
    contract: goal,
    made,
    overtricks: spare,
    bags,
    penalty_points: 0 - fine,
  };
}

/** Return whether bids are the one of a side, which one of its seats has. */
export const isOfSide = (rules, bids) =>
  rules.bid_by === "side" && bids.length > 1 && bids.includes(null);

/** Return the one bid of a side and its tricks, as those of a single seat. */
export const ofSide = (bids, tricks, failed) => ({
  bids: [bids.find((bid) => bid !== null) ?? null], tricks: [sum(tricks)], failed: [sum(failed)],
});

// Returns the score of each seat of a side by itself, less the points that each pays.
export function scoreSeats(rules, bids, tricks, totals, [fined, failed]) {
  return bids.map((bid, at) =>
    scoreSide(rules, [bid], [tricks[at]], 0, totals.slice(at, at + 1), 0, fined[at], [failed[at]]),
  );
}

// Returns what a made contract scores: one value only, the most special one that applies.
function madePoints(rules, goal, total, blind) {
  if (blind && isSet(rules.blind_trick_points)) {
    const usual = rules.trick_points * callFactor(rules.call_values, goal, total);
    return blind * rules.blind_trick_points + (goal - blind) * usual;
  }
  if (isSet(rules.boston_made) && goal === rules.tricks) return rules.boston_made;
  if (isSet(rules.ten_made) && goal >= 10) return rules.ten_made;
  if (isSet(rules.ten_for) && goal >= 10) return goal * rules.ten_for;
  return goal * rules.trick_points * callFactor(rules.call_values, goal, total);
}

function failedPoints(rules, goal, helping, total, blind) {
  const price = rules.set_points * callFactor(rules.call_values, goal, total);
  const missing = Math.max(0, goal - helping);
  if (blind && isSet(rules.blind_set_points))
    return blind * rules.blind_set_points + lostTricks(rules, goal - blind, missing) * price;
  if (isSet(rules.ten_failed) && goal >= 10) return rules.ten_failed;
  return lostTricks(rules, goal, missing) * price;
}

// Returns how many of the tricks bid a failed contract pays for.
function lostTricks({ failed_bid: failed }, bid, missing) {
  if (failed === "zero") return 0;
  return failed === "shortfall" ? Math.min(bid, missing) : bid;
}

// A value that a game stored long ago does not have is off.
const isSet = (value) => value !== null && value !== undefined;

// Returns the score of a side whose seats are scored one by one.
function addedScores(scores, bagsBefore, fine) {
  const added = (part) => sum(scores.map((score) => score[part]));
  const contracts = scores.map(({ made }) => made).filter((made) => made !== null);
  return {
    nil_points: added("nil_points"),
    contract_points: added("contract_points"),
    overtrick_points: added("overtrick_points"),
    bag_penalty: added("bag_penalty"),
    points: added("points") - fine,
    contract: added("contract"),
    made: contracts.length ? contracts.every((made) => made) : null,
    overtricks: added("overtricks"),
    bags: bagsBefore + added("overtricks"),
    penalty_points: 0 - fine,
  };
}

/** Return the steps of a table of values, such as "1-6:1,7-13:2" or "5-6:1@30". */
export function callSteps(callValues) {
  const steps = callValues ? callValues.split(",") : [];
  return steps.map((step) => {
    const [low, high, factor, total = null] = step.split(/[-:@]/).map(Number);
    return { low, high, factor, total };
  });
}

// Returns how many times a bid counts; of several steps that fit the last decides.
function callFactor(callValues, bid, own) {
  const fits = ({ low, high, total }) => low <= bid && bid <= high && (total === null || own >= total);
  return callSteps(callValues).findLast(fits)?.factor ?? 1;
}

/** Return the pairs of a total and a number in a value such as "30:12,40:13". */
export const totalSteps = (steps) =>
  steps ? steps.split(",").map((step) => step.split(":").map(Number)) : [];

function fromTotal(steps, own, otherwise) {
  return totalSteps(steps).findLast(([total]) => own >= total)?.[1] ?? otherwise;
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
  const score = (worth, count) => (count ? 0 - (worth ?? 0) : (worth ?? 0));
  if (areBothNil(rules, bids)) return score(rules.double_nil_points, sum(tricks));
  return sum(bids.map((bid, at) => (isNil(bid) ? score(nilWorth(rules, bid), tricks[at]) : 0)));
}

export const nilWorth = (rules, bid) => (bid === "nil" ? rules.nil_points : rules.blind_nil_points);

// Returns the penalty due, and the bags that remain.
function countBags({ bag_limit: limit, bag_penalty: penalty, bag_remainder: rest }, bags) {
  if (limit === null || bags < limit) return [0, bags];
  if (rest === "dropped") return [penalty ?? 0, 0];
  return [(penalty ?? 0) * Math.floor(bags / limit), bags % limit];
}

// Penalties

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
  if (to === "others") books[1 - side] += n;
}

export function booksMoved(penalties, taken) {
  const moved = taken.map(() => 0);
  booksPaid(penalties, taken).forEach((n, at) => moveBooks(moved, penalties[at], n));
  return moved;
}

// Returns the points that each seat pays, and how often its contract counts as set.
export const finesOf = ({ bids, penalties = [] }) =>
  ["points", "set"].map((kind) =>
    bids.map((_, seat) =>
      sum(penalties.map((one) => (one.kind === kind && one.seat === seat ? one.size : 0))),
    ),
  );

/** Return what a penalty does to the side that pays, or `gains`. */
export function penaltyReason({ kind, size, to, reason }, n, shownAs, gains = false) {
  const values = { reason: { code: reason, values: {} }, n, points: formatSigned(0 - size, shownAs) };
  if (kind !== "books") return { code: `paid_${kind}`, values };
  return { code: gains ? "books_won" : to === "others" ? "books_lost" : "books_taken", values };
}

// Games

/**
 * Return the state of a game, whose last round may be unfinished. The names of the starters tell who
 * comes back to a seat; without them nobody does.
 */
export function fold(rules, players, firstDealer, rounds, starters = Array(players).fill("")) {
  if (!rules.players.includes(players)) throw new RangeError("players");
  const sides = sidesOf(rules, players);
  const scored = [];
  let standing = startOf(rules, starters, sides.length);
  let open = { bids: empties(players), tricks: null, tally: null, penalties: [], last_round: false, substitutes: [] };
  let outcome = null;
  let uncounted = 0;
  const isOver = () => outcome !== null && outcome.winner !== null;
  const isClockwise = rules.clockwise !== false;
  const nextDealer = ({ empty }) => {
    let dealer = scored.length ? turned(players, scored.at(-1).dealer, 1, isClockwise) : firstDealer;
    while (empty.includes(dealer)) dealer = turned(players, dealer, 1, isClockwise);
    return dealer;
  };
  for (const round of rounds) {
    const { bids, tricks = null, tally = null, penalties = [], last_round = false } = round;
    const { substitutes = [] } = round;
    if (isOver()) {
      uncounted += 1;
      continue;
    }
    if (open.bids.some((bid) => bid !== null)) throw new RangeError("rounds");
    if (tricks === null) {
      open = { bids, tricks, tally, penalties, last_round, substitutes };
      const before = takeSeats(rules, standing, substitutes);
      const lost = lostBy(before, penalties);
      const end = lost.length && outcomeOf(rules, { ...before, lost }, scored.length + 1);
      if (end && end.winner !== null) [standing, outcome] = [{ ...before, lost }, end];
      continue;
    }
    const number = scored.length + 1;
    const before = takeSeats(rules, standing, substitutes);
    const played = { bids, tricks, penalties, last_round, substitutes };
    const scores = scoreSides(rules, sides, before, played);
    standing = standingAfter(rules, before, scores, played);
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
  return {
    rules,
    players,
    sides,
    rounds: scored,
    standing,
    number,
    dealer,
    order: biddingOrder(players, dealer, isClockwise).filter((seat) => !empty.includes(seat)),
    places: placesOf(standing, outcome?.winner ?? null),
    phase: over ? "over" : unbid || isPlayed(rules, open.bids, standing) ? "playing" : "bidding",
    open,
    outcome,
    uncounted,
    bids_itself: unbid,
  };
}

const isPlayed = (rules, bids, standing) =>
  areMade(rules, bids, standing.seats.empty) && !thrownIn(rules, bids, kept(standing), standing.seats.empty);

/** Return the seats whose bids, or then tricks, are asked for; of a side that is one, its first is. */
export function askedSeats({ rules, phase, order, sides }) {
  const by = phase === "bidding" ? rules.bid_by : rules.tricks_by;
  return by === "side" ? [...new Set(order.map((seat) => seat % sides.length))] : order;
}

/** Return why the cards of this round are dealt again after all bids, or null. */
export function thrownInNow({ rules, open, standing, phase, bids_itself: unbid }) {
  return unbid || phase === "over" ? null : thrownIn(rules, open.bids, kept(standing), standing.seats.empty);
}

// The winner comes first, those who have left last, and ties share the better place.
function placesOf({ totals, seats }, won) {
  const rank = (side) => [side === won, !seats.empty.includes(side), totals[side]].map(Number);
  const ranks = totals.map((_, side) => rank(side));
  const isBetter = (one, own) => {
    const at = one.findIndex((part, n) => part !== own[n]);
    return at >= 0 && one[at] > own[at];
  };
  return ranks.map((own) => 1 + ranks.filter((one) => isBetter(one, own)).length);
}

function startOf(rules, starters, sides) {
  const zeros = Array(sides).fill(0);
  const seats = rules.totals_by === "seat" ? starters.map(() => 0) : [];
  return {
    totals: zeros, bags: zeros, seat_totals: seats,
    overtricks: zeros, sets: zeros, sets_in_a_row: zeros, first_tricks: [],
    time_is_up: false, lost: [], seats: { names: starters, empty: [] },
  };
}

// The sides that have lost by a penalty, with those of a round.
const lostBy = ({ lost, bags }, penalties) =>
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

export const takenBySides = (tricks, sides) =>
  Array.from({ length: sides }, (_, side) => sum(tricks.filter((_n, seat) => seat % sides === side)));

function standingAfter(rules, before, scores, round) {
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

/** Return the standing after a round that was played. */
export function advance(rules, sides, standing, round) {
  const before = takeSeats(rules, standing, round.substitutes);
  return standingAfter(rules, before, scoreSides(rules, sides, before, round), round);
}

const bidsItself = (rules, number) => rules.first_round_bids_itself && number === 1;

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
  const isAtLimit = Boolean(rules.rounds) && number >= rules.rounds;
  if (!isAtLimit && !standing.time_is_up) return null;
  const reason = isAtLimit ? "rounds" : "last_round";
  const outcome = ledBy(standing, reason, sides);
  if (!outcome.tied.length || rules.tie_at_limit !== "fewer_bags") return outcome;
  const fewest = Math.min(...outcome.tied.map((side) => standing.overtricks[side]));
  return ledBy(standing, reason, outcome.tied.filter((side) => standing.overtricks[side] === fewest));
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

// Entries: each returns the changed round, or throws `Refused`

/** Enter the bid of a seat. */
export function placeBid(state, number, round, seat, bid) {
  if (bidsItself(state.rules, number)) throw new Refused([refuse(seat, "bids_itself")]);
  const empty = emptySeats(state, number, round);
  const wrong = refusal(state.rules, round.bids, seat, bid, totalsBefore(state, number), empty);
  if (wrong) throw new Refused([wrong]);
  return { ...round, bids: replaced(round.bids, seat, bid) };
}

/** Enter a trick count, scored later; with `oneByOne` seats without a count start from 0. */
export function countTricks(state, number, round, seat, count, oneByOne = false) {
  const { rules, players } = state;
  const empty = emptySeats(state, number, round);
  if (!areMade(rules, round.bids, empty) && !bidsItself(rules, number))
    throw new Refused([refuse(null, "bids_missing")]);
  const tooLow = thrownIn(rules, round.bids, totalsBefore(state, number), empty);
  if (tooLow) throw new Refused([tooLow]);
  if (empty.includes(seat)) throw new Refused([refuse(seat, "empty")]);
  const before = round.tally ?? noCounts(rules, players);
  const tally = replaced(oneByOne ? before.map((one) => one ?? 0) : before, seat, count);
  const n = sum(tally);
  if (count < 0 || count > rules.tricks || n > rules.tricks)
    throw new Refused([refuse(seat, "too_many", { n, tricks: rules.tricks })]);
  return { ...round, tally };
}

/** Score or correct a round; bids that are the same as `before` are not checked again. */
export function scoreRound(state, number, round, before = null) {
  const { rules } = state;
  const { bids, tricks } = round;
  const unbid = bidsItself(rules, number);
  const empty = emptySeats(state, number, round);
  const stood = before?.bids.every((bid, seat) => bid === bids[seat]) && areMade(rules, bids, empty);
  const wrong = unbid || stood ? [] : checkBids(rules, bids, totalsBefore(state, number), empty);
  if (unbid && bids.some((bid) => bid !== null)) wrong.push(refuse(null, "bids_itself"));
  if (tricks) wrong.push(...checkTricks(rules, tricks, empty));
  if (wrong.length) throw new Refused(wrong);
  return { ...round, tricks: tricks ?? null, tally: null };
}

/** Remove the bids of a round that is dealt again; penalties stay. */
export function misdeal(round) {
  if (round.tricks) throw new Refused([refuse(null, "misdeal")]);
  return { ...round, bids: empties(round.bids.length), tally: null };
}

/** Return the counts before the first: open, or 0 for a partner who is not counted apart. */
export function noCounts(rules, players) {
  const counted = rules.tricks_by === "side" ? sidesOf(rules, players).length : players;
  return empties(players).map((none, seat) => (seat < counted ? none : 0));
}

/**
 * Return the counts, with a single missing one filled in by the remaining tricks. Once somebody has a
 * count, the `empty` seats have 0.
 */
export function fillLastCount(tally, rules, players, empty = []) {
  if (!tally) return noCounts(rules, players);
  const counts = tally.map((count, seat) => (empty.includes(seat) ? 0 : count));
  if (counts.filter((count) => count === null).length !== 1) return counts;
  return counts.map((count) => count ?? rules.tricks - sum(counts));
}

/** Return the seats on which nobody sits in a round, past or present, as it is about to be. */
export function emptySeats({ rounds, players }, number, { substitutes }) {
  const before = rounds.slice(0, number - 1).at(-1)?.after.seats ?? { names: empties(players), empty: [] };
  return seatsAfter(before, substitutes).empty;
}

/** Return the totals that are kept, of sides or of seats, before a round. */
export function totalsBefore(state, number) {
  return kept(state.rounds[number - 1]?.before ?? state.standing);
}

/** Return the score of each side with these counts, or null while they are incomplete. */
export function preview(state, tally) {
  const { rules, players, sides, standing, open, phase } = state;
  const counts = fillLastCount(tally, rules, players, standing.seats.empty);
  const complete = counts.every((n) => n !== null && n >= 0) && sum(counts) === rules.tricks;
  if (phase !== "playing" || !complete) return null;
  return scoreSides(rules, sides, standing, { ...open, tricks: counts });
}

// Sentences

/** Return the hints for a side, the most urgent first. */
export function hints(state, side) {
  if (state.phase === "over" || state.standing.seats.empty.includes(side)) return [];
  const { rules, standing, outcome } = state;
  const total = standing.totals[side];
  const found = [];
  const add = (kind, code, values = {}) => found.push({ kind, code, values });
  if (outcome?.tied.includes(side)) add("plain", "tied");
  const left = rules.bag_limit - standing.bags[side];
  if (rules.bag_limit !== null && left >= 1 && left <= 2)
    add("danger", "bags_left", { n: left, points: formatSigned(0 - rules.bag_penalty, rules.shown_as) });
  if (isLastSet(state, side)) add("danger", "set_loses");
  if (rules.totals_by === "seat") return found;
  const fall = total - rules.mercy;
  if (rules.mercy !== null && fall <= rules.tricks * rules.set_points)
    add("danger", "mercy", {
      n: pointsForGap(fall, rules), floor: formatPoints(rules.mercy, rules.shown_as),
    });
  if (state.phase === "playing") canWinByBid(state, side, add);
  else if (rules.target) canWin(rules, rules.target - total, add);
  const deficit = rules.blind_nil_deficit;
  const behind = bestOther(standing.totals, side) - total;
  if (deficit !== null && state.phase === "bidding" && behind >= deficit)
    add("plain", "may_blind_nil");
  return found;
}

function isLastSet({ rules, standing, number }, side) {
  if (number < (rules.minimum_rounds || 1)) return false;
  const { sets_lose: many, sets_in_a_row_lose: row } = rules;
  return standing.sets[side] + 1 === many || standing.sets_in_a_row[side] + 1 === row;
}

function canWin(rules, missing, add) {
  if (missing <= 0 || rules.trick_points === 0 || rules.call_values) return;
  const n = Math.max(Math.ceil(missing / rules.trick_points), rules.minimum_bid);
  const byNil = rules.nil_points !== null && missing <= rules.nil_points;
  if (n <= Math.floor((rules.tricks * 3) / 5)) add("chance", byNil ? "wins_or_nil" : "wins", { n });
  else if (byNil) add("chance", "wins_nil");
  else if (n <= rules.tricks) add("plain", "needs", { n: pointsForGap(missing, rules) });
}

function canWinByBid({ rules, sides, standing, open }, side, add) {
  const bids = sides[side].map((seat) => open.bids[seat]);
  if (!areMade(rules, open.bids, standing.seats.empty) || !rules.target) return;
  const exact = bids.map(numberOf);
  const totals = totalsForScore(rules, standing, side);
  const { points } = scoreSide(rules, bids, exact, standing.bags[side], totals);
  if (standing.totals[side] + points < rules.target) return;
  add("chance", bids.some(isNumber) ? "wins_if_made" : "wins_if_nil");
}
