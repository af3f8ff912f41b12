// Keypad of a game in the offline app, and the seats above it.

import { sizeClass } from "./scoreboard.js";
import { faceOf } from "../model/facts.js";
import {
  bdi, bidWord, element, listed, minus, phrase, piece, pointsKind, sentence, setAttributes, signed, text,
} from "../draw/phrases.js";
import {
  blindBids, contract, doPartnersBid, isNil, numberOf, planOf, possibleBids, refusal, roundRules, sideOf, sum,
} from "../rules/bidding.js";
import { fillLastCount, noCounts, preview } from "../rules/entry.js";
import { askedSeats, scoreSides, seatScores } from "../rules/game.js";
import { kept, tableOf } from "../rules/outcome.js";

const [FIVE, FOUR] = [10, 13]; // the most cards with as many keys in the lower rows; beyond, six

export const columnsOf = (most) => (most > FOUR ? 6 : most > FIVE ? 4 : 5);

const ONE_LINE = 36; // characters of a refusal that takes one line
const NAMES = 20; // of those who are to be counted

const noEntries = ({ rules, players }) => noCounts(rules, players);

/** Return the seat that is asked on behalf of a seat: itself, or its partner. */
function askedFor(state, seat) {
  return askedSeats(state).includes(seat) ? seat : seat % state.sides.length;
}

/**
 * Return the seat that is asked on behalf of the one that this phone has claimed in a game: null for
 * none, and for one that another phone has taken over a seat that is nobody's.
 */
export const ownSeat = (state, { own_seat: own = null, taken_by: isTaken }) =>
  own === null ? own : isTaken ? -1 : askedFor(state, own);

/** Return the name of a seat that is asked, or both names where it stands for its side. */
export const askedName = (game, state, seat) =>
  nameBy(game, state, seat, state.phase === "bidding" ? state.rules.bid_by : state.rules.tricks_by);

/** Return the name of a seat, or both names of its side where that bids or is counted as one. */
export function nameBy({ names }, { sides }, seat, by) {
  if (by !== "side") return names[seat];
  return sides[sideOf(sides, seat)].map((one) => names[one]).join(" & ");
}

// The bid of a seat; that of both partners where only their tricks are counted as one.
function askedBid({ rules, phase, sides, open: { bids } }, seat) {
  const isTogether = phase === "playing" && rules.tricks_by === "side" && doPartnersBid(rules);
  if (!isTogether || bids[seat] === null) return bids[seat];
  return contract(sides[sideOf(sides, seat)].map((one) => bids[one]));
}

/** Return the trick counts, the last one filled in, and whether they complete the round. */
export function countsSoFar(state) {
  const counts = fillLastCount(state.open.tally, roundRules(state), state.players, state.standing.seats.empty);
  const isComplete = state.phase === "playing" && preview(state, state.open.tally) !== null;
  return { counts, isComplete };
}

/**
 * Return the seat that the keypad fills: the chosen one, else the next without an entry; null if the
 * deal is thrown in. `own` is the seat that this phone enters for, or null for all; its tricks may be
 * counted out of turn.
 */
export function activeSeat(state, chosen, own = null) {
  if (state.phase === "over") return null;
  if (state.order.includes(chosen)) return askedFor(state, chosen);
  const entered = state.phase === "bidding" ? state.open.bids : (state.open.tally ?? noEntries(state));
  const asked = askedSeats(state);
  const waiting = asked.filter((seat) => entered[seat] === null);
  if (state.phase === "playing" && waiting.includes(own)) return own;
  return waiting[0] ?? (state.thrown_in ? null : asked.at(-1));
}

