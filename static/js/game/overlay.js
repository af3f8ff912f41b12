// What a moment of a game lays over its page. The page below stands as it will be from the first frame on: what lies
// over it is hidden from screen readers, and goes by itself, with a tap anywhere, with Escape, or with the next entry.

import { newLeadText, newLeaders } from "./announcement.js";
import { askedName } from "./keypad.js";
import { holdPlaces, rectOf } from "./leaving.js";
import { contractText } from "./notes.js";
import { namesOf, shapesOf } from "./scoreboard.js";
import { faceOf } from "../model/facts.js";
import {
  element, fragment, intersperse, pointsKind, sentence, setAttributes, signed, text,
} from "../draw/phrases.js";
import { contract, inRound, isNil, roundRules, sideOf } from "../rules/bidding.js";
import { askedSeats, seatScores } from "../rules/game.js";

const LONG = 1; // by which all times of a moment are multiplied
const SHORT = 0.6; // from the third one of an evening on
const USUAL = 2; // moments of a kind until they get shorter
const AROUND = 40; // px around a tap, where a second one is not meant

let layers = []; // of the moment that is shown
let timer;
let onEnd = () => {};

// Returns by what times of a moment are multiplied, which is less once this evening has shown some of its kind.
function paceOf(kind) {
  let n = 0;
  try {
    n = Number(sessionStorage.getItem(`moment.${kind}`));
    sessionStorage.setItem(`moment.${kind}`, n + 1);
  } catch {} // storage is blocked
  return n < USUAL ? LONG : SHORT;
}

/** Show elements of a kind of moment, each given as `[parent, element]`, for some ms; then call `after()`. */
export function lay(kind, parts, ms, after = () => {}) {
  clearOverlay();
  onEnd = after;
  const pace = paceOf(kind);
  const root = document.documentElement;
  root.style.setProperty("--pace", pace);
  root.style.setProperty("--lasts", `${ms}ms`);
  for (const [parent, layer] of parts) {
    setAttributes(layer, { "aria-hidden": "true" });
    parent.append(layer);
    parent.classList.add("laid");
  }
  layers = parts.map(([, layer]) => layer);
  root.classList.add(`moment-${kind}`);
  root.dataset.moment = kind;
  timer = setTimeout(() => clearOverlay(), ms * pace);
}

/** End the moment that is shown, if there is one, by a tap or by itself. */
export function clearOverlay(tap) {
  if (!layers.length) return;
  clearTimeout(timer);
  holdPlaces(tap ? placesOfTap(tap) : layers.map(rectOf));
  for (const layer of layers) {
    layer.parentElement?.classList.remove("laid");
    layer.remove();
  }
  layers = [];
  const root = document.documentElement;
  root.classList.remove(`moment-${root.dataset.moment}`);
  delete root.dataset.moment;
  onEnd();
}

// One on what lies below them is made there on purpose, and the next one too.
function placesOfTap({ clientX: x, clientY: y, target }) {
  const isOnLayer = layers.some((layer) => layer.contains(target));
  return isOnLayer ? [{ left: x - AROUND, top: y - AROUND, right: x + AROUND, bottom: y + AROUND }] : [];
}

document.addEventListener("click", clearOverlay);
document.addEventListener("keydown", ({ key }) => key === "Escape" && clearOverlay());

/** Return the felt that covers the keys: cards above a line of text, and one below it. */
export function felt(cards, line, below) {
  const cloth = tagged("div", "felt-cloth", tagged("div", "felt-cards", ...cards), tagged("p", "moment-line", line));
  if (below) cloth.append(tagged("p", "felt-below", below));
  cloth.append(tagged("i", "felt-fuse"));
  return tagged("div", "moment-felt", cloth);
}

/** Return an element with a class. */
export const tagged = (name, className, ...content) =>
  Object.assign(element(name, ...content), { className });

/** Return the cards of tricks, each given by the seat that has it, or null; those beyond `tricks` stand apart. */
export function trickCards(game, seats, tricks) {
  const cards = seats.map((seat, at) => {
    const kind = seat === null ? " loose" : at < tricks ? "" : " beyond";
    const card = tagged("i", `felt-card${kind}`, ...(seat === null ? [] : shapesOf(game, [seat])));
    card.style.setProperty("--i", at);
    return card;
  });
  return cards.length > tricks ? cards.toSpliced(tricks, 0, tagged("i", "felt-bar")) : cards;
}

// The last bid: bids stay in their rows, and lie on the felt as cards over a line that says what they add up to.

const FELT_LASTS = 1400; // ms

/** Show that all bids are made in a game that is counted from now on. */
export function showBids(game, state) {
  const dock = document.querySelector(".entry > .dock");
  if (!dock) return;
  const { tricks } = roundRules(state);
  const { bids } = state.open;
  const claimed = state.order.flatMap((seat) => Array(contract([bids[seat]])).fill(seat));
  const loose = Array(Math.max(tricks - claimed.length, 0)).fill(null);
  const cards = trickCards(game, [...claimed, ...loose], tricks);
  const cloth = felt(cards, bidsLine(claimed.length, tricks), contracts(game, state));
  lay("bids", [[dock, cloth], ...largeBids(state)], FELT_LASTS);
}

// The bids as they stood in the rows of the seats that are counted now.
function largeBids({ sides, rules, open }) {
  const rows = [...document.querySelectorAll(".seat[id] > .seat-who")];
  return rows.map((row) => {
    const seat = Number(row.parentElement.id.replace("seat-row-", ""));
    const seats = rules.tricks_by === "side" ? sides.find((side) => side.includes(seat)) : [seat];
    return [row, tagged("b", "moment-bid", contractText(seats.map((one) => open.bids[one])))];
  });
}

function bidsLine(bids, tricks) {
  const n = Math.abs(tricks - bids);
  const code = n ? (bids < tricks ? "tricks_loose" : "tricks_beyond") : "tricks_claimed";
  return text(code, { n, bids, tricks });
}

// What each side of partners bids.
function contracts(game, { sides, open }) {
  if (sides.every((seats) => seats.length === 1)) return null;
  const lines = sides.map((seats) => {
    const bid = contractText(seats.map((seat) => open.bids[seat]));
    return fragment([namesOf(game, seats), ` ${bid}`]);
  });
  return fragment(intersperse(lines, " · "));
}

// A scored round: its rows turn into tickets with what each seat made of its bid, and the points fly from them into
// the columns of the scoreboard, which count up. The points stay there until the next bid.

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
  const kind = points && pointsKind(points);
  const sum = tagged("b", `ticket-sum ${kind || ""}`, points || "");
  back.append(tagged("span", `ticket-end${kind ? "" : " sumless"}`, sum, element("small", mark ? text(mark) : "")));
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
  const strip = document.querySelector(".strip");
  strip?.append(layer);
  strip?.classList.add("scored-now");
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
  strip.classList.add("glides");
}

/** Remove the points at the columns, which are those of the round before. */
export function clearPoints() {
  clearTimeout(stays);
  for (const one of document.querySelectorAll(".deltas, .glide, .crown")) one.remove();
  for (const one of document.querySelectorAll(".fresh, .strip")) one.classList.remove("fresh", "scored-now", "glides");
}
