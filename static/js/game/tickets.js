// A scored round: its rows turn into tickets with what each seat made of its bid, and why; once a row has turned, its
// points rise in the column of its side, which counts up. The points stay there until the next bid.

import { newLeadText, newLeaders } from "./announcement.js";
import { felt, keep, showTitle, trickCards, vanish } from "./felt.js";
import { cardKinds, card, nameBy } from "./keypad.js";
import { contractText } from "./notes.js";
import { rectOf } from "./leaving.js";
import { shapesOf } from "./scoreboard.js";
import { isStill, openStage, pageTimes, putAt, tagged, timed } from "./stage.js";
import { faceOf } from "../model/facts.js";
import { bdi, element, minus, phraseData, pointsKind, sentence, setAttributes, signed, text } from "../draw/phrases.js";
import { inRound, isNil, roundRules, sideOf } from "../rules/bidding.js";
import { askedSeats, seatScores } from "../rules/game.js";
import { isolateSign } from "../rules/sentence.js";

const [TICKETS_LAST, TICKETS_STAND] = [1900, 3000]; // ms with five rows, moving and still
/** The ms between two rows, and those until the points of the first one have landed. */
export const TURN = 80;
export const TURNED = 820;
const TURNS = 240; // ms that a row turns
const LOW = 50; // px of a row, below which a ticket has one line
const FLIGHT = 420; // ms

/** Show the newest round of a game, which was `before` with all tricks counted, on the page that was `held` then. */
export function showScoredRound(game, before, state, held, again) {
  const { places } = held;
  if (!places.dock) return;
  const round = state.rounds.at(-1);
  const lead = newLeadText(game, state);
  const scored = text("round_scored", { n: round.number });
  const said = [lead ?? scored, lead && scored, text("tap_to_go_on")];
  const tricks = before.order.flatMap((seat) => Array(Math.max(round.tricks[seat], 0)).fill(seat));
  const cloth = again?.felt ?? felt(places.dock, isStill() ? [] : trickCards(game, tricks, tricks.length), said);
  if (lead) cloth.style.setProperty("--line-at", "1000ms"); // once its points have come
  const rows = resultsOf(game, before, round);
  const tickets = rows.map((one, at) => {
    const drawn = putAt(ticket(game, one, at), places.seats[at]);
    drawn.classList.toggle("low", places.seats[at].height < LOW);
    return drawn;
  });
  const columns = ticketColumns(state, round, rows, places);
  const pills = isStill() ? [] : columns.map((one) => pillOf(one, places));
  const more = Math.max(rows.length - 5, 0) * TURN;
  const layers = [held.still, ...tickets, cloth, ...pills];
  landPoints(columns);
  const end = () => {
    stayPoints();
    again?.end();
  };
  const ms = again ? again.ms : isStill() ? TICKETS_STAND : TICKETS_LAST + more;
  openStage("scored", layers, { ms, end, ...again?.how });
  columns.forEach(({ column, delay }, at) => column.querySelector(".side-line") && vanish(pills[at], (delay + FLIGHT) * pageTimes()));
  keep(held, isStill() ? ".bar-title" : ".bar-title, .seats, .strip");
  showTitle(held, round.number, [text(again ? "once_more" : "is_now_scored")]);
  if (!isStill()) turnRows(held.copy, columns);
  const [leader, ...others] = newLeaders(state);
  if (leader !== undefined && !others.length && !again) dropCrown(leader);
}

// What each row of seats made of its bid. Partners with one total share one sum: it stands with the last of them who
// has bid a number, and a Nil with whom it is.
function resultsOf(game, before, round) {
  const { rules, sides, players } = before;
  const scores = seatScores(inRound(rules, round.number, players, round.cards), round.before, round);
  const asked = askedSeats(before);
  return asked.map((seat) => {
    const side = sideOf(sides, seat);
    const mates = asked.filter((one) => sideOf(sides, one) === side);
    const seats = mates.length > 1 ? [seat] : rules.tricks_by === "side" ? sides[side] : [seat];
    const bids = seats.map((one) => round.bids[one]).filter((bid) => bid !== null);
    const took = seats.reduce((all, one) => all + round.tricks[one], 0);
    const result = { seat, side, took, bids, bid: contractText(bids), name: nameBy(game, before, seat, rules.tricks_by) };
    if (scores[seat] || mates.length === 1) {
      const score = scores[seat] ?? round.scores[side];
      return { ...result, mark: markOf(bids, took, score), ...pointsAndWhy(score, roundRules(before), bids, took) };
    }
    return { ...result, ...partnersPart(game, before, round, seat, mates) };
  });
}