/** Return the seats, the count so far, the keys, and the button that scores the round, below `deck`. */
export function entrySection(game, state, { active, chosen, own, deck, blind, error, views, ...common }) {
  const isBidding = state.phase === "bidding";
  const so = countsSoFar(state);
  const { counts, isComplete } = so;
  const isAgain = active === null;
  const isAsked = !isAgain && (own ?? active) === active;
  const mayBeBlind = isAsked && isBidding && mayBidBlind(state, active);
  const isBlind = Boolean(blind) && mayBeBlind;
  const keys = () => (isBidding ? bidKeys(state, active, isBlind) : countKeys(state, active, so));
  const field = isBidding ? "bid" : "tricks";
  const isLong = error?.length > ONE_LINE;
  const most = Math.max(roundRules(state).tricks, ...planOf(state.rules, state.players));
  const asked = askedSeats(state);
  const values = {
    ...common,
    what: isBidding ? "bids" : "tally",
    active_seat: isAgain ? 0 : active + 1,
    settled: isComplete && chosen === null, // the count that was taken stands out beside the button that scores
    columns: columnsOf(most),
    deck,
    is_listed: Boolean(state.rules.cards),
    rows: sizeClass(asked),
    seats: asked.map((seat) => seatRow(game, state, seat, active, { own, views, chosen, so })),
    kinds: state.thrown_in || isLong ? [] : slotKinds(game, state, counts),
    thrown_in: isAgain && countedText(game, state),
    ...standOf(game, state, so),
    ...(error && { open: error, says: true }),
    ...(isLong && { stand: "" }),
    waits: waitsText(game, state, active, own),
    may_bid_blind: mayBeBlind,
    bids_blind: isBlind,
    bids_open: !isBlind,
    pad_label: isAsked && text(`${field}_of`, { name: askedName(game, state, active) }),
    pad_keys: isAsked && padOf(keys(), most, field),
    score_fields: !isBidding,
    only_bids: isBidding && !isAgain,
    incomplete: !isComplete,
    deals_again: isAgain,
  };
  return piece("entry", values, ({ kinds }) => ({ slots: kinds.map(card) }));
}

// Where the round stands, in two lines: what is bid or counted, or the button that scores; and what is open.
function standOf(game, state, so) {
  if (state.phase === "bidding") return { stand: countedText(game, state) };
  if (so.isComplete) return { stand: text("score_round", { n: state.number }), open: countedText(game, state) };
  const open = openText(game, state, so);
  return { stand: takenText(state, so.counts), open, why: open.textContent ?? open };
}

// Why the round cannot be scored yet.
function openText(game, state, { counts }) {
  const asked = askedSeats(state);
  const open = asked.filter((seat) => counts[seat] === null);
  const names = open.map((seat) => askedName(game, state, seat));
  const { tricks, lost_tricks: lost = 0 } = roundRules(state);
  const n = tricks - sum(counts);
  const least = Math.min(n, ...counts); // the count that is filled in may be below 0
  if (least < 0) return text("tricks_over", { n: -least });
  if (open.length && open.length < 3 && names.join("").length < NAMES)
    return sentence("to_count", { names: listed(names), n: open.length });
  if (open.length) return text("count_more", { n: (open.length * state.order.length) / asked.length });
  return text("tricks_missing", { n: n - lost });
}

/** Return a mark of some kind. */
export const card = (kind) => setAttributes(element("i"), { class: kind || null });

// A key for each number up to the most cards of the game, in its place in every phase and round: those that may
// not be entered leave theirs empty.
function padOf(keys, most, field) {
  const places = Array(most + 1).fill(null);
  for (const { at, ...key } of keys) {
    const n = places[at] ? places.length : at; // some tables bid Nil and 0
    places[n] = piece("key", { ...key, field, n });
  }
  return places.map((key) => key ?? element("i"));
}

// The classes of a small card for each trick of the round, in the colour of the seat that bid or took it.
function slotKinds(game, state, counts) {
  const { phase, order, open } = state;
  const { tricks } = roundRules(state);
  const figures = phase === "bidding" ? open.bids : counts;
  const taken = order.flatMap((seat) => Array(Math.max(contract([figures[seat]]), 0)).fill(`tint-${faceOf(game, seat).color}`));
  return [...taken, ...Array(tricks).fill("")].slice(0, tricks);
}

