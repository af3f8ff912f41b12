// Bids: how they are written, in which order they are made, which are legal and why not. At the end
// lists with a value for each seat, and values of the rules that are lists of steps.

import { refuse } from "./sentence.js";

export const isNil = (bid) => bid === "nil" || bid === "blind nil";
export const isNumber = (bid) => bid !== null && !isNil(bid);

/** Return the number of a blind bid, 0 for any other. */
export const blindNumber = (bid) => (isNil(bid) || typeof bid !== "string" ? 0 : Number(bid.slice(6)));

/** Return the number of a bid, 0 for a nil. */
export const numberOf = (bid) => (typeof bid === "number" ? bid : blindNumber(bid));

/** Return how many of the tricks bid were bid blind. */
export const blindTricks = (bids) => sum(bids.map(blindNumber));

/** Parse a bid; throw RangeError if it is not one. */
export function parseBid(text) {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  if (/^(blind )?nil$|^blind (0?[1-9]|[1-9][0-9])$/.test(text)) return text.replace(" 0", " ");
  throw new RangeError(text);
}

/** Return the side of a seat. */
export const sideOf = (sides, seat) => sides.findIndex((seats) => seats.includes(seat));

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

/** Return the seat that is some steps on in the direction of play. */
export const turned = (players, seat, steps, isClockwise) =>
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

/** Return the least number that may be bid, which can rise with the highest total. */
export const lowestBid = ({ rules, totals, empty }) =>
  fromTotal(rules.minimum_by_total, highestTotal(totals, empty), rules.minimum_bid);

/** Return all blind bids of a number that the rules know. */
export function blindBids(rules) {
  const found = [];
  const { blind_bid_from: lowest } = rules;
  for (let n = lowest || Infinity; n <= highestBid(rules); n += 1) found.push(`blind ${n}`);
  return found;
}

/** Return the highest number that a seat may bid. */
export const highestBid = ({ tricks, maximum_bid: most }) => Math.min(tricks, most || tricks);

/** Return why a seat may not make a bid, or null; the table is what `tableOf` returns. */
export function refusal(table, bids, seat, bid) {
  const { rules, totals, empty } = table;
  if (empty.includes(seat)) return refuse(seat, "empty");
  if (seat >= calls(rules, bids.length)) return refuse(seat, "side_bid");
  const others = replaced(bids, seat, null);
  const own = seat % totals.length;
  const behind = highestTotal(totals, [own, ...empty]) - totals[own];
  const low = lowestBid(table);
  const wrong = isNil(bid)
    ? nilRefusal(rules, others, seat, bid, behind)
    : (blindRefusal(rules, bid, behind) ?? numberRefusal(rules, numberOf(bid), low));
  const reason = wrong ?? boardRefusal(rules, others, seat, bid) ?? hookRefusal(rules, others, seat, bid, empty);
  return reason && refuse(seat, ...reason);
}

/** Return the refusals of a complete round of bids. */
export function checkBids(table, bids) {
  const found = bids.flatMap((bid, seat) => {
    if (bid === null)
      return seat < calls(table.rules, bids.length) && !table.empty.includes(seat) ? [refuse(seat, "missing")] : [];
    const made = bids.map((one, other) => (other < seat ? one : null));
    return refusal(table, made, seat, bid) ?? [];
  });
  const tooLow = found.length ? null : thrownIn(table, bids);
  return tooLow ? [tooLow] : found;
}

/** Return why the cards are dealt again once everybody has bid, or null. */
export function thrownIn({ rules, totals, empty }, bids) {
  if (!rules.bids_at_least || !areMade(rules, bids, empty)) return null;
  const usual = rules.bids_at_least;
  const least = fromTotal(rules.bids_at_least_by_total, highestTotal(totals, empty), usual);
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
  return found.length || mayTotal(rules, n) ? found : [refuse(null, "sum", { n, tricks })];
}

/** Return whether all counts of a round together may be `n`: some tricks may go to nobody. */
export const mayTotal = ({ tricks, lost_tricks: lost = 0 }, n) => n <= tricks && n >= tricks - lost;

function numberRefusal(rules, bid, low) {
  const high = highestBid(rules);
  if (bid < Math.min(1, rules.minimum_bid) || bid > high)
    return [rules.nil_points === null ? "range_no_nil" : "range", { low, high }];
  return bid < low ? ["minimum", { low }] : null;
}

function blindRefusal(rules, bid, behind) {
  const { blind_bid_from: low, blind_bid_deficit: deficit } = rules;
  if (!blindNumber(bid)) return null;
  if (!low) return ["blind_bid"];
  if (blindNumber(bid) < low) return ["blind_bid_from", { low }];
  const isTooNear = deficit !== null && behind < deficit;
  return isTooNear ? ["blind_bid_deficit", { deficit, behind: Math.max(behind, 0) }] : null;
}