function partnersPart(game, before, round, seat, mates) {
  const rules = roundRules(before);
  const score = round.scores[sideOf(before.sides, seat)];
  const [bid, took] = [round.bids[seat], round.tricks[seat]];
  const bidders = mates.filter((one) => !isNil(round.bids[one]));
  const nils = mates.filter((one) => isNil(round.bids[one]));
  const isOwnNil = isNil(bid) && nils.length === 1;
  if (isOwnNil && bidders.length) {
    const mark = markOf([bid], took, score);
    return { mark, ...pointsAndWhy({ ...noParts, nil_points: score.nil_points, made: null, points: score.nil_points }, rules, [bid], took) };
  }
  if (seat !== (bidders.at(-1) ?? nils.at(-1))) {
    const mate = mates.find((one) => one !== seat);
    return { mark: markOf([bid], took, { made: null }), points: "", why: sentence("with_partner", { name: bdi(game.names[mate]) }) };
  }
  const rest = bidders.length && nils.length ? { ...score, nil_points: 0, points: score.points - score.nil_points } : score;
  const all = mates.map((one) => round.bids[one]);
  const alone = bidders.length === 1 ? markOf([bid], took, { made: score.made, overtricks: score.overtricks }) : score.made === false ? "was_set" : "";
  return { mark: bidders.length ? alone : markOf([bid], took, score), ...pointsAndWhy(rest, rules, all.filter((one) => one !== null), took) };
}

const noParts = { contract: 0, contract_points: 0, overtricks: 0, overtrick_points: 0, bag_penalty: 0, penalty_points: 0, bonus_points: 0 };

function markOf(bids, took, { made, overtricks }) {
  if (bids.length && bids.every(isNil)) return took ? "nil_broken" : "nil_made";
  if (!bids.length || (made ?? null) === null) return "";
  if (!made) return "was_set";
  return overtricks ? "" : "exact";
}

const pointsAndWhy = (score, rules, bids, took) =>
  ({ points: signed(score.points, rules.shown_as), why: whyText(score, rules) || nilText(markOf(bids, took, score)) });

const nilText = (mark) => (mark.startsWith("nil") ? text(mark) : "");

/** Return what a score adds up from, as "4 × 10 + 2 bags"; nothing where it is one figure, that of the sum. */
export function whyText(score, rules) {
  const { contract: goal, contract_points: worth, overtricks: bags, overtrick_points: paid } = score;
  const each = goal > 0 && worth && worth % goal === 0 ? Math.abs(worth / goal) : 0;
  const parts = [];
  if (score.nil_points) parts.push(signed(score.nil_points, rules.shown_as));
  if (each) parts.push(isolateSign(`${worth < 0 ? "−" : "+"}${goal} × ${minus(each, rules.shown_as)}`, phraseData.lang));
  else if (worth) parts.push(signed(worth, rules.shown_as));
  if (bags > 0 && rules.bag_limit !== null && (paid === bags || !paid)) parts.push(`+${text("bags_more", { n: bags })}`);
  else if (paid) parts.push(signed(paid, rules.shown_as));
  const others = [score.bag_penalty, score.penalty_points, score.bonus_points].filter(Boolean);
  parts.push(...others.map((points) => signed(points, rules.shown_as)));
  if (parts.length === 1 && parts[0] === signed(score.points, rules.shown_as)) return "";
  return parts.map((part, at) => spaced(part, at)).join(" ");
}

// A part of a sum, with its sign apart from it but for the first one.
function spaced(part, at) {
  const [, lead, sign, rest] = /^([^\d+−]*)([+−]?)(.*)$/su.exec(part);
  if (at) return `${sign} ${lead}${rest}`;
  return sign === "+" ? `${lead}${rest}` : part;
}

function ticket(game, result, at) {
  const { seat, name, bid, bids, took, mark, points, why } = result;
  const figure = tagged("b", "ticket-bid", bid);
  const said = sentence(bid ? "bid_took" : "took", { bid: figure, n: took });
  const how = ["exact", "was_set"].includes(mark) ? tagged("span", "ticket-how", `· ${text(mark)}`) : "";
  const line = element("small", tagged("span", "ticket-said", said), " ", how); // spaces between parts are not shown
  const kinds = mark === "nil_broken" || !mark ? cardKinds(bids.length === 1 ? bids[0] : null, took) : [];
  const back = tagged("div", `ticket tint-${faceOf(game, seat).color} ${mark}`, ...shapesOf(game, [seat]));
  if (bids.length === 1 && kinds.length && kinds.length < 9) line.append(" ", tagged("span", "cards", ...kinds.map(card)));
  back.append(tagged("span", "ticket-text", tagged("b", "ticket-name", name), line));
  if (mark.startsWith("nil")) back.append(tagged("b", "stamp", mark === "nil_made" ? `${bid}!` : bid));
  const sum = tagged("b", `ticket-sum ${points && pointsKind(points)}`, points);
  back.append(tagged("span", "ticket-end", sum, element("small", why)));
  back.style.setProperty("--i", at);
  return back;
}

