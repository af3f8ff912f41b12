// Beside the keypad: the clock, how to prepare the deck, notes of the round, and how points came about.

import { misdealLine } from "./announcement.js";
import { svg } from "./chart.js";
import { chipOf, penaltyChip } from "./panel.js";
import { isShort, isUp, MINUTE, minutesLeft, serverTime, WARNING } from "./countdown.js";
import { countsSoFar } from "./keypad.js";
import { namesOf } from "./scoreboard.js";
import { hasConflict, needsDecision, stateOf } from "../model/facts.js";
import {
  bdi, bidWord, element, minus, phrase, piece, pointsKind, render, sentence, setAttributes, signed, text,
} from "../draw/phrases.js";
import { contract, isNil, lengthOf, planOf, roundRules, sideOf } from "../rules/bidding.js";
import { preview } from "../rules/entry.js";
import { penaltyReason, roundReasons } from "../rules/explain.js";
import { askedSeats } from "../rules/game.js";
import { hints } from "../rules/hints.js";
import { preparation } from "../rules/notes.js";
import { asSeated } from "../rules/result.js";
import { seatsAfter, seatsIn, takenSeats } from "../rules/seating.js";
import { whatItTakes } from "../rules/what-it-takes.js";

/** Return the clock and the proposal, in which `form` is the form, at a time; empty without a clock. */
export function clock({ begin, started, rules }, { open, phase }, form, now = serverTime()) {
  if (!rules.minutes || phase === "over") return ["", ""];
  const own = Date.parse(started);
  // A game that the server does not have was begun by the clock of this phone. One of the future began
  // before a clock was set back.
  const end = Math.min(begin ? serverTime(own) : own, now) + rules.minutes * MINUTE;
  const left = minutesLeft(end, now);
  const shown = left > 0 ? text("minutes_left", { n: left }) : isUp(left) && text("time_up");
  const warning = text("minutes_warning", { n: WARNING });
  const values = { ...form, time_is_left: !isUp(left) };
  return [
    render("clock", { end, shown, warning, is_short: isShort(left) }),
    open.last_round ? "" : render("time-up", values),
  ];
}

/** Return the note as nodes; none after the first round, unless the number of players has changed. */
export function deckNote(game, state) {
  const { rules } = game;
  const { rounds, open, standing } = state;
  const n = takenSeats(standing.seats).length;
  if (isBegun(open)) return [];
  if (rules.cards) return [element("span", stairs(state)), ...dealtLines(state), ...suits(game, state)];
  const isPrepared = rounds.length > 0 && takenSeats(rounds.at(-1).after.seats).length === n;
  const lines = isPrepared ? [] : preparation(rules, n).map(phrase);
  return [...lines.flatMap((line) => [element("span", line), " "]), ...suits(game, state)];
}

const isBegun = ({ bids, tally }) => tally || bids.some((bid) => bid !== null);
const asksTrump = ({ rules, open }) => rules.trump === "turned" && !isBegun(open);

// Returns what notes the suit that was turned, where the rules turn one.
const suits = ({ id, revision }, state) =>
  asksTrump(state) ? [piece("suits", { game_id: id, revision, number: state.number, [state.open.trump]: true })] : [];

const TRUMPS = { s: "♠", d: "♦", c: "♣", h: "♥" };
const trumpLine = (suit) => (suit === "n" ? sentence("no_trump") : sentence("trump_now", { suit: TRUMPS[suit] }));

// Returns how many cards to deal, and which suit is trump where the suits take turns.
function dealtLines(state) {
  const order = state.rules.trump_order?.split(",") ?? [];
  const trump = order.length ? [trumpLine(order[(state.number - 1) % order.length])] : [];
  const lines = [sentence("deal_each", { n: roundRules(state).tricks }), ...trump];
  return lines.flatMap((line) => [" ", element("span", line)]);
}

