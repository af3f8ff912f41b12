// A scored round: its rows turn into tickets with what each seat made of its bid, and the points fly from them into
// the columns of the scoreboard, which count up. The points stay there until the next bid.

import { newLeadText, newLeaders } from "./announcement.js";
import { askedName } from "./keypad.js";
import { felt, lay, tagged, trickCards } from "./overlay.js";
import { contractText } from "./partners.js";
import { shapesOf } from "./scoreboard.js";
import { faceOf } from "../offline/facts.js";
import { element, pointsKind, sentence, signed, text } from "../offline/phrases.js";
import { inRound, isNil, sideOf } from "../rules/bidding.js";
import { askedSeats, seatScores } from "../rules/game.js";

const TICKETS_LAST = 1700; // ms with five columns or fewer
const TURN = 80; // ms between two rows, and two columns
const FIRST_FLIGHT = 640; // ms
const FLIGHT = 420; // ms
const STAY = 8000; // ms

/** Show the newest round of a game, which was `before` with all tricks counted. */
export function showScoredRound(game, before, state) {
  const [entry, dock] = ["#entry", ".entry > .dock"].map((one) => document.querySelector(one));
  if (!entry || !dock) return;
  const round = state.rounds.at(-1);
  const cards = before.order.flatMap((seat) => Array(round.tricks[seat]).fill(seat));
  const lead = newLeadText(game, state);
  const cloth = felt(trickCards(game, cards, cards.length), lead ?? text("round_scored", { n: round.number }));
  if (lead) cloth.style.setProperty("--line-at", "1000ms"); // once its points have come
  const columns = columnsOf(state, round);
  const lasts = TICKETS_LAST + TURN * Math.max(columns.length - 5, 0);
  if (!columns.length) return lay("felt", [[dock, cloth]], lasts); // large text has no columns
  const results = askedSeats(before).map((seat) => resultOf(game, before, round, seat));
  const tickets = tagged("ul", "seats tickets", ...results.map((one, at) => ticket(game, one, at)));
  lay("scored", [[entry, tickets], [dock, cloth]], lasts, () => flights.remove());
  const flights = flightsOf(columns, results, tickets);
  document.body.append(flights);
  landPoints(columns);
  const [leader, ...others] = newLeaders(state);
  if (leader !== undefined && !others.length) passLead(leader, round.before.totals);
}

// What a seat made of its bid; of partners with one total the points stand at their side.
function resultOf(game, before, round, seat) {
  const { rules, sides, players } = before;
  const side = sideOf(sides, seat);
  const own = seatScores(inRound(rules, round.number, players, round.cards), round.before, round)[seat];
  const score = own ?? round.scores[side];
  const seats = rules.tricks_by === "side" ? sides[side] : [seat];
  const bids = seats.map((one) => round.bids[one]).filter((bid) => bid !== null);
  const took = seats.reduce((all, one) => all + round.tricks[one], 0);
  const isAlone = Boolean(own) || sides[side].length === 1;
  const mark = markOf(bids, took, score);
  return {
    seat, side, took, mark,
    name: askedName(game, before, seat),
    bid: contractText(bids),
    points: isAlone && signed(score.points, rules.shown_as),
  };
}

function markOf(bids, took, { made, overtricks }) {
  if (bids.length && bids.every(isNil)) return took ? "nil_broken" : "nil_made";
  if (!bids.length || made === null) return "";
  if (!made) return "was_set";
  return overtricks ? "" : "exact";
}

function ticket(game, { seat, name, bid, took, mark, points }, at) {
  const front = sideOfTicket(game, "ticket-front", seat, name, bid && sentence("bid", { bid: element("b", bid) }));
  front.append(tagged("b", "seat-count", `${took}`));
  const said = sentence(bid ? "bid_took" : "took", { bid: tagged("b", "ticket-bid", bid), n: took });
  const back = sideOfTicket(game, `ticket-back ${mark}`, seat, name, said);
  if (mark.startsWith("nil")) back.append(tagged("b", "stamp", mark === "nil_made" ? `${bid}!` : bid));
  const sum = tagged("b", `ticket-sum ${points ? pointsKind(points) : ""}`, points || "");
  back.append(tagged("span", "ticket-end", sum, element("small", mark ? text(mark) : "")));
  const row = tagged("li", `ticket tint-${faceOf(game, seat).color}`, front, back);
  row.style.setProperty("--i", at);
  return row;
}

