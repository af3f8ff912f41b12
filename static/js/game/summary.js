// Below a finished game: the awards, what would have changed it, and the bags.

import { bagsChart } from "./chart.js";
import { nameBy } from "./keypad.js";
import { namesOf } from "./scoreboard.js";
import { bdi, minus, render, sentence, series, shape, signed, text } from "../offline/phrases.js";
import { alternatives, awards } from "../rules/result.js";

const BADGES = 3; // awards shown beside the winner

/** Return what is shown of a finished game: `badges` beside the winner, and `more` below it. */
export function summary(game, state) {
  const given = awardsGiven(game, state);
  const [badges, others] = [given.slice(0, BADGES), given.slice(BADGES)];
  const more = [
    others.length ? render("awards", { awards: others }) : "",
    turnsSection(game, state) ?? "",
    bagsSection(game, state) ?? "",
  ];
  return { badges: badges.length ? render("badges", { awards: badges }) : "", more };
}

function awardsGiven(game, state) {
  return awards(state).map(({ code, seats, n }) =>
    render("award", {
      n: seats[0][0] + 1,
      seats: seats.flat().map(shape),
      title: text(`award_${code}`),
      names: series(seats.map((group) => namesOf(game, group))),
      why: text(`award_${code}_for`, { n, points: signed(n, state.rules.shown_as) }),
    }),
  );
}

function turnsSection(game, state) {
  const turns = alternatives(state).map((turn) => render("turn", { line: turnText(game, state, turn) }));
  return turns.length ? render("turns", { turns }) : null;
}

function turnText(game, state, { number, change, winner, last, totals }) {
  const { bid_by: bidBy, tricks_by: tricksBy } = state.rules;
  const seats = winner === null ? [] : state.sides[winner];
  const [total, second] = [...totals]
    .sort((one, other) => other - one)
    .map((points) => minus(points, state.rules.shown_as));
  const end = last < state.rounds.length ? "wins_earlier" : "wins";
  const { to, seat = to, bid, insteadOf } = change;
  const isBid = bid !== undefined;
  return sentence(`${isBid ? "bid" : "trick"}_${winner === null ? "goes_on" : end}`, {
    n: seats.length,
    number,
    last,
    names: seats.length ? namesOf(game, seats) : "",
    name: bdi(nameBy(game, state, seat, isBid ? bidBy : tricksBy)),
    other: isBid ? "" : bdi(nameBy(game, state, insteadOf, tricksBy)),
    bid,
    old: insteadOf,
    total,
    second,
  });
}

function bagsSection(game, state) {
  const chart = bagsChart(game, state);
  if (!chart) return null;
  const sides = state.sides.map((seats) =>
    render("side-head", { n: seats[0] + 1, names: namesOf(game, seats) }),
  );
  const rows = state.rounds.map((round) => bagsRow(game, round)).reverse();
  return render("bags", { chart, sides, rows });
}

function bagsRow(game, { number, scores }) {
  const cells = scores.map(({ overtricks, bag_penalty: penalty, bags }) =>
    render("bags-cell", { overtricks: signed(overtricks), penalty: penalty && signed(penalty), bags }),
  );
  return render("bags-row", { game_id: game.id, number, cells });
}
