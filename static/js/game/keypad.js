// Keypad of a game in the offline app, and the seats above it.

import {
  asked, contract, fillLastCount, isNil, kept, possibleBids, preview, refusal, scoreReasons, sideOf, sum,
  thrownInNow,
} from "../rules/engine.js";
import { preparation } from "../rules/deck.js";
import { money } from "./scoreboard.js";
import {
  bdi, bidWord, element, phrase, pointsKind, render, sentence, signed, text,
} from "../offline/phrases.js";

const noEntries = (state) => Array(state.players).fill(null);

/** Return the trick counts, the last one filled in, and whether they complete the round. */
export function countsOf(state) {
  const counts = fillLastCount(state.open.tally, state.players, state.rules.tricks);
  const isComplete = state.phase === "playing" && preview(state, state.open.tally) !== null;
  return { counts, isComplete };
}

/**
 * Return the seat that the keypad fills: the chosen one, else the next without an entry. `own` is the
 * seat that this phone has claimed, or null; its tricks may be counted out of turn.
 */
export function activeSeat(state, chosen, own = null) {
  if (state.phase === "over") return null;
  if (chosen !== null) return chosen;
  const entered = state.phase === "bidding" ? state.open.bids : (state.open.tally ?? noEntries(state));
  const waiting = state.order.filter((seat) => entered[seat] === null);
  if (state.phase === "playing" && waiting.includes(own)) return own;
  return waiting[0] ?? state.order.at(-1);
}

/** Return the seats, the count so far, the keys, and the button that scores the round. */
export function entrySection(game, state, { active, own, ...common }) {
  const isBidding = state.phase === "bidding";
  const { counts, isComplete } = countsOf(state);
  const waits = waitsText(game, state, active, own);
  const keys = isBidding ? bidKeys(state, active) : countKeys(state, active);
  const name = game.names[active];
  const field = isBidding ? "bid" : "tricks";
  return render("entry", {
    ...common,
    what: isBidding ? "bids" : "tally",
    active_seat: active + 1,
    tricks: state.rules.tricks,
    deck: deckNote(game),
    seats: state.order.map((seat) => seatRow(game, state, seat, active)),
    counted: countedText(game, state),
    waits,
    pad_label: text(`${field}_of`, { name }),
    pad_keys: !waits && keys.map((key, at) => render("key", { ...key, field, n: at + 1 })),
    disabled_reasons: isBidding && disabledReasons(state, waits ? [] : keys),
    score_fields:
      !isBidding && counts.map((n, seat) => render("score-field", { n: seat + 1, tricks: n ?? 0 })),
    incomplete: !isComplete,
  });
}

// How to prepare the deck, and the pot, until the first bid of a game.
function deckNote({ rounds, rules, names, stake }) {
  if (rounds.length) return [];
  const lines = preparation(rules, names.length).map(phrase);
  if (stake) lines.push(sentence("the_pot", { pot: money(stake * names.length) }));
  return lines.flatMap((line) => [element("span", line), " "]);
}

// Whom a phone that has claimed a seat waits for, unless its turn has come.
function waitsText({ names }, { phase }, active, own) {
  if (own === null || active === own) return null;
  const values = { name: bdi(names[active]), own: bdi(names[own]) };
  return sentence(phase === "bidding" ? "waits_for_bid" : "waits_for_tricks", values);
}

function bidKeys(state, active) {
  const { rules, open, standing } = state;
  return possibleBids(rules).map((bid) => {
    const wrong = refusal(rules, open.bids, active, bid, kept(standing));
    const whyNot = wrong ? phrase(wrong) : "";
    return { value: bid, label: bidWord(bid), wide: isNil(bid), why_not: whyNot };
  });
}

function countKeys(state, active) {
  const { rules, open } = state;
  const others = (open.tally ?? []).filter((_, seat) => seat !== active);
  const left = rules.tricks - sum(others);
  const tooMany = text("only_left", { n: left });
  return Array.from({ length: rules.tricks + 1 }, (_, n) => ({
    value: n,
    label: `${n}`,
    why_not: n > left ? tooMany : "",
  }));
}

function disabledReasons(state, keys) {
  const again = thrownInNow(state);
  const notes = again ? [phrase(again)] : keys.map((key) => key.why_not).filter(Boolean);
  return [...new Set(notes)].map((whyNot) => render("disabled-reason", { why_not: whyNot }));
}

function seatRow(game, state, seat, active) {
  const isActive = seat === active;
  const { counts, isComplete } = countsOf(state);
  const raw = state.open.tally?.[seat] ?? null;
  const bid = bidWord(state.open.bids[seat]);
  const isBidding = state.phase === "bidding";
  const open = isActive ? "?" : "";
  const [points, note] = isComplete ? sidePreview(state, seat, counts) : ["", null];
  const canCount = !isBidding && !isComplete && sum(state.open.tally ?? []) < state.rules.tricks;
  return render("seat", {
    game_id: game.id,
    seat,
    n: seat + 1,
    name: game.names[seat],
    active: isActive,
    waits: !bid && !isActive,
    bids: isActive && isBidding,
    bidding: isBidding,
    playing: !isBidding,
    bid_shown: bid || open,
    contract: bid && sentence("bid", { bid: element("b", bid) }),
    filled: raw === null && counts[seat] !== null,
    tricks_shown: counts[seat] ?? open,
    complete: isComplete,
    points,
    points_kind: pointsKind(points),
    one_more: canCount && (raw ?? 0) + 1,
    note,
  });
}

// Returns, for a side's last seat, the points it would score and the note of a bag penalty.
function sidePreview(state, seat, counts) {
  const side = sideOf(state.sides, seat);
  const seats = state.sides[side];
  if (seat !== seats.at(-1)) return ["", null];
  const score = preview(state, counts)[side];
  const [bids, tricks] = [state.open.bids, counts].map((list) => seats.map((mate) => list[mate]));
  const totals = asked(state.rules, state.standing, side);
  const reasons = scoreReasons(state.rules, bids, tricks, score, state.standing.bags[side], totals);
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
