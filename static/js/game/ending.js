// The end of a game: who won and why, and below that the awards, who pays whom, what would have changed it,
// and the bags.

import { winningSeats } from "./announcement.js";
import { bagsChart, race } from "./chart.js";
import { nameBy } from "./keypad.js";
import { rematchForm } from "./rematch.js";
import { money, namesOf, scoreStrip, shapesOf } from "./scoreboard.js";
import { everythingRead } from "../model/db.js";
import { faceOf } from "../model/facts.js";
import {
  bdi, fragment, minus, phraseData, render, sentence, series, shown, signed, text,
} from "../draw/phrases.js";
import { lengthOf, sum } from "../rules/bidding.js";
import { playingSides, winnersOf } from "../rules/outcome.js";
import { alternatives, asSeated, awards, payments, shares, stakeBalances, stakesPaid } from "../rules/result.js";
import { isolateSign } from "../rules/sentence.js";

const AFTER_MIDNIGHT = 6 * 3600000; // ms, which belong to the evening before
const DAY = 1440; // minutes; a game of more was paused, or a clock was set
const LONG_WORD = /\S{13}/u; // which does not fit a line of the title

/**
 * Return what is shown of a finished game: what stands `now` in place of the keypad, and `more` below it.
 * `values` are those of forms, `views` as in gamePage.
 */
export function ending(game, state, values, views) {
  const { badges, more } = summary(game, state);
  const turns = alternatives(state);
  const raceCard = render("race-card", { race: race(game, state, turns[0]?.number) });
  const next = game.match ? render("back-to-table", { ...values, match: game.match }) : rematchForm(game, state);
  const dock = render("end-dock", { ...values, rematch: next, evening: game.kept ? "" : eveningOf(game) });
  const now = [winnerCard(game, state), scoreStrip(game, state, views), turnsSection(game, state, turns) ?? "", raceCard, badges, dock];
  return { now, more };
}

// Who won, with what total, after how many rounds.
function winnerCard(game, state) {
  const seats = winningSeats(state);
  return render("winner", {
    ...faceOf(game, seats[0]),
    faces: shapesOf(game, seats),
    title: winsText(game, state),
    total: minus(state.standing.totals[state.outcome.winner], state.rules.shown_as),
    lead: aheadText(game, state),
    length: lengthText(game, state),
    reason: endReason(state),
    pot: potText(game, state),
    has_long_word: seats.some((seat) => LONG_WORD.test(game.names[seat])),
    remark: game.rounds[0].game_remark && bdi(game.rounds[0].game_remark),
    uncounted: state.uncounted > 0 && !game.ended && sentence("uncounted", { n: state.uncounted }),
  });
}

// By how much the winners lead who is next.
function aheadText(game, { outcome, rules, sides, standing }) {
  const { totals } = standing;
  const others = playingSides(standing).filter((side) => !winnersOf(outcome).includes(side));
  if (!others.length) return sentence("everyone_won");
  const second = others.reduce((best, other) => (totals[other] > totals[best] ? other : best));
  const [n, names] = [totals[outcome.winner] - totals[second], namesOf(game, sides[second])];
  return sentence(n < 0 ? "behind_loser" : "ahead", { n: shown(Math.abs(n), rules), second: names });
}

// Who gets the pot, or what everybody wins or loses where there is none.
function potText(game, state) {
  if (!game.stake) return "";
  const each = (shown, texts) => series(shown.map((names, at) => fragment([names, ` ${texts[at]}`])));
  if (["points", "rank"].includes(state.rules.stake_by)) {
    const balances = stakeBalances(state, game.stake).map(balanceText);
    return sentence("stakes", { shares: each(game.names.map(bdi), balances) });
  }
  const [winners, pot] = [winnersOf(state.outcome), sum(stakesPaid(state, game.stake))];
  const names = winners.map((side) => namesOf(game, state.sides[side]));
  if (winners.length === 1) return sentence("pot_goes", { pot: money(pot), names: names[0] });
  const own = shares(pot, winners.length).map(money);
  return sentence("pot_split", { pot: money(pot), shares: each(names, own) });
}

const balanceText = (won) =>
  isolateSign(`${won > 0 ? "+" : won < 0 ? "\u2212" : ""}${money(Math.abs(won))}`, phraseData.lang);

