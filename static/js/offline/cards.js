// Cards of games, as those of the server's text/cards.py.

import { pathOf, stateOf, unsentCount } from "./facts.js";
import {
  fragment, intersperse, listed, minus, render, sentence, shape, shown, text,
} from "./phrases.js";
import { namesOf } from "../game/scoreboard.js";
import { svg } from "../game/svg.js";
import { lengthOf } from "../rules/bidding.js";
import { playingSides } from "../rules/outcome.js";

const [SPARK_WIDTH, SPARK_HEIGHT] = [60, 44]; // units of a chart
const [SPARK_MARGIN, SPARK_MARK] = [6, 11]; // around its lines, and of the shape at the end of one
const SPARK_POINTS = 30; // of a line

/** Return the card of a game that goes on. */
export function standingsCard(game) {
  const state = stateOf(game);
  const { target } = game.rules;
  return render("standings", {
    game_id: game.id,
    path: pathOf(game),
    book: game.rules.name,
    length: target === null
      ? sentence("rounds_of", { played: state.rounds.length, n: lengthOf(game.rules, state.players) })
      : sentence("rounds_to", { n: state.rounds.length, target }),
    sides: sideTotals(game, state).map((side) => render("standing", side)),
    sentence: leaderLine(game, state),
    number: state.number,
  });
}

/** Return the card of a game in a list: the winner first, or the round that is played. */
export function resultCard(game) {
  const state = stateOf(game);
  const { places } = state;
  const order = [...places.keys()].sort((one, other) => places[one] - places[other]);
  const winner = state.phase === "over" ? state.outcome.winner : null;
  const seats = winner === null ? [] : state.sides[winner];
  const others = order.filter((side) => side !== winner);
  const sides = sideTotals(game, state);
  return render("result", {
    game_id: game.id,
    path: pathOf(game),
    winner_seats: seats.map(shape),
    first_seat: seats.length ? seats[0] + 1 : 0,
    goes_on: !seats.length,
    title: seats.length ? wonLine(game, state) : sentence("goes_on", { n: state.number }),
    others: others.map((side) => render("other-side", sides[side])),
    about: about(game, state),
    chart: state.rounds.length ? sparkline(state) : "",
  });
}

function wonLine(game, { sides, outcome: { winner }, standing: { totals } }) {
  const names = namesOf(game, sides[winner]);
  return sentence("won_with", { names, n: sides[winner].length, total: minus(totals[winner], game.rules.shown_as) });
}

function about(game, state) {
  const parts = [formatWhen(game), sentence("rounds", { n: state.rounds.length })];
  const n = unsentCount(game);
  return fragment(intersperse(n ? [...parts, sentence("waiting", { n })] : parts, " · "));
}

function formatWhen({ started }) {
  const at = new Date(started);
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - at.setHours(0, 0, 0, 0)) / 864e5);
  const code = ["today", "yesterday"][daysAgo];
  if (code) return text(code, { time: timeOfDay(new Date(started)) });
  return daysAgo > 1 && daysAgo < 7 ? text(`weekday_${at.getDay() || 7}`) : formatDay(at);
}

/** Format the day of a time. */
export const formatDay = (at) =>
  text(`day_${at.getMonth() + 1}`, { day: at.getDate(), year: at.getFullYear() });

const timeOfDay = (at) => [at.getHours(), at.getMinutes()].map((n) => `${n}`.padStart(2, "0")).join(":");

function sideTotals(game, { sides, standing, rounds }) {
  const { totals } = standing;
  const best = Math.max(...playingSides(standing).map((side) => totals[side]));
  const full = game.rules.target ?? Math.max(1, best);
  return sides.map((seats, side) => ({
    seats: seats.map(shape),
    first_seat: seats[0] + 1,
    names: namesOf(game, seats),
    total: minus(totals[side], game.rules.shown_as),
    share: Math.max(0, Math.min(100, Math.floor((100 * totals[side]) / full))),
    leads: rounds.length > 0 && totals[side] === best,
  }));
}

function leaderLine(game, { sides, rounds, standing }) {
  const { target, rounds: most } = game.rules;
  if (!rounds.length) {
    return target === null ? sentence("most_after", { rounds: most }) : sentence("first_to", { target });
  }
  const playing = playingSides(standing);
  const totals = playing.map((side) => standing.totals[side]);
  const best = Math.max(...totals);
  const seats = playing.flatMap((side, at) => (totals[at] === best ? sides[side] : []));
  const about = { names: listed(seats.map((seat) => game.names[seat])), n: seats.length };
  const others = totals.filter((total) => total !== best);
  if (others.length < totals.length - 1) return sentence("tied_at", { ...about, total: minus(best, game.rules.shown_as) });
  const gap = best - Math.max(...others);
  const isNear = target !== null && best < target && !standing.seat_totals.length;
  if (!isNear) return sentence("leads_by", { ...about, gap: shown(gap, game.rules) });
  return sentence("leads", {
    ...about, gap: shown(gap, game.rules), missing: shown(target - best, game.rules), target: shown(target, game.rules),
  });
}

function sparkline({ sides, rounds }) {
  const rows = [sides.map(() => 0), ...rounds.map(({ after }) => after.totals)];
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const last = rows.length - 1;
  const best = rows[last].indexOf(Math.max(...rows[last]));
  const step = Math.ceil(last / SPARK_POINTS);
  const shown = [...rows.keys()].filter((n) => n === last || n % step === 0);
  const [across, down] = [SPARK_WIDTH, SPARK_HEIGHT].map((size) => size - 2 * SPARK_MARGIN);
  const x = (n) => SPARK_MARGIN + (across * n) / last;
  const y = (total) => SPARK_MARGIN + (down * (high - total)) / Math.max(1, high - low);
  const points = (side) =>
    shown.map((n) => `${x(n).toFixed(1)},${y(rows[n][side]).toFixed(1)}`).join(" ");
  const others = [...sides.keys()].filter((side) => side !== best);
  const seat = sides[best][0] + 1;
  const [left, top] = [x(last), y(rows[last][best])].map((at) => (at - SPARK_MARK / 2).toFixed(1));
  const place = { x: left, y: top, width: SPARK_MARK, height: SPARK_MARK };
  const viewBox = `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`;
  const drawn = svg("svg", { class: "spark", viewBox, "aria-hidden": true });
  drawn.append(
    ...others.map((side) => svg("polyline", { points: points(side) })),
    svg("polyline", { class: `line-${seat}`, points: points(best) }),
    svg("use", { href: `#seat-${seat}`, class: `seat-${seat}`, ...place }),
  );
  return drawn;
}
