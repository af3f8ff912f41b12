// What is said of a finished game: the awards, what would have changed the winner, and who pays whom.

import { blindNumber, checkBids, highestTotal, inRound, isNil, sideOf, sum } from "./bidding.js";
import { pointsForGap } from "./explain.js";
import { scoreSides, seatScores, standingAfter } from "./game.js";
import { kept, outcomeOf, winnersOf } from "./outcome.js";
import { moveAlong, movesOf, seatsAfter, takenSeats, takeSeats } from "./seating.js";

const ROUNDS_LOOKED_AT = 16;

// Returns the score of a seat: its own where every player has a total, else its side's.
function ownScore(rules, round, seat) {
  const { before, scores } = round;
  if (before.seat_totals.length) return seatScores(inRound(rules, round.number, round.bids.length, round.cards), before, round)[seat];
  return scores[seat % scores.length];
}

const inRounds = (count) => ({ rules, rounds }, [seat]) =>
  sum(rounds.map((round) => Number(count(ownScore(rules, round, seat)))));

const countNils = (isKept) => ({ rules, rounds }, seats) => {
  const takenFor = (seat, tricks) => sum((rules.bid_by === "side" ? seats : [seat]).map((one) => tricks[one]));
  const count = ({ bids, tricks }) =>
    seats.filter((seat) => isNil(bids[seat]) && (takenFor(seat, tricks) === 0) === isKept).length;
  return sum(rounds.map(count));
};

const biggestRound = ({ rules, rounds }, [seat]) =>
  Math.max(...rounds.map((round) => ownScore(rules, round, seat).points));

// By code: the figure of a side, given by its seats, and the least that is worth an award.
const FIGURES = {
  bags: [inRounds((score) => score.overtricks), 3],
  nils_kept: [countNils(true), 1],
  nils_failed: [countNils(false), 1],
  exact: [inRounds((score) => score.made === true && !score.overtricks), 2],
  sets: [inRounds((score) => score.made === false), 2],
  round: [biggestRound, 1],
};

/**
 * Return the awards of a game as `{code, seats, n}`, with the seats of each side that shares it; none
 * that every side would share. Where every player has a total, players share it instead of sides.
 * Bags are for games in which they are counted toward a penalty.
 */
export function awards(played) {
  const state = asSeated(played);
  const owned = state.standing.seat_totals.map((_, seat) => [seat]);
  const sides = owned.length ? owned : state.sides;
  const codes = Object.keys(FIGURES).filter((code) => code !== "bags" || state.rules.bag_limit !== null);
  const given = codes.map((code) => {
    const [figure, least] = FIGURES[code];
    const figures = sides.map((seats) => figure(state, seats));
    const n = Math.max(...figures);
    const best = sides.filter((_, side) => figures[side] === n);
    return n < least || best.length === sides.length ? null : { code, seats: best, n };
  });
  return [...given, comeback(state)].filter(Boolean);
}

// A winner was once behind by a fifth of the target, or of the total, at least; not every side.
function comeback({ rules, rounds, sides, outcome, standing }) {
  const winners = winnersOf(outcome);
  const behind = winners.map((winner) =>
    Math.max(...rounds.map(({ before: { totals, seats } }) => highestTotal(totals, seats.empty) - totals[winner])),
  );
  const n = Math.max(...behind);
  const best = winners.filter((_, at) => behind[at] === n).map((winner) => sides[winner]);
  const isFar = n > 0 && 5 * n >= (rules.target || standing.totals[winners[0]]);
  return isFar && best.length < sides.length ? { code: "comeback", seats: best, n: pointsForGap(n, rules) } : null;
}

/**
 * Return the changes that give a finished game another winner, each as `{number, change, winners, last,
 * totals}`. A change is a trick `{to, insteadOf}` or a bid `{seat, bid, insteadOf}`; `winners` are none where
 * the game would have gone on, and `last` the round that ends it.
 */
export function alternatives(state) {
  if (state.phase !== "over" || state.outcome.reason === "penalty") return [];
  const latest = [trickChanges, bidChanges].map((changes) => latestOf(state, changes)).filter(Boolean);
  const others = latest.filter(({ winners }) => winners.length);
  return others.length ? others : latest.sort((one, other) => other.number - one.number).slice(0, 1);
}

