// Scores of a game in the offline app: the strip of all sides, and how they were reached.

import { faceOf, scoredKey } from "../model/facts.js";
import {
  bdi, element, formatDecimal, fragment, intersperse, listed, minus, part, pointsKind, render,
  sentence, setAttributes, shown, signed,
} from "../draw/phrases.js";
import { highestTotal } from "../rules/bidding.js";
import { kept } from "../rules/outcome.js";

const MOST_PIPS = 10; // more bags are written as a number
const [LEAST_USUAL, MOST_USUAL] = [-999, 9999]; // totals; a tenth in five columns

export const namesOf = (game, seats) => listed(seats.map((seat) => game.names[seat]));

/** Return the shapes of the players on some seats. */
export const shapesOf = (game, seats) => seats.map((seat) => render("shape", faceOf(game, seat)));

/** Return the strip of scores, the best side first once the game is over; `views` as in gamePage. */
export function scoreStrip(game, state, views) {
  const sides = [...state.sides.keys()];
  const over = state.phase === "over";
  const hasLeft = (side) => state.standing.seats.empty.includes(side);
  const rank = (side) => (over ? state.places[side] : hasLeft(side));
  sides.sort((one, other) => rank(one) - rank(other));
  const lines = sides.map((side) => views?.partnersLine(state, side) ?? { pair: !over && sides.length < state.players });
  const rows = () => sides.map((side, at) => sideRow(game, state, side, { ...lines[at], views }));
  const kind = stripKind(state);
  const key = JSON.stringify([scoredKey(game, state), state.standing, sides, lines, Boolean(views)]);
  return part(key, () => render("strip", { sides: rows(), kind }).querySelector(".strip"));
}

/** Return the class of as many seats or sides, which style sheets leave more or less room. */
export const sizeClass = ({ length }) => `of-${Math.min(length, 6)}`;

// How its columns are drawn, for as many sides with as many players and figures.
function stripKind({ sides, standing: { totals } }) {
  const column = sides.length === 5 ? 10 : 1;
  const isLong = totals.some((total) => total * column < LEAST_USUAL || total * column > MOST_USUAL);
  return `${sizeClass(sides)}${sides[0].length > 1 ? " pairs" : ""}${isLong ? " long" : ""}`;
}

// The names of a side, with each player's total where those are kept.
function namesWithTotals(game, { standing, rules }, seats) {
  const { seat_totals: totals } = standing;
  if (!totals.length) return namesOf(game, seats);
  const parts = seats.map((seat) =>
    fragment([bdi(game.names[seat]), ` ${minus(totals[seat], rules.shown_as)}`]),
  );
  return fragment(intersperse(parts, " · "));
}

function sideRow(game, state, side, { views, ...line }) {
  const { rules, standing } = state;
  const seats = state.sides[side];
  const total = standing.totals[side];
  const { empty } = standing.seats;
  const best = highestTotal(standing.totals, empty);
  const full = rules.target ?? Math.max(1, ...standing.totals);
  const share = Math.floor((100 * total) / full);
  return render("side", {
    ...line,
    side,
    faces: shapesOf(game, seats),
    color: faceOf(game, seats[0]).color,
    names: namesWithTotals(game, state, seats),
    leads: state.rounds.length > 0 && !empty.includes(side) && total === best,
    left: empty.includes(side),
    share: Math.max(0, Math.min(100, share)),
    ...bagPips(standing.bags[side], rules.bag_limit),
    total: minus(total, rules.shown_as),
    why_names: namesWithTotals(game, state, seats),
    why: views ? views.explanations(game, state, side) : shownExplanations(side, state.rounds),
  });
}

function bagPips(bags, limit) {
  if (limit === null) return {};
  const areDrawn = limit <= MOST_PIPS;
  const pips = Array.from({ length: areDrawn ? limit : 0 }, (_, n) =>
    setAttributes(element("i"), { class: n < bags && "on" }),
  );
  return {
    bags,
    limit,
    pips,
    bag_count: areDrawn ? "" : `${bags}/${limit}`,
    is_last_bag: limit - bags === 1,
  };
}

// What the server has drawn stays until the views are loaded, as long as it is true.
function shownExplanations(side, { length }) {
  if (!length) return render("nothing-scored");
  const newest = `#side-${side} .why > :nth-child(2) [href$="/rounds/${length}"]`;
  const shown = document.querySelector(newest)?.closest(".why");
  return shown ? [...shown.children].slice(1) : [];
}

/** Return the sum of all stakes; empty where there are none, or no pot for the winner. */
export const pot = ({ stake, names, rules: { stake_by: by = "winner" } }) =>
  stake && by === "winner" ? money(stake * names.length) : "";

/** Format an amount in hundredths, without decimals if they are zero. */
export const amount = (hundredths) => (hundredths / 100).toFixed(hundredths % 100 ? 2 : 0);
export const money = (hundredths) => formatDecimal(amount(hundredths));

export function tieText(game, state) {
  const tied = (state.outcome?.tied ?? []).filter((side) => !state.standing.seats.empty.includes(side));
  if (tied.length < 2 || state.phase === "over") return null;
  const seats = tied.flatMap((side) => state.sides[side]);
  const total = minus(state.standing.totals[tied[0]], state.rules.shown_as);
  return sentence("tie", { names: namesOf(game, seats), n: seats.length, total });
}
