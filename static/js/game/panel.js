// A row that is opened: a penalty, points by hand or a note for a seat, with the keys of the dock for tricks. Loaded
// with the views; what is chosen is the `panel` of the view: {seat, tab, reason, size, to, sign}.

import { columnsOf } from "./keypad.js";
import { sizeClass } from "./scoreboard.js";
import { enter, faceOf, roundOf, stateOf } from "../model/facts.js";
import { penaltyText } from "../model/merge.js";
import { bdi, bidWord, element, phrase, piece, sentence, setAttributes, signed, text } from "../draw/phrases.js";
import { planOf, roundRules, sideOf } from "../rules/bidding.js";
import { preview } from "../rules/entry.js";
import { penaltyReason } from "../rules/explain.js";
import { notesOf } from "../rules/game.js";
import { givePenalty } from "../rules/notes.js";
import { Refused } from "../rules/sentence.js";

const FAULTS = ["renege", "out_of_turn", "table_talk", "other"];
const USUALLY_PAID = 3; // tricks of a penalty
const UNSIZED = ["set", "lost"]; // kinds of penalties without a number

/** Return the button of a row that was tapped, which opens it. */
export const openButton = (seat) =>
  setAttributes(element("button", "⋯"), {
    type: "button", class: "one-more", "data-action": "panel", "data-seat": seat + 1, "aria-label": text("panel_opens"), title: text("panel_opens"),
  });

/** Return the rows with the one that is opened, or to choose it, and the dock. */
export function panelSection(game, state, panel, values) {
  const seats = state.order;
  const { seat } = panel;
  const tabs = tabsOf(state, seat);
  const tab = tabs.includes(panel.tab) ? panel.tab : tabs[0];
  const given = { seat, reason: "renege", size: Math.min(USUALLY_PAID, roundRules(state).tricks), to: paymentsOf(state)[0], sign: "+", ...panel, tab };
  const isOpen = seat !== null && seat !== undefined;
  const rows = seats.map((one) => (one === seat ? openRow(game, state, given, tabs) : foldedRow(game, state, one)));
  const most = Math.max(roundRules(state).tricks, ...planOf(state.rules, state.players));
  const isPenalty = isOpen && tab === "penalty";
  const isSized = isPenalty && !UNSIZED.includes(given.to);
  return piece("panel", {
    ...values,
    what: { note: "note", misdeal: "misdeal" }[tab] ?? "penalties",
    seat: isOpen && seat + 1,
    kind: tab === "penalty" ? Object.values(kindOf(given)).join(":") : "bonus:nobody",
    size: isSized && given.size,
    reason: isPenalty && given.reason,
    sign: tab === "points" && given.sign,
    rows,
    size_class: sizeClass(seats),
    columns: columnsOf(most),
    pad_label: isSized && text("tricks_of", { name: game.names[seat] }),
    pad_keys: isSized && padKeys(state, given, most),
    asks: !isOpen && text("panel_who"),
    act: isOpen && actText(given),
  });
}

// What a penalty may be: tricks that go to others or to nobody, which sides with one total pay; a contract that counts
// as set, or the game.
function paymentsOf({ rules }) {
  if (rules.totals_by !== "side") return UNSIZED;
  return [...(rules.partnerships ? ["others"] : []), "nobody", ...UNSIZED];
}

// Those that are offered: seldom ones where another reason is given, or one of them is chosen.
function offeredPayments(state, { reason, to }) {
  const all = paymentsOf(state);
  const usual = all.filter((one) => !UNSIZED.includes(one));
  if (!usual.length || reason === "other" || UNSIZED.includes(to)) return all;
  return usual.length > 1 ? usual : [];
}

const kindOf = ({ to }) => (UNSIZED.includes(to) ? { kind: to, to: "nobody" } : { kind: "books", to });

// Who deals may deal again once somebody has bid.
function tabsOf({ dealer, open }, seat) {
  const isMisdeal = seat === dealer && !open.tricks && open.bids.some((bid) => bid !== null);
  return [...(isMisdeal ? ["misdeal"] : []), "penalty", "points", "note"];
}

const foldedRow = (game, state, seat) =>
  piece("panel-row", { ...faceOf(game, seat), seat, n: seat + 1, name: game.names[seat], shown: shownOf(state, seat) });

function shownOf({ open: { bids, tally } }, seat) {
  return tally?.[seat] ?? bidWord(bids[seat]);
}

function openRow(game, state, given, tabs) {
  const { seat, tab, reason, to, sign } = given;
  const written = notesOf(roundOf(game, state.number)).remark;
  const chip = (name, value, label, isOn) => piece("panel-chip", { name, value, label, on: isOn });
  return piece("panel-open", {
    ...faceOf(game, seat),
    seat,
    n: seat + 1,
    name: game.names[seat],
    group: `${game.names[seat]}, ${text(`panel_${tab}`)}`,
    about: aboutText(state, seat),
    tabs: tabs.map((one) => chip("tab", one, text(`panel_${one}`), one === tab)),
    reasons: tab === "penalty" ? FAULTS.map((one) => chip("reason", one, one === "other" ? text("panel_other") : phrase({ code: one, values: {} }), one === reason)) : [],
    receivers: tab === "penalty" ? offeredPayments(state, given).map((one) => chip("to", one, text(one === "lost" ? "chip_lost" : `panel_to_${one}`), one === to)) : [],
    signs: tab === "points" ? ["+", "-"].map((one) => chip("sign", one, one === "+" ? "+" : "\u2212", one === sign)) : [],
    points: tab === "points",
    note: tab === "note",
    remark: written,
    given: givenRows(game, state, seat, tab === "note" && written),
    effect: tab === "penalty" ? effectText(game, state, given) : tab === "misdeal" && text("panel_drops"),
  });
}