function latestOf(state, changes) {
  let goesOn = null;
  for (const round of state.rounds.slice(-ROUNDS_LOOKED_AT).reverse()) {
    const found = changes(round).map((change) => alternative(state, round, change)).filter(Boolean);
    const best = found.reduce((one, other) => (isBetter(state, other, one) ? other : one), found[0]);
    if (best?.winners.length) return best;
    goesOn ??= best ?? null;
  }
  return goesOn;
}

const trickChanges = ({ tricks, before }) =>
  tricks.flatMap((n, loser) => {
    const others = takenSeats(before.seats).filter((seat) => seat !== loser);
    return n ? others.map((seat) => ({ to: seat, insteadOf: loser })) : [];
  });

const bidChanges = ({ bids }) =>
  bids.flatMap((bid, seat) => {
    if (typeof bid !== "number") return [];
    return [-1, 1].map((step) => ({ seat, bid: bid + step, insteadOf: bid }));
  });

// Returns how the game ends with one change; null if it has the same winner or is not legal.
function alternative(state, round, change) {
  const { rules, sides } = state;
  const { number } = round;
  let [standing, winners, last] = [round.before, [], number];
  for (const played of [withChange(round, change), ...state.rounds.slice(number)]) {
    // Being behind may be what allows a blind bid, and totals what the least bids are.
    const isBlind = (bid) => bid === "blind nil" || blindNumber(bid) > 0;
    const asksTotals = played.bids.some(isBlind) || rules.minimum_by_total || rules.bids_at_least_by_total;
    const own = inRound(rules, last, state.players, played.cards);
    const asksOthers = "bid" in change && last === number;
    const { empty } = seatsAfter(standing.seats, played.substitutes);
    if ((asksTotals || asksOthers) && checkBids({ rules: own, totals: kept(standing), empty }, played.bids).length) return null;
    const before = takeSeats(rules, standing, played.substitutes);
    standing = standingAfter(own, before, scoreSides(own, sides, before, played), played);
    winners = winnersOf(outcomeOf(rules, standing, last));
    if (winners.length || last === state.rounds.length) break;
    last += 1;
  }
  if (`${winners}` === `${winnersOf(state.outcome)}`) return null;
  return { number, change, winners, last, totals: standing.totals };
}

function withChange(round, { to, seat, bid, insteadOf }) {
  if (bid !== undefined) return { ...round, bids: round.bids.map((old, at) => (at === seat ? bid : old)) };
  const changed = [...round.tricks];
  changed[to] += 1;
  changed[insteadOf] -= 1;
  return { ...round, tricks: changed };
}

function isBetter(state, one, other) {
  const [ours, theirs] = [one, other].map((found) => rank(state, found));
  const at = ours.findIndex((value, n) => value !== theirs[n]);
  return at >= 0 && ours[at] < theirs[at];
}

// The sort key: another winner first, then who came closest, then by an own change.
function rank({ places, sides, outcome }, { winners, change }) {
  const [gained, lost] = "bid" in change ? [change.seat, change.seat] : [change.to, change.insteadOf];
  return [
    !winners.length,
    Math.max(0, ...winners.map((winner) => places[winner])),
    !winners.includes(sideOf(sides, gained)),
    !winnersOf(outcome).includes(sideOf(sides, lost)),
  ].map(Number);
}

/**
 * Return a state with its rounds in the order of the present seats, to show them: where all play alone, what
 * players did before they changed seats stands under their names.
 */
export function asSeated(state) {
  const { rounds, open, phase, sides, players } = state;
  if (sides.length < players || ![...rounds, open].some(({ substitutes }) => substitutes.length)) return state;
  let former = [...Array(players).keys()]; // seats in the round, by those of now
  let later = phase === "over" ? [] : open.substitutes;
  const shown = [...rounds].reverse().map((round) => {
    const moves = movesOf(round.after.seats, later);
    former = former.map((seat) => moves.get(seat) ?? seat);
    later = round.substitutes;
    return reseated(round, former);
  });
  return { ...state, rounds: shown.reverse() };
}

function reseated(round, former) {
  const along = (list) => list.map((_, seat) => list[former[seat]]);
  const moves = new Map(former.map((before, seat) => [seat, before]));
  const { names, empty } = round.after.seats;
  const seats = { names: along(names), empty: empty.map((seat) => former.indexOf(seat)).sort((one, other) => one - other) };
  const [before, after] = [round.before, round.after].map((standing) => ({ ...moveAlong(standing, moves), seats }));
  const penalties = round.penalties.map((one) => ({ ...one, seat: former.indexOf(one.seat) }));
  const [bids, tricks, scores] = [round.bids, round.tricks, round.scores].map(along);
  return { ...round, dealer: former.indexOf(round.dealer), bids, tricks, scores, before, after, penalties };
}

