// What stands below the total of partners: what they bid, and what that makes.

import { bidWord, minus, pointsKind, signed, text } from "../offline/phrases.js";
import { contract, isNil } from "../rules/bidding.js";
import { preview } from "../rules/entry.js";

/**
 * Return the line of a side as values of its piece: the points that it has just made, before the next bid;
 * those that it makes once every trick is counted; else its bids. Single players have none.
 */
export function partnersLine(state, side) {
  const { sides, rounds, open, standing, rules, phase } = state;
  if (sides[side].length < 2 || phase === "over") return {};
  const bids = sides[side].map((seat) => open.bids[seat]).filter((bid) => bid !== null);
  const counted = preview(state, open.tally)?.[side];
  const scored = counted ?? (bids.length ? null : lastScore(rounds, open, side));
  if (!scored) return { pair: true, line: bids.length ? text("bid", { bid: contractText(bids) }) : "" };
  const points = signed(scored.points, rules.shown_as);
  const total = counted ? ` → ${minus(standing.totals[side] + scored.points, rules.shown_as)}` : "";
  return { pair: true, line: points + total, line_kind: pointsKind(points) };
}

const lastScore = (rounds, { bids }, side) =>
  bids.every((bid) => bid === null) ? rounds.at(-1)?.scores[side] : null;

/** Return the bids of a side in short, as "5 + Nil". */
export function contractText(bids) {
  const numbers = bids.filter((bid) => bid !== null && !isNil(bid));
  return [...(numbers.length ? [contract(numbers)] : []), ...bids.filter(isNil).map(bidWord)].join(" + ");
}