// The columns of the scoreboard that are shown, each with what its side has gained, and when its rows have turned.
function ticketColumns({ rules }, round, rows = [], places = undefined) {
  const shown = [...document.querySelectorAll(".strip > .side")];
  return shown.flatMap((column, at) => {
    const place = places ? places.columns[at] : rectOf(column);
    if (!place?.width) return []; // large text has no columns
    const side = Number(column.id.replace("side-", ""));
    const [from, to] = [round.before, round.after].map(({ totals }) => totals[side]);
    const bags = [round.before, round.after].map((standing) => standing.bags[side]);
    const row = rows.findLastIndex((one) => one.side === side);
    const delay = TURN * row + TURNED - FLIGHT; // once the ring or pen is drawn, and the sum read
    const points = signed(round.scores[side].points, rules.shown_as);
    return { column, place, points, from, to, bags, row, delay, isWhole: rules.shown_as !== "tenths" };
  });
}

// The points of a side, which rise from the row of its last seat to the lower edge of its column.
function pillOf({ place, points, delay, row }, places) {
  const pill = tagged("span", "rising", tagged("b", `delta ${pointsKind(points)}`, points));
  const from = places.seats[row].top + places.seats[row].height / 2 - places.strip.bottom;
  putAt(pill, { left: place.left, top: places.strip.bottom, width: place.width, height: 0 });
  pill.style.setProperty("--rise", `${from}px`);
  pill.style.setProperty("--delay", `${delay}ms`);
  return pill;
}

// Each row turns away, and each column stays as it was until its points have come.
function turnRows(copy, columns) {
  const pace = pageTimes();
  [...copy.querySelectorAll(".seats > .seat")].forEach((row, at) => {
    const timing = { duration: (TURNS / 2) * pace, delay: TURN * at * pace, easing: "ease-in", fill: "both" };
    row.animate({ transform: ["perspective(30rem) rotateX(0)", "perspective(30rem) rotateX(90deg)"] }, timing);
    vanish(row, (TURN * at + TURNS / 2) * pace);
  });
  const former = [...copy.querySelectorAll(".strip > .side")];
  for (const { column, delay } of columns) {
    const lands = (delay + FLIGHT) * pace;
    vanish(former.find(({ id }) => id === column.id), lands);
    column.animate({ opacity: [0, 1] }, { duration: 1, delay: lands, fill: "backwards" });
  }
}

// Columns count from the last total, and show what they have gained below.
function landPoints(columns) {
  clearPoints();
  const pills = columns.map(({ column, points, from, to, bags, delay, isWhole, place }) => {
    column.style.setProperty("--delay", `${delay + FLIGHT}ms`);
    const total = column.querySelector(".total");
    if (isWhole && from !== to && !isStill()) total.dataset.counts = "";
    total.style.setProperty("--from", from);
    total.style.setProperty("--to", to);
    for (const bag of [...column.querySelectorAll(".pips > i")].slice(...bags)) bag.classList.add("fresh");
    if (column.querySelector(".side-line")) return tagged("span", ""); // which says it
    return tagged("b", `delta ${pointsKind(points)}`, points);
  });
  const layer = setAttributes(tagged("div", "deltas", ...pills), { "aria-hidden": "true" });
  const strip = document.querySelector(".strip");
  document.querySelector(".strip")?.append(layer);
}

/** Show at the columns what the newest round of a game has gained, where no moment does. */
export const showPoints = (state) => landPoints(ticketColumns(state, state.rounds.at(-1)).map((one) => ({ ...one, to: one.from })));

function stayPoints() {
  for (const one of document.querySelectorAll("[data-counts]")) delete one.dataset.counts;
}

// A crown drops on the column that leads now.
function dropCrown(leader) {
  const [strip, now] = [document.querySelector(".strip"), document.getElementById(`side-${leader}`)];
  if (!strip || !now?.offsetWidth) return;
  const crown = setAttributes(tagged("span", "crown"), { "aria-hidden": "true" });
  crown.style.setProperty("--x1", `${now.offsetLeft + now.offsetWidth / 2}px`);
  strip.append(timed(crown));
}

/** Remove the points at the columns, which are those of the round before. */
export function clearPoints() {
  for (const one of document.querySelectorAll(".deltas, .crown")) one.remove();
  for (const one of document.querySelectorAll(".fresh")) one.classList.remove("fresh");
}