/**
 * Return what each seat of a finished game pays into the pot: by place the stake as many times as there are
 * places ahead.
 */
export function stakesPaid(state, stake) {
  const { rules, sides, places, players } = state;
  return [...Array(players).keys()].map((seat) => {
    const side = sideOf(sides, seat);
    return stake * (rules.stake_by === "rank" ? places[side] - 1 : 1) * stakeFactor(state, side);
  });
}

/**
 * Return what each seat of a finished game wins, or loses below zero. The winners share the pot evenly, and so
 * do partners; what is left over goes to the first.
 */
export function stakeBalances(state, stake) {
  if (state.rules.stake_by === "points") return balancesByPoints(state, stake);
  const paid = stakesPaid(state, stake);
  const balances = paid.map((amount) => -amount);
  const winners = winnersOf(state.outcome);
  shares(sum(paid), winners.length).forEach((share, at) => {
    const seats = state.sides[winners[at]];
    shares(share, seats.length).forEach((own, n) => (balances[seats[n]] += own));
  });
  return balances;
}

// Everybody pays everybody the difference in points. Of tenths of a point, what is less than the smallest unit
// of the stake is not paid.
function balancesByPoints(state, stake) {
  const { rules, sides, standing, players } = state;
  const unit = rules.shown_as === "tenths" ? 10 : 1;
  const seats = [...Array(players).keys()];
  const own = seats.map((seat) => sideOf(sides, seat));
  const due = (payer, payee) => {
    const gap = Math.max(standing.totals[own[payee]] - standing.totals[own[payer]], 0);
    return Math.floor((gap * stake * stakeFactor(state, own[payer])) / unit);
  };
  return seats.map((seat) => sum(seats.map((other) => due(other, seat) - due(seat, other))));
}

const stakeFactor = ({ rules, standing }, side) => (rules.negative_doubles && standing.totals[side] < 0 ? 2 : 1);

/** Return an amount shared evenly; what is left over goes to the first. */
export function shares(amount, people) {
  const rest = amount % people;
  const share = (amount - rest) / people;
  return Array(people).fill(share).map((own, at) => (at ? own : own + rest));
}

/**
 * Return the fewest payments that settle the balances of a game, as `[payer, payee, amount]`: the most groups
 * of people whose balances sum to zero settle among themselves.
 */
export function payments(balances) {
  const people = [...balances.keys()].filter((one) => balances[one]);
  const settled = groupsOf(people, balances).flatMap((group) => settleGroup(group, balances));
  return settled.sort(([payer, payee], [other, another]) => payer - other || payee - another);
}

// Sets of people are numbers with a bit for each. For each set it is known how many groups are completed when
// its people come one after another in the best order; that order is then read backwards.
function groupsOf(people, balances) {
  const [sums, most] = [[0], [0]];
  const others = (chosen) =>
    people.flatMap((one, at) => ((chosen >> at) & 1 ? [[one, chosen ^ (1 << at)]] : []));
  const isComplete = (chosen) => Number(sums[chosen] === 0);
  for (let chosen = 1; chosen < 1 << people.length; chosen += 1) {
    const [[one, rest]] = others(chosen);
    sums.push(sums[rest] + balances[one]);
    most.push(Math.max(...others(chosen).map(([, left]) => most[left])) + isComplete(chosen));
  }
  const groups = [];
  for (let chosen = sums.length - 1; chosen; ) {
    if (isComplete(chosen)) groups.push([]);
    const before = most[chosen] - isComplete(chosen);
    const [one, rest] = others(chosen).find(([, left]) => most[left] === before);
    groups.at(-1).push(one);
    chosen = rest;
  }
  return groups;
}

// Who owes most pays whom most is owed, over and over.
function settleGroup(group, balances) {
  const [open, paid] = [new Map(group.map((one) => [one, balances[one]])), []];
  const people = [...group].sort((one, other) => one - other);
  while ([...open.values()].some(Boolean)) {
    const payer = people.reduce((most, one) => (open.get(one) < open.get(most) ? one : most));
    const payee = people.reduce((most, one) => (open.get(one) > open.get(most) ? one : most));
    const amount = Math.min(-open.get(payer), open.get(payee));
    paid.push([payer, payee, amount]);
    open.set(payer, open.get(payer) + amount);
    open.set(payee, open.get(payee) - amount);
  }
  return paid;
}