const sideOfTicket = (game, kind, seat, name, said) =>
  tagged("div", kind, ...shapesOf(game, [seat]), tagged("span", "ticket-text", tagged("b", "ticket-name", name), element("small", said)));

// The columns of the scoreboard as they are shown, each with what its side has gained.
function columnsOf({ rules }, round) {
  const shown = [...document.querySelectorAll(".strip > .side")].filter((column) => column.offsetWidth);
  return shown.map((column, at) => {
    const side = Number(column.id.replace("side-", ""));
    const points = round.scores[side].points;
    const [from, to] = [round.before, round.after].map(({ totals }) => totals[side]);
    const bags = [round.before, round.after].map((standing) => standing.bags[side]);
    const delay = FIRST_FLIGHT + TURN * at;
    return { column, side, points: signed(points, rules.shown_as), from, to, bags, delay, isWhole: rules.shown_as !== "tenths" };
  });
}

// Pills that fly from the tickets to their columns; places are read once, before anything moves.
function flightsOf(columns, results, tickets) {
  const sums = [...tickets.querySelectorAll(".ticket-sum")];
  const routes = columns.flatMap(({ column, side, points, delay }) => {
    const at = results.findIndex((one) => one.side === side && one.points === points);
    return at < 0 ? [] : [{ from: middleOf(sums[at]), to: middleOf(column.querySelector(".total")), points, delay }];
  });
  const pills = routes.map(({ from, to, points, delay }) => {
    const pill = tagged("span", "flight", tagged("b", pointsKind(points), points));
    const places = { "--x0": from[0], "--y0": from[1], "--x1": to[0], "--y1": to[1] };
    for (const [name, px] of Object.entries(places)) pill.style.setProperty(name, `${px}px`);
    pill.style.setProperty("--delay", `${delay}ms`);
    return pill;
  });
  const layer = tagged("div", "flights", ...pills);
  layer.setAttribute("aria-hidden", "true");
  return layer;
}

function middleOf(one) {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

let stays; // the timer of the points at the columns

function landPoints(columns) {
  clearPoints();
  const pills = columns.map(({ column, points, from, to, bags, delay, isWhole }) => {
    column.style.setProperty("--delay", `${delay + FLIGHT}ms`);
    const total = column.querySelector(".total");
    if (isWhole && from !== to) total.dataset.counts = "";
    total.style.setProperty("--from", from);
    total.style.setProperty("--to", to);
    for (const bag of [...column.querySelectorAll(".pips > i")].slice(...bags)) bag.classList.add("fresh");
    if (column.querySelector(".side-line")) return tagged("span", ""); // which says it
    const pill = tagged("b", `delta ${pointsKind(points)}`, points);
    pill.style.setProperty("--delay", `${delay + FLIGHT}ms`);
    return pill;
  });
  const layer = tagged("div", "deltas", ...pills);
  layer.setAttribute("aria-hidden", "true");
  document.querySelector(".strip")?.append(layer);
  stays = setTimeout(clearPoints, STAY);
}

// The tint of the column that led glides to the one that leads now, on which a crown drops.
function passLead(leader, before) {
  const strip = document.querySelector(".strip");
  const columnOf = (side) => document.getElementById(`side-${side}`);
  const [now, was] = [columnOf(leader), columnOf(before.indexOf(Math.max(...before)))];
  if (!strip || !now || !was || now === was) return;
  const glide = tagged("span", "glide");
  const places = { "--x0": was.offsetLeft, "--x1": now.offsetLeft, "--glide": now.offsetWidth };
  for (const [name, px] of Object.entries(places)) glide.style.setProperty(name, `${px}px`);
  glide.style.setProperty("--was", getComputedStyle(was).getPropertyValue("--seat"));
  glide.style.setProperty("--seat", getComputedStyle(now).getPropertyValue("--seat"));
  const crown = tagged("span", "crown");
  crown.style.setProperty("--x1", `${now.offsetLeft + now.offsetWidth / 2}px`);
  for (const one of [glide, crown]) one.setAttribute("aria-hidden", "true");
  strip.append(glide, crown);
}

/** Remove the points at the columns, which are those of the round before. */
export function clearPoints() {
  clearTimeout(stays);
  for (const one of document.querySelectorAll(".deltas, .glide, .crown")) one.remove();
  for (const one of document.querySelectorAll(".fresh")) one.classList.remove("fresh");
}