// Whom a phone that has claimed a seat waits for, unless its turn has come.
function waitsText(game, state, active, own) {
  if (own === null || active === own) return null;
  const nameOf = (seat) => bdi(askedName(game, state, seat));
  const values = { own: nameOf(askedFor(state, game.own_seat)) };
  if (game.taken_by) return sentence("taken_over", { ...values, phone: bdi(game.taken_by) });
  if (state.phase !== "bidding" || active === null) return sentence("waits_for_tricks", values);
  return sentence("waits_for_bid", { ...values, name: nameOf(active) });
}

const bidRefusal = (state, seat, bid) => {
  const { open, standing } = state;
  return refusal(tableOf(roundRules(state), standing), open.bids, seat, bid);
};

const bidsBlind = (rules) => [...(rules.blind_nil_points === null ? [] : ["blind nil"]), ...blindBids(rules)];

const mayBidBlind = (state, seat) => bidsBlind(roundRules(state)).some((bid) => !bidRefusal(state, seat, bid));

function bidKeys(state, active, isBlind) {
  const rules = roundRules(state);
  const bids = isBlind ? bidsBlind(rules) : possibleBids(rules).filter((bid) => bid !== "blind nil");
  return bids.map((bid) => {
    const wrong = bidRefusal(state, active, bid);
    return {
      at: numberOf(bid),
      value: bid,
      label: isBlind && !isNil(bid) ? numberOf(bid) : bidWord(bid),
      wide: isNil(bid),
      chosen: bid === state.open.bids[active],
      why_not: wrong ? phrase(wrong) : "",
      note: wrong?.code === "hook" ? text("makes", { n: rules.tricks }) : "",
    };
  });
}

function countKeys(state, active, { counts: all }) {
  const { open } = state;
  const rules = roundRules(state);
  const tally = open.tally ?? noEntries(state);
  const left = rules.tricks - sum(tally.filter((_, seat) => seat !== active));
  const tooMany = text(left ? "only_left" : "none_left", { n: left });
  return Array.from({ length: rules.tricks + 1 }, (_, n) => {
    const counts = tally.map((count, seat) => (seat === active ? n : count));
    const note = n > left ? "" : signedPoints(state, active, counts);
    const chosen = n === all[active];
    const said = note && text("key_makes", { n, points: spoken(note) });
    return { at: n, value: n, label: `${n}`, chosen, why_not: n > left ? tooMany : "", note, note_kind: pointsKind(note), said };
  });
}

const spoken = (points) => (points.includes("\u2212") ? text("minus", { n: points.replace(/[^\d.,]/g, "") }) : points);

// The points that counts make; for a side nothing until the partner is counted, and who pays tricks to it.
function signedPoints(state, seat, counts) {
  const pays = (at) => state.open.penalties.some((one) => one.to === "others" && isMate(state, one.seat, at) && isMate(state, seat, one.seat + 1));
  const needed = counts.filter((_, at) => isMate(state, seat, at) || pays(at));
  return needed.includes(null) ? "" : signed(pointsFor(state, seat, counts), state.rules.shown_as);
}

// Whether two seats have one total.
const isMate = ({ standing }, seat, other) => (other - seat) % kept(standing).length === 0;

// The points of a seat, its own where every player has a total, else those of its side.
function pointsFor(state, seat, counts) {
  const { open, sides, standing } = state;
  const rules = roundRules(state);
  const played = { ...open, tricks: counts.map((count) => count ?? 0) };
  const side = () => scoreSides(rules, sides, standing, played)[sideOf(sides, seat)];
  return (seatScores(rules, standing, played)[seat] ?? side()).points;
}

