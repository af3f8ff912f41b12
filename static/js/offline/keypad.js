// The pad of a game on the phone, and the seats above it.

import { calls, contract, explain, filledIn, preview, refusal } from "../rules/engine.js";
import { deck } from "./rules-page.js";
import { bdi, bidWord, mark, part, sentence, shape, signed, text, told } from "./phrases.js";

const nobody = (board) => Array(board.players).fill(null);
const sum = (counts) => counts.reduce((all, count) => all + (count ?? 0), 0);

/** The counts with the last one filled in; and whether they make a round. */
export function countsOf(board) {
  const counts = filledIn(board.open.tally, board.players, board.rules.tricks);
  const isComplete = board.phase === "playing" && preview(board, board.open.tally) !== null;
  return { counts, isComplete };
}

/** The seat that the pad fills: the one tapped, else the next that is open. */
export function activeSeat(board, chosen) {
  if (board.phase === "over") return null;
  if (chosen !== null) return chosen;
  const entered = board.phase === "bidding" ? board.open.bids : (board.open.tally ?? nobody(board));
  return board.order.find((seat) => entered[seat] === null) ?? board.order.at(-1);
}

/** Seats, what is counted so far, keys, and the button that scores. */
export function entry(kept, board, active, steps) {
  const bidding = board.phase === "bidding";
  const keys = bidding ? bidKeys(board, active) : countKeys(board, active);
  const piece = part("entry", {
    deck: deck(kept),
    seats: board.order.map((seat) => seatRow(kept, board, seat, active)),
    counted: counted(kept, board),
    "can-undo": steps > 0,
    keys: keys.map(drawKey),
    struck: bidding && struck(keys),
    score: !bidding && sentence("score", { n: board.number }),
  });
  const name = kept.names[active];
  const pad = piece.querySelector("#pad");
  pad.classList.add(bidding ? "bids" : "tally", `upto-${board.rules.tricks}`);
  mark(pad, { "aria-label": text(bidding ? "bid_of" : "tricks_of", { name }) });
  const isOpen = !bidding && !countsOf(board).isComplete;
  if (isOpen) mark(piece.querySelector("#score"), { "aria-disabled": "true" });
  return piece;
}

function bidKeys(board, active) {
  const { rules, open, standing } = board;
  return calls(rules).map((bid) => {
    const wrong = refusal(rules, open.bids, active, bid, standing.totals);
    const why = wrong ? told(wrong) : "";
    return { value: bid, label: bidWord(bid), wide: typeof bid === "string", why };
  });
}

function countKeys(board, active) {
  const { rules, open } = board;
  const others = (open.tally ?? []).filter((_, seat) => seat !== active);
  const left = rules.tricks - sum(others);
  return Array.from({ length: rules.tricks + 1 }, (_, n) => ({
    value: n,
    label: `${n}`,
    why: n > left ? text("only_left", { n: left }) : "",
  }));
}

function drawKey({ value, label, wide, why }, at) {
  const piece = part("key", { label });
  const key = mark(piece.querySelector("button"), {
    id: `key-${at + 1}`,
    value,
    "aria-disabled": why && "true",
    title: why,
  });
  key.classList.toggle("wide", Boolean(wide));
  key.classList.toggle("struck", Boolean(why));
  return piece;
}

function struck(keys) {
  const reasons = new Set(keys.map(({ why }) => why).filter(Boolean));
  return reasons.size ? [...reasons].map((why) => part("struck", { why })) : null;
}

function seatRow(kept, board, seat, active) {
  const isActive = seat === active;
  const { counts, isComplete } = countsOf(board);
  const raw = board.open.tally?.[seat] ?? null;
  const bid = bidWord(board.open.bids[seat]);
  const bidding = board.phase === "bidding";
  const open = isActive ? "?" : null;
  const [points, note] = isComplete ? scored(board, seat, counts) : ["", null];
  const taken = sum(board.open.tally ?? []);
  const piece = part("seat", {
    shape: shape(seat),
    name: bdi(kept.names[seat]),
    verb: isActive && bidding,
    bid: bidding && (bid || open),
    contract: !bidding && (bid ? sentence("bid", { bid: bold(bid) }) : " "),
    count: !bidding && (counts[seat] === null ? (open ?? " ") : `${counts[seat]}`),
    points,
    more: !bidding && !isComplete && taken < board.rules.tricks && "+1",
    note,
  });
  const row = piece.querySelector("li");
  row.id = `seat-row-${seat}`;
  row.classList.toggle("active", isActive);
  row.classList.toggle("waits", !bid && !isActive);
  const who = { href: `?seat=${seat + 1}`, "data-seat": seat, "aria-current": isActive && "step" };
  mark(row.querySelector("a"), who);
  const isFilled = raw === null && counts[seat] !== null;
  row.querySelector(".seat-count")?.classList.toggle("filled", isFilled);
  row.querySelector(".seat-points")?.classList.add(points.includes("\u2212") ? "loss" : "gain");
  const more = row.querySelector(".one-more");
  const label = text("one_more", { name: kept.names[seat] });
  if (more) mark(more, { "data-seat": seat, "aria-label": label });
  return piece;
}

// What a side would score, on its last seat, and the penalty it would pay.
function scored(board, seat, counts) {
  const side = board.sides.findIndex((seats) => seats.includes(seat));
  const seats = board.sides[side];
  if (seat !== seats.at(-1)) return ["", null];
  const score = preview(board, counts)[side];
  const [bids, tricks] = [board.open.bids, counts].map((list) => seats.map((mate) => list[mate]));
  const reasons = explain(board.rules, bids, tricks, score, board.standing.bags[side]);
  return [signed(score.points), score.bag_penalty ? told(reasons.at(-1)) : null];
}

function bold(bid) {
  const element = document.createElement("b");
  element.textContent = bid;
  return element;
}

/** How many are bid or taken so far. */
export function counted(kept, board) {
  const { tricks } = board.rules;
  const bid = contract(board.open.bids);
  if (board.phase === "bidding") return sentence("of_bid", { n: bid, tricks });
  const { counts } = countsOf(board);
  const all = sentence("of_tricks", { taken: sum(counts), n: tricks });
  const raw = board.open.tally ?? counts;
  const filled = counts.findIndex((count, seat) => count !== null && raw[seat] === null);
  if (filled < 0) return all;
  return sentence("filled_in", { counted: all, name: bdi(kept.names[filled]) });
}
