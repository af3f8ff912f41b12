// What it takes to win with the round to be played, once all bids are made: found by trying every way in which
// the tricks can fall, and said only where two clauses tell all of them.

import { isNil, sum } from "./bidding.js";
import { canEndWithoutTarget, endsOf, LOST, OVER, roundAhead, SET } from "./certainty.js";
import { playingSides } from "./outcome.js";

const MOST_WAYS = 5000; // that are tried: five players share 10 tricks in 1001, six in 3003

/**
 * Return what it takes to win, the side that is ahead first, as `{code, side, how, other, how_other}`; null
 * where there is nothing to say. The codes and conditions are those of the server's what_it_takes.py.
 */
export function whatItTakes(game) {
  if (game.phase !== "playing" || game.bids_itself || game.open.penalties?.length) return null;
  const ahead = roundAhead(game);
  const sides = playingSides(game.standing);
  const ends = sides.map((side) => endsOf(ahead, side));
  if (!canEnd(ahead, ends) || countFalls(ahead.rules, ends) > MOST_WAYS) return null;
  const won = new Set();
  const falls = [];
  for (const fall of allFalls(ahead.rules, ends)) {
    const winners = winnersOfFall(ahead, fall);
    for (const at of winners) won.add(at);
    if (winners.length > 1 || won.size > 2) return null;
    falls.push({ taken: new Map(sides.map((side, at) => [side, fall[at].taken])), winner: sides[winners[0]] });
  }
  return won.size ? told(game, falls) : null;
}

const canEnd = (ahead, ends) =>
  canEndWithoutTarget(ahead) || ends.flat().some(({ kind }) => kind & (OVER | LOST | SET));

const leastTricks = ({ tricks, lost_tricks: lost = 0 }) => Math.max(0, tricks - lost);

// Returns in how many ways the tricks can fall.
function countFalls(rules, ends) {
  let ways = [1, ...Array(rules.tricks).fill(0)]; // by how many tricks are taken
  for (const own of ends) {
    const after = ways.map(() => 0);
    for (const { tricks } of own)
      for (let n = 0; n + tricks <= rules.tricks; n += 1) after[n + tricks] += ways[n];
    ways = after;
  }
  return sum(ways.slice(leastTricks(rules)));
}

// Yields an end of each side, in every way that their tricks add up.
function* allFalls(rules, ends, soFar = [], tricks = 0) {
  const [own, ...others] = ends;
  if (!own) {
    yield soFar;
    return;
  }
  const beyond = sum(others.map((one) => Math.max(...one.map((end) => end.tricks))));
  for (const end of own) {
    const total = tricks + end.tricks;
    if (total <= rules.tricks && total + beyond >= leastTricks(rules)) yield* allFalls(rules, others, [...soFar, end], total);
  }
}

// Returns the places of those who win with some ends: what outcomeOf says of them.
function winnersOfFall({ rules, standing, isLast }, fall) {
  const has = (flag) => fall.some(({ kind }) => kind & flag);
  const lost = standing.lost.length || has(LOST) ? LOST : has(SET) ? SET : 0;
  if (!lost && !isLast && !has(OVER)) return [];
  const all = [...fall.keys()];
  let able = all.filter((at) => !(fall[at].kind & lost));
  if (!lost && rules.totals_by === "seat") able = able.filter((at) => fall[at].isThere);
  if (!able.length) able = all;
  const compare = (one, other) => fall[one].total - fall[other].total || fall[one].breaks - fall[other].breaks;
  const best = able.reduce((first, at) => (compare(at, first) > 0 ? at : first));
  const leaders = able.filter((at) => compare(at, best) === 0);
  return leaders.length === 1 || (isLast && rules.tie_at_limit === "shared") ? leaders : [];
}

// Returns the clauses that tell who wins, and that nobody does in any other way.
function told({ standing, sides, open }, falls) {
  const winners = new Set(falls.map(({ winner }) => winner));
  const canGoOn = winners.delete(undefined);
  const ahead = [...winners].sort((one, other) => standing.totals[other] - standing.totals[one] || one - other);
  const [own, other] = ahead.map((side) => ({ side, nilAt: nilAt(sides[side].map((seat) => open.bids[seat])) }));
  if (!other) return canGoOn ? onlyOne(own, falls) : clauses("sure", own);
  const tell = canGoOn ? both : either;
  return tell(own, other, falls) ?? tell(other, own, falls);
}

const clauses = (code, own, how = null, other = null, how_other = null) =>
  ({ code, side: own.side, how, other: other && other.side, how_other });

function nilAt(bids) {
  const nils = [...bids.keys()].filter((at) => isNil(bids[at]));
  return nils.length === 1 ? nils[0] : null;
}

function onlyOne(own, falls) {
  const how = howOf(own, falls);
  return how && clauses("if", own, how);
}

function either(own, other, falls) {
  const how = howOf(own, falls);
  return how && clauses("otherwise", own, how, other);
}

function both(own, other, falls) {
  const howOther = howOf(other, falls);
  if (!howOther) return null;
  const doesOther = ({ taken }) => holds(howOther, other, taken.get(other.side));
  const how = howOf(own, falls.filter((fall) => !doesOther(fall)));
  const canBoth = how && falls.some((fall) => doesOther(fall) && holds(how, own, fall.taken.get(own.side)));
  return how && clauses(canBoth ? "unless" : "or", own, how, other, howOther);
}

// Returns what a side does in all of the ways in which it wins, and in no other; null where nothing is.
function howOf(own, falls) {
  const takenOf = (some) => some.map(({ taken }) => taken.get(own.side));
  const wins = takenOf(falls.filter(({ winner }) => winner === own.side));
  const others = takenOf(falls.filter(({ winner }) => winner !== own.side));
  const does = (how) => wins.every((taken) => holds(how, own, taken)) && !others.some((taken) => holds(how, own, taken));
  return conditions(own, wins.map(sum)).find(does) ?? null;
}

// Returns what may hold for some counts of tricks of a side, the simplest first.
function conditions({ nilAt: at }, counts) {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return [
    ...(at === null ? [] : [condition("nil")]),
    condition("at_least", low),
    ...(at === null ? [] : [condition("nil_and", low)]),
    ...(low === high ? [condition("exactly", low)] : []),
    condition("at_most", 0, high),
    condition("between", low, high),
  ];
}

const condition = (code, low = 0, high = 0) => ({ code, low, high });

function holds({ code, low, high }, { nilAt: at }, taken) {
  const n = sum(taken);
  if (code.startsWith("nil") && taken[at]) return false;
  if (code === "nil") return true;
  return ["at_least", "nil_and"].includes(code) ? n >= low : low <= n && n <= (high || low);
}