function seatRow(game, state, seat, active, { own, views, chosen, so: { counts, isComplete } }) {
  const isActive = seat === active;
  const raw = state.open.tally?.[seat] ?? null;
  const bid = bidWord(askedBid(state, seat));
  const isBidding = state.phase === "bidding";
  const open = isActive ? "?" : "";
  const isOurs = own === null || own === seat;
  const canCount = seat !== chosen && isOurs && !isBidding && sum(counts) < roundRules(state).tricks;
  const complete = isComplete && !canCount;
  const [points, total] = complete ? scorePreview(state, seat, counts) : ["", ""];
  const side = sideOf(state.sides, seat);
  const { totals, seat_totals: ownTotals } = state.standing;
  const values = {
    seat,
    n: seat + 1,
    ...faceOf(game, seat),
    name: askedName(game, state, seat),
    active: isActive,
    done: !isActive && (isBidding ? bid : counts[seat] !== null),
    bids: isActive && isBidding,
    deals: seat === askedFor(state, state.dealer),
    bidding: isBidding,
    playing: !isBidding,
    standing: minus(ownTotals[seat] ?? totals[side], state.rules.shown_as),
    bid_shown: bid || open,
    bid,
    kinds: isBidding ? [] : cardKinds(askedBid(state, seat), counts[seat] ?? 0),
    hints: views?.rowNotes(game, state, seat, isComplete) ?? [],
    filled: raw === null && counts[seat] !== null,
    tricks_shown: counts[seat] ?? open,
    complete,
    points,
    points_kind: pointsKind(points),
    total,
    one_more: canCount && (raw ?? 0) + 1,
    opens: seat === chosen && (views?.openButton(seat) ?? ""),
  };
  return piece("seat", values, seatNodes);
}

const seatNodes = ({ bid, kinds }) => ({
  contract: bid && sentence("bid", { bid: element("b", bid) }),
  cards: kinds.map(card),
});

/** Return the kind of a mark for each trick bid, filled where it is taken, and for each overtrick. */
export function cardKinds(bid, taken) {
  const wanted = bid === null ? taken : contract([bid]);
  return Array.from({ length: Math.max(wanted, taken) }, (_, n) => {
    if (isNil(bid)) return "miss";
    if (n >= wanted) return "bag";
    return n < taken ? "on" : "";
  });
}

// Returns the points of a seat that would be scored and the total then; those of partners stand at their side.
function scorePreview(state, seat, counts) {
  const { rules, standing } = state;
  const totals = kept(standing);
  if (totals.length < state.players) return ["", ""];
  const points = pointsFor(state, seat, counts);
  return [signed(points, rules.shown_as), minus(totals[seat] + points, rules.shown_as)];
}

/** Return how many tricks are bid or taken so far, as a sentence. */
export function countedText(game, state) {
  const { tricks } = roundRules(state);
  const bid = contract(state.open.bids);
  if (state.thrown_in) return phrase(state.thrown_in);
  if (state.phase === "bidding") return sentence("of_bid", { n: bid, tricks });
  const { counts } = countsSoFar(state);
  if (counts.includes(null) || sum(counts) !== tricks) return takenText(state, counts);
  const counted = sentence("all_in", { n: tricks });
  const filled = state.order.find((seat) => (state.open.tally ?? counts)[seat] === null) ?? -1;
  if (filled < 0) return counted;
  const n = counts[filled];
  return sentence(n ? "gets_last" : "gets_none", { counted, name: bdi(askedName(game, state, filled)), n });
}

const takenText = (state, counts) => sentence("of_tricks", { taken: sum(counts), n: roundRules(state).tricks });

/** Return how far the bids are under or over the cards; nothing before all have bid. */
export function overText(state) {
  if (state.bids_itself || state.phase !== "playing") return "";
  const over = contract(state.open.bids) - roundRules(state).tricks;
  const code = over ? (over > 0 ? "bids_over" : "bids_under") : "bids_even";
  return sentence(code, { n: Math.abs(over) });
}
