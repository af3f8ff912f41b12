// Keypad of a game in the offline app, and the seats above it.

import {
  contract, fillLastCount, isNil, possibleBids, preview, refusal, scoreReasons, sideOf, sum,
} from "../rules/engine.js";
import { deckNote } from "./rules-page.js";
import {
  bdi, bidWord, element, phrase, render, sentence, setAttributes, shape, signed, text,
} from "./phrases.js";

const noEntries = (state) => Array(state.players).fill(null);

/** Return the trick counts, the last one filled in, and whether they complete the round. */
export function countsOf(state) {
  const counts = fillLastCount(state.open.tally, state.players, state.rules.tricks);
  const isComplete = state.phase === "playing" && preview(state, state.open.tally) !== null;
  return { counts, isComplete };
}

/** Return the seat that the keypad fills: the chosen one, else the next without an entry. */
export function activeSeat(state, chosen) {
  if (state.phase === "over") return null;
  if (chosen !== null) return chosen;
  const entered = state.phase === "bidding" ? state.open.bids : (state.open.tally ?? noEntries(state));
  return state.order.find((seat) => entered[seat] === null) ?? state.order.at(-1);
}

/** Return the seats, the count so far, the keys, and the button that scores the round. */
export function entrySection(game, state, active, steps) {
  const bidding = state.phase === "bidding";
  const keys = bidding ? bidKeys(state, active) : countKeys(state, active);
  const piece = render("entry", {
    deck: deckNote(game),
    seats: state.order.map((seat) => seatRow(game, state, seat, active)),
    counted: countedText(game, state),
    "can-undo": steps > 0,
    keys: keys.map(renderKey),
    struck: bidding && refusalNotes(keys),
    score: !bidding && sentence("score", { n: state.number }),
  });
  const name = game.names[active];
  const pad = piece.querySelector("#pad");
  pad.classList.add(bidding ? "bids" : "tally", `upto-${state.rules.tricks}`);
  setAttributes(pad, { "aria-label": text(bidding ? "bid_of" : "tricks_of", { name }) });
  const isOpen = !bidding && !countsOf(state).isComplete;
  if (isOpen) setAttributes(piece.querySelector("#score"), { "aria-disabled": "true" });
  return piece;
}

function bidKeys(state, active) {
  const { rules, open, standing } = state;
  return possibleBids(rules).map((bid) => {
    const wrong = refusal(rules, open.bids, active, bid, standing.totals);
    const why = wrong ? phrase(wrong) : "";
    return { value: bid, label: bidWord(bid), wide: isNil(bid), why };
  });
}

function countKeys(state, active) {
  const { rules, open } = state;
  const others = (open.tally ?? []).filter((_, seat) => seat !== active);
  const left = rules.tricks - sum(others);
  return Array.from({ length: rules.tricks + 1 }, (_, n) => ({
    value: n,
    label: `${n}`,
    why: n > left ? text("only_left", { n: left }) : "",
  }));
}

function renderKey({ value, label, wide, why }, at) {
  const piece = render("key", { label });
  const key = setAttributes(piece.querySelector("button"), {
    id: `key-${at + 1}`,
    value,
    "aria-disabled": why && "true",
    title: why,
  });
  key.classList.toggle("wide", Boolean(wide));
  key.classList.toggle("struck", Boolean(why));
  return piece;
}

function refusalNotes(keys) {
  const reasons = new Set(keys.map(({ why }) => why).filter(Boolean));
  return reasons.size ? [...reasons].map((why) => render("struck", { why })) : null;
}

function seatRow(game, state, seat, active) {
  const isActive = seat === active;
  const { counts, isComplete } = countsOf(state);
  const raw = state.open.tally?.[seat] ?? null;
  const bid = bidWord(state.open.bids[seat]);
  const bidding = state.phase === "bidding";
  const open = isActive ? "?" : null;
  const [points, note] = isComplete ? sidePreview(state, seat, counts) : ["", null];
  const taken = sum(state.open.tally ?? []);
  const piece = render("seat", {
    shape: shape(seat),
    name: bdi(game.names[seat]),
    verb: isActive && bidding,
    bid: bidding && (bid || open),
    contract: !bidding && (bid ? sentence("bid", { bid: element("b", bid) }) : " "),
    count: !bidding && (counts[seat] === null ? (open ?? " ") : `${counts[seat]}`),
    points,
    "one-more": !bidding && !isComplete && taken < state.rules.tricks && "+1",
    note,
  });
  const row = piece.querySelector("li");
  row.id = `seat-row-${seat}`;
  row.classList.toggle("active", isActive);
  row.classList.toggle("waits", !bid && !isActive);
  const who = { href: `?seat=${seat + 1}`, "data-seat": seat, "aria-current": isActive && "step" };
  setAttributes(row.querySelector("a"), who);
  const isFilled = raw === null && counts[seat] !== null;
  row.querySelector(".seat-count")?.classList.toggle("filled", isFilled);
  row.querySelector(".seat-points")?.classList.add(points.includes("\u2212") ? "loss" : "gain");
  const more = row.querySelector(".one-more");
  const label = text("one_more", { name: game.names[seat] });
  if (more) setAttributes(more, { "data-seat": seat, "aria-label": label });
  return piece;
}

// Returns, for a side's last seat, the points it would score and the note of a bag penalty.
function sidePreview(state, seat, counts) {
  const side = sideOf(state.sides, seat);
  const seats = state.sides[side];
  if (seat !== seats.at(-1)) return ["", null];
  const score = preview(state, counts)[side];
  const [bids, tricks] = [state.open.bids, counts].map((list) => seats.map((mate) => list[mate]));
  const reasons = scoreReasons(state.rules, bids, tricks, score, state.standing.bags[side]);
  return [signed(score.points), score.bag_penalty ? phrase(reasons.at(-1)) : null];
}

/** Return how many tricks are bid or taken so far, as a sentence. */
export function countedText(game, state) {
  const { tricks } = state.rules;
  const bid = contract(state.open.bids);
  if (state.phase === "bidding") return sentence("of_bid", { n: bid, tricks });
  const { counts } = countsOf(state);
  const all = sentence("of_tricks", { taken: sum(counts), n: tricks });
  const raw = state.open.tally ?? counts;
  const filled = counts.findIndex((count, seat) => count !== null && raw[seat] === null);
  if (filled < 0) return all;
  return sentence("filled_in", { counted: all, name: bdi(game.names[filled]) });
}