// Returns the cards of all rounds as steps, of which the one that is played stands out.
function stairs({ rules, number, players }) {
  const plan = planOf(rules, players);
  const most = Math.max(...plan);
  const steps = plan.map((n, at) => `M${at} ${most}v-${n}h.8v${n}z`);
  const drawn = svg("svg", { class: "stairs", viewBox: `0 0 ${plan.length} ${most}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const step = number <= lengthOf(rules, players) ? steps[(number - 1) % plan.length] : "";
  drawn.append(svg("path", { d: steps.join("") }), svg("path", { class: "step", d: step }));
  return drawn;
}

/** Return what lost a game that is over; the notes of a round that is played stand in its rows. */
export function roundNotes(game, { open, phase, number }) {
  const lost = phase === "over" ? open.penalties.filter(({ kind }) => kind === "lost") : [];
  return penaltyLines(game, number, { penalties: lost }).map(({ line }) => render("note", { line }));
}

/** Return a line for each change of players, each penalty and each remark of round `n`, as `{seat, line}`. */
export const roundLines = (game, n, round) =>
  [...seatLines(game, n, round), ...penaltyLines(game, n, round), ...remarkLines(game, round)];

// Returns other cards than those of the list, trump, start totals, and the notes on a round and on the game, beside
// the first seat.
function remarkLines({ rules }, { remark, game_remark: ofGame, cards, start = [], start_bags: bags = [], trump }) {
  const lines = [["remark_line", remark, "note"], ["game_remark_line", ofGame]].filter(([, words]) => words);
  const dealt = cards ? [{ seat: 0, line: sentence("cards_dealt_line", { cards: sentence("cards_each", { n: cards }) }) }] : [];
  const totals = start.map((points) => minus(points, rules.shown_as)).join(" · ");
  if (trump) dealt.push({ seat: 0, line: trumpLine(trump) });
  if (totals) dealt.push({ seat: 0, line: sentence("start_totals_line", { totals }) });
  if (bags.length) dealt.push({ seat: 0, line: sentence("start_bags_line", { bags: bags.join(" · ") }) });
  return [...dealt, ...lines.map(([code, words, tab]) => ({ seat: 0, line: sentence(code, { text: bdi(words) }), tab }))];
}

// Returns a line for each player who comes or leaves in round `n`.
function seatLines(game, n, { substitutes = [] }) {
  const before = seatsIn(game, n - 1);
  return substitutes.map((one) => ({ seat: one.seat, line: seatLine(before, one) }));
}

function seatLine({ names, empty }, { seat, player }) {
  if (player === null) return sentence("leaves_table", { name: bdi(names[seat]) });
  if (empty.includes(seat)) return sentence("joins_table", { name: bdi(player) });
  return sentence("takes_seat", { name: bdi(player), old: bdi(names[seat]) });
}

// Returns a line for each penalty of round `n`, with the name of who sat there.
function penaltyLines(game, n, { penalties = [], substitutes }) {
  const { names } = seatsAfter(seatsIn(game, n - 1), substitutes ?? game.rounds[n - 1]?.substitutes);
  return penalties.map((one) => {
    const what = phrase(penaltyReason(one, one.size, game.rules.shown_as));
    return { seat: one.seat, line: sentence("penalty_of", { name: bdi(names[one.seat]), what }) };
  });
}

const ROUNDS_EXPLAINED = 3;

/** Return the explanations of a side's newest rounds, the last one first. */
export function explanations(game, state, side) {
  const rounds = asSeated(state).rounds.slice(-ROUNDS_EXPLAINED).reverse();
  if (!rounds.length) return render("nothing-scored");
  return rounds.map((round) =>
    render("why", {
      game_id: game.id,
      number: round.number,
      lines: roundReasons(state.rules, round, side).map((reason) => element("span", phrase(reason))),
      points: signed(round.scores[side].points, state.rules.shown_as),
      total: minus(round.after.totals[side], state.rules.shown_as),
    }),
  );
}

/**
 * Return what stands below the name of a seat beside its bid: hints of its side, until every trick is counted, with the
 * partner who bids next.
 */
export function rowNotes(game, state, seat, isCounted) {
  const side = sideOf(state.sides, seat);
  const asked = askedSeats(state);
  const mates = asked.filter((one) => sideOf(state.sides, one) === side);
  const isFirst = seat === mates[0];
  const isHinted = seat === (mates.find((one) => state.open.bids[one] === null) ?? mates[0]);
  const isHere = (one) => one === seat || (isFirst && !asked.includes(one) && sideOf(state.sides, one) === side);
  const chips = openLines(game, state).filter((one) => isHere(one.seat)).map(chipOf);
  return [...chips, ...(isHinted && !isCounted ? sideHints(state, side).map(hintShown) : [])];
}

// The notes of the round that is played, each with the seat in whose row it stands: those on the table in the dealer's.
function openLines(game, { open, phase, number, dealer, rules }) {
  const shown = asksTrump({ rules: game.rules, open }) ? { ...open, trump: null } : open; // which its button shows
  const penalties = penaltyLines(game, number, open).map((one, at) => {
    const given = open.penalties[at];
    return { ...one, short: penaltyChip(given, rules.shown_as), tab: given.kind === "bonus" ? "points" : "penalty" };
  });
  const last = open.last_round ? [sentence("is_last_round")] : [];
  const misdeal = misdealLine(game, { open, number, dealer, phase });
  const ofTable = [...last.map((line) => ({ line })), ...remarkLines(game, shown), ...(misdeal ? [{ line: misdeal }] : [])];
  return [...seatLines(game, number, open), ...penalties, ...ofTable.map((one) => ({ ...one, seat: dealer }))];
}

// Returns two hints at most of a side, those that press alone if there are any.
function sideHints(state, side) {
  const found = hints(state, side);
  const pressing = found.filter(({ kind }) => kind !== "plain");
  return (pressing.length ? pressing : found).slice(0, 2);
}

// A hint in short, and for who listens the whole sentence.
function hintShown({ kind, code, values }) {
  const whole = phrase({ code, values });
  const short = phrase({ code: `${code}_short`, values });
  const said = () => setAttributes(element("span", whole), { class: "visually-hidden" });
  const shown = short ? [setAttributes(element("span", short), { "aria-hidden": "true" }), said()] : [whole];
  return setAttributes(element("span", ...shown), { class: kind });
}

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

let found = {}; // what it takes to win, and the position for which that was found
let line; // the element that says so, which stays in the page while tricks are counted
let said; // the position for which it does

const positionOf = ({ id, names }, { number, open: { tally: _tally, ...open }, standing }) =>
  JSON.stringify([id, names, number, open, standing]);

/** Return what it takes to win with the round that is played, in words; null where there is no saying. */
export function takesText(game, state) {
  const position = positionOf(game, state);
  if (found.position !== position) found = { position, takes: whatItTakes(state) };
  return found.takes && wordsFor(game, state, found.takes);
}

function wordsFor(game, { sides }, { code, side, how, other, how_other: howOther }) {
  const kind = code === "unless" && howOther.code === "nil" ? "unless_nil" : code;
  const howText = (one) => one && text(`with_${one.code}`, one);
  const others = other !== null && namesOf(game, sides[other]);
  const values = { names: namesOf(game, sides[side]), how: howText(how), others, how_others: howText(howOther) };
  return sentence(`takes_${kind}`, { ...values, n: sides[side].length });
}

/** Return the element that says it, hidden until `showWhatItTakes` has found it, as that takes longer than a tap may. */
export function takesLine(game, state) {
  if (state.phase !== "playing") return "";
  line ??= document.getElementById("takes") ?? setAttributes(element("p"), { id: "takes", class: "message tie takes", hidden: "" });
  said ??= positionOf(game, state); // the server has drawn it
  if (said !== positionOf(game, state) || countsSoFar(state).isComplete) line.hidden = true;
  return line;
}

/** Say what it takes to win with the round of a game. */
export function showWhatItTakes(game) {
  const state = stateOf(game);
  if (state.phase !== "playing" || hasConflict(game) || needsDecision(game)) return;
  const words = takesText(game, state);
  if (!line?.isConnected || !words || countsSoFar(state).isComplete) return;
  line.replaceChildren(words);
  line.hidden = false;
  said = positionOf(game, state);
  showOnFelt(document.querySelector(".moment-bids .moment-line"));
}

// The moment of the last bid says it too, over what the bids add up to.
function showOnFelt(felt) {
  if (!felt) return;
  const below = setAttributes(element("p", ...felt.childNodes), { class: "felt-below" });
  felt.after(below);
  felt.replaceChildren(...line.cloneNode(true).childNodes);
}