// How many rounds and minutes the game took.
function lengthText({ started, changed }, { rounds }) {
  const n = Math.floor((new Date(changed) - new Date(started)) / 60000 + 0.5);
  const played = sentence("rounds", { n: rounds.length });
  return n > 0 && n < DAY ? fragment([played, " · ", sentence("minutes_left", { n })]) : played;
}

function endReason({ rules, outcome, players }) {
  const values = {
    target: shown(rules.target, rules),
    floor: minus(rules.mercy, rules.shown_as),
    n: lengthOf(rules, players),
  };
  const hasOwn = outcome.reason === "target" && rules.totals_by === "seat";
  return sentence(hasOwn ? "ends_at_target_seat" : `ends_at_${outcome.reason}`, values);
}

function winsText(game, state) {
  const seats = winningSeats(state);
  return sentence("wins", { names: namesOf(game, seats), n: seats.length });
}

// The day from which the history lists this evening, or nothing where this game is its only one, or older.
// A phone that has just come keeps the link that the server has drawn, as it does not know the other games.
function eveningOf(game) {
  const day = new Date(Date.now() - AFTER_MIDNIGHT);
  day.setHours(0, 0, 0, 0);
  const games = [...everythingRead()].filter(([key]) => key.startsWith("game/")).map(([, one]) => one);
  const isOfToday = ({ started, gone }) => new Date(started) >= day && !gone;
  const hasMore = document.querySelector(".ways a") || games.filter(isOfToday).length > 1;
  if (!isOfToday(game) || !hasMore) return "";
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => `${n}`.padStart(2, "0")).join("-");
}

const PRAISING = ["comeback", "exact", "nils_kept", "round"]; // shown beside the winner, these alone
const BADGES = 3;

/** Return what is shown of a finished game: `badges` beside the winner, and `more` below it. */
function summary(game, state) {
  const given = awardsGiven(game, state);
  const badges = given.filter(({ code }) => PRAISING.includes(code)).slice(0, BADGES);
  const others = given.filter((one) => !badges.includes(one));
  const more = [
    others.length ? render("awards", { awards: others.map(({ drawn }) => drawn) }) : "",
    paymentsSection(game, state) ?? "",
    bagsSection(game, state) ?? "",
  ];
  return { badges: badges.length ? render("badges", { awards: badges.map(({ drawn }) => drawn) }) : "", more };
}

function awardsGiven(game, state) {
  return awards(state).map(({ code, seats, n }) => ({
    code,
    drawn: render("award", {
      color: faceOf(game, seats[0][0]).color,
      code,
      faces: shapesOf(game, seats.flat()),
      title: text(`award_${code}`),
      names: series(seats.map((group) => namesOf(game, group))),
      why: text(`award_${code}_for`, { n, points: signed(n, state.rules.shown_as) }),
    }),
  }));
}

function paymentsSection(game, state) {
  const due = game.stake ? payments(stakeBalances(state, game.stake)) : [];
  const lines = due.map(([payer, payee, amount]) =>
    sentence("pays", { payer: bdi(game.names[payer]), payee: bdi(game.names[payee]), amount: money(amount) }),
  );
  return lines.length ? render("payments", { payments: lines.map((line) => render("turn", { line })) }) : null;
}

function turnsSection(game, state, found) {
  const turns = found.map((turn) => render("turn", { line: turnText(game, state, turn) }));
  return turns.length ? render("turns", { turns, round: found[0].number }) : null;
}

function turnText(game, state, { number, change, winners, last, totals }) {
  const { bid_by: bidBy, tricks_by: tricksBy } = state.rules;
  const seats = winners.flatMap((side) => state.sides[side]);
  const [total, second] = [...totals]
    .sort((one, other) => other - one)
    .map((points) => minus(points, state.rules.shown_as));
  const end = last < state.rounds.length ? "wins_earlier" : "wins";
  const { to, seat = to, bid, insteadOf } = change;
  const isBid = bid !== undefined;
  return sentence(`${isBid ? "bid" : "trick"}_${seats.length ? end : "goes_on"}`, {
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
    render("side-head", { ...faceOf(game, seats[0]), names: namesOf(game, seats) }),
  );
  const rows = asSeated(state).rounds.map((round) => bagsRow(game, round)).reverse();
  return render("bags", { chart, sides, rows });
}

function bagsRow(game, { number, scores }) {
  const cells = scores.map(({ overtricks, bag_penalty: penalty, bags }) =>
    render("bags-cell", { overtricks: signed(overtricks), penalty: penalty && signed(penalty), bags }),
  );
  return render("bags-row", { game_id: game.id, number, cells });
}