const penaltyKey = (penalty) => `${penalty.seat}:${penaltyText(penalty)}`;

// What was given to a seat in this round, and the note where that is written, each with what takes it back.
function givenRows(game, { open, rules }, seat, written) {
  const row = (value, line) => piece("panel-given", { value, line });
  const penalties = open.penalties.filter((one) => one.seat === seat);
  const lines = penalties.map((one) => row(penaltyKey(one), phrase(penaltyReason(one, one.size, rules.shown_as))));
  return [...lines, ...(written ? [row("note", written)] : [])];
}

/** Return the game without what was given in the round that is played, by the value of its button. */
export function withoutGiven(game, value) {
  const { number: n } = stateOf(game);
  const round = roundOf(game, n);
  if (value === "note") return enter(game, n, { ...round, remark: "" });
  const at = (round.penalties ?? []).findIndex((one) => penaltyKey(one) === value);
  return at < 0 ? game : enter(game, n, { ...round, penalties: round.penalties.toSpliced(at, 1) });
}

function aboutText({ open: { bids, tally } }, seat) {
  const bid = bidWord(bids[seat]);
  const took = tally?.[seat] ?? null;
  if (took === null) return bid && text("bid", { bid });
  return bid ? text("bid_took", { bid, n: took }) : text("took", { n: took });
}

function penaltyOf({ seat, size, to, reason }) {
  const paid = kindOf({ to });
  return { seat, ...paid, size: paid.kind === "books" ? size : 1, reason };
}

// What the penalty says, and once every trick is counted what it changes.
function effectText(game, state, given) {
  const { open, rules } = state;
  const penalty = penaltyOf(given);
  const what = phrase(penaltyReason(penalty, penalty.size, rules.shown_as));
  const line = sentence("penalty_of", { name: bdi(game.names[given.seat]), what });
  const side = sideOf(state.sides, given.seat);
  const [old, now] = [open, withPenalty(state, given)].map((round) => round && preview({ ...state, open: round }, open.tally)?.[side].points);
  if (old === undefined || now === undefined || old === now) return line;
  const points = (n) => signed(n, rules.shown_as);
  return element("span", line, " ", sentence("panel_changes", { new: element("b", points(now)), old: points(old) }));
}

function withPenalty(state, given) {
  try {
    return givePenalty(state, state.open, penaltyOf(given));
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

// The place of 0 is empty; below a number stands what is left of the tricks that are counted.
function padKeys(state, { seat, size }, most) {
  const { tricks } = roundRules(state);
  const taken = state.open.tally?.[seat] ?? null;
  return [
    element("i"),
    ...Array.from({ length: most }, (_, at) => {
      const n = at + 1;
      const isOff = n > tricks || (taken !== null && n > taken && taken > 0);
      return piece("panel-key", { n, chosen: n === size, off: isOff, left: taken !== null && !isOff && n <= taken && `→ ${taken - n}` });
    }),
  ];
}

function actText({ tab, size, sign, to }) {
  if (tab === "misdeal") return text("panel_misdeal");
  if (tab === "penalty") return UNSIZED.includes(to) ? text("panel_add") : text("panel_take_tricks", { n: size });
  if (tab === "points") return text(sign === "+" ? "panel_give" : "panel_take");
  return text("panel_save_note");
}

/**
 * Return a chip in a row with a line, which `short` stands for where the row shows it; a tap opens the row of its
 * `seat` at a `tab`, if it can be taken back there.
 */
export function chipOf({ line, short, seat, tab }) {
  const hidden = () => setAttributes(element("span", line), { class: "visually-hidden" });
  const shown = short ? [setAttributes(element("span", short), { "aria-hidden": "true" }), hidden()] : [line];
  const opens = tab && { "data-action": "panel", "data-seat": seat + 1, "data-tab": tab };
  return setAttributes(element("span", ...shown), { class: `row-chip note${short ? " short" : ""}`, ...opens });
}

/** Return what a penalty is in short: "−3 tricks", "+20". */
export function penaltyChip({ kind, size }, shownAs) {
  if (kind === "books") return text("chip_tricks", { n: size });
  return kind === "set" || kind === "lost" ? text(`chip_${kind}`) : signed(kind === "bonus" ? size : 0 - size, shownAs);
}

/** Change what is chosen in an opened row, or open or close one. */
export function changePanel(panel, { seat, name, value, tab }) {
  if (name === "close") return undefined;
  const changed = { ...panel, ...(seat && { seat: seat - 1 }), ...(tab && { tab }) };
  if (!name) return changed;
  return { ...changed, [name]: name === "size" ? Number(value) : value };
}

/** Put the focus into a row that was opened, or back on the one that was closed. */
export function focusRow(before, now) {
  if (before && now && before.seat === now.seat) return;
  const isChosen = now && (now.seat ?? null) !== null;
  const opened = isChosen ? `#panel-row-${now.seat} [data-name=tab][aria-pressed]` : "#panel .seat-who";
  const closed = (before?.seat ?? null) === null ? "#menu > summary" : `#seat-row-${before.seat} .seat-who`;
  requestAnimationFrame(() => document.querySelector(now ? opened : closed)?.focus({ preventScroll: true }));
}