function nilRefusal(rules, others, seat, bid, behind) {
  if (bid === "nil") return rules.nil_points === null ? ["nil"] : null;
  if (rules.blind_nil_points === null) return ["blind_nil"];
  const sides = sidesOf(rules, others.length);
  const mates = sides[sideOf(sides, seat)];
  const mateIsBlind = mates.some((mate) => others[mate] === "blind nil");
  if (rules.blind_nil_partners === "one" && mateIsBlind) return ["blind_nil_partner"];
  const { blind_nil_deficit: deficit } = rules;
  const isTooNear = deficit !== null && behind < deficit;
  return isTooNear ? ["blind_nil_deficit", { deficit, behind: Math.max(behind, 0) }] : null;
}

/** Return the highest total, some left out, such as those of empty seats, which cannot win. */
export const highestTotal = (totals, without) =>
  Math.max(...totals.filter((_, each) => !without.includes(each)));

function boardRefusal(rules, others, seat, bid) {
  const { board, bid_by: by } = rules;
  if (board === null) return null;
  const own = by === "side" ? [seat] : sidesOf(rules, others.length).find((seats) => seats.includes(seat));
  const together = own.map((mate) => (mate === seat ? bid : others[mate]));
  const n = contract(together);
  if (together.includes(null) || !together.some(isNumber) || n >= board) return null;
  return ["board", { board, n }];
}

function hookRefusal(rules, others, seat, bid, empty) {
  const { bids_may_equal_tricks: free, hook_from: from = 1, tricks } = rules;
  const isBound = !free && tricks >= from && areMade(rules, others, [...empty, seat]);
  return isBound && contract([...others, bid]) === tricks ? ["hook", { tricks }] : null;
}

export const sum = (counts) => counts.reduce((all, count) => all + (count ?? 0), 0);
export const replaced = (list, at, value) => list.map((old, index) => (index === at ? value : old));
export const empties = (players) => Array(players).fill(null);

/** Return the steps of a table of values, such as "1-6:1,7-13:2" or "5-6:1@30". */
function callSteps(callValues) {
  const steps = callValues ? callValues.split(",") : [];
  return steps.map((step) => {
    const [low, high, factor, total = null] = step.split(/[-:@]/).map(Number);
    return { low, high, factor, total };
  });
}

/** Return how many times a bid counts; of several steps that fit the last decides. */
export function callFactor(callValues, bid, own) {
  const fits = ({ low, high, total }) => low <= bid && bid <= high && (total === null || own >= total);
  return callSteps(callValues).findLast(fits)?.factor ?? 1;
}

const WORTH = /^(b?)(\d+)(?:-(\d+))?:(?:(\d+)(c?))?(?:\/(?:(\d+)(c?))?)?(=?)$/;

/**
 * Return what decides the fixed score of a contract in a value such as "0:5,10-13:40/40": the last step
 * that names it; a half that is undefined is as usual.
 */
export function worthOf(worth, bid, isBlind) {
  const steps = worth ? worth.split(",") : [];
  return steps.map(worthStep).findLast(
    ({ low, high, forBlind }) => low <= bid && bid <= high && (isBlind || !forBlind),
  );
}

function worthStep(text) {
  const [, blind, low, high, made, byCard, failed, failedByCard, exact] = WORTH.exec(text);
  return {
    low: Number(low), high: Number(high ?? low), forBlind: blind !== "", isExact: exact !== "",
    made: made && Number(made), madeByCard: byCard === "c",
    failed: failed && Number(failed), failedByCard: failedByCard === "c",
  };
}

/** Return the pairs of a total and a number in a value such as `30:12,40:13`. */
export const totalSteps = (steps) =>
  steps ? steps.split(",").map((step) => step.split(":").map(Number)) : [];

/** Return the number of the last step that a total reaches; before the first one, `otherwise`. */
export function fromTotal(steps, own, otherwise) {
  return totalSteps(steps).findLast(([total]) => own >= total)?.[1] ?? otherwise;
}

// Returns the numbers of a list with walks up or down, such as "10-1,2-10".
const cardList = (cards) =>
  cards.split(",").flatMap((walk) => {
    const [first, last = first] = walk.split("-").map(Number);
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, n) => first + (last < first ? -n : n));
  });

/** Return the cards of each round in turn that the pack can deal; without a list one number at most. */
export function planOf({ cards, tricks, pack = 52 }, players) {
  const most = Math.min(tricks, Math.floor(pack / players));
  if (!cards) return most === tricks ? [tricks] : [];
  return cardList(cards).filter((n) => n <= most);
}

/** Return how many rounds a game has; null where they do not end it. */
export const lengthOf = (rules, players) =>
  rules.rounds || (rules.cards ? planOf(rules, players).length : null);

/** Return the cards that each player is dealt in a round; a further round after a tie has the most. */
export function cardsOf(rules, number, players) {
  const plan = rules.cards ? planOf(rules, players) : [];
  if (!plan.length) return rules.tricks;
  return number > lengthOf(rules, players) ? Math.max(...plan) : plan[(number - 1) % plan.length];
}

/** Return the rules of one round, whose `tricks` are its cards: those of the list, unless others were dealt. */
export const inRound = (rules, number, players, dealt) =>
  rules.cards ? { ...rules, tricks: dealt || cardsOf(rules, number, players) } : rules;

/** Return the rules of the round to be played. */
export const roundRules = ({ rules, number, players, rounds, open }) =>
  inRound(rules, number, players, (rounds[number - 1] ?? open).cards);
