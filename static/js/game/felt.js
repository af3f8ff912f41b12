// The felt that covers the keys, and the moment of the last bid: the bids stay in their rows, and lie on the felt as
// cards over a line that says what they add up to.

import { isStill, openStage, pageTimes, putAt, tagged } from "./stage.js";
import { namesOf, shapesOf } from "./scoreboard.js";
import { contractText } from "./notes.js";
import { element, fragment, intersperse, text } from "../draw/phrases.js";
import { contract, roundRules } from "../rules/bidding.js";

const [FELT_LASTS, FELT_STANDS] = [1400, 2000]; // ms, moving and still
const COVERED = 400; // ms, in which the felt has surely risen

/** Return the felt at a place: cards above a line of text, one below it, and what a tap does. */
export function felt(place, cards, [line, below, hint]) {
  const cloth = tagged("div", "felt-cloth");
  if (cards.length) cloth.append(tagged("div", "felt-cards", ...cards));
  cloth.append(tagged("p", "moment-line", line));
  if (below) cloth.append(tagged("p", "felt-below", below));
  cloth.append(isStill() ? tagged("p", "felt-below", hint) : tagged("i", "felt-fuse"));
  return putAt(tagged("div", "moment-felt", cloth), place);
}

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

/** Show parts of a page that was held: those that match a selector, and the dock until the felt has covered it. */
export function keep({ copy }, selector) {
  for (const one of copy.querySelectorAll(selector)) one.classList.add("held-part");
  const dock = !isStill() && copy.querySelector(".entry > .dock");
  if (!dock) return;
  dock.classList.add("held-part");
  vanish(dock, COVERED * pageTimes());
}

/** Let an element of a copy vanish after some ms. */
export const vanish = (one, delay) => one?.animate({ opacity: [1, 0] }, { duration: 1, delay, fill: "both" });

/** Return whether the last bid of a round has come between two states of a game. */
export const hasAllBids = (before, now) =>
  before.phase === "bidding" && now.phase === "playing" && before.number === now.number && !now.bids_itself;

/** Show that all bids are made in a game that is counted from now on; `held` is the page before the last one. */
export function showBids(game, state, held) {
  if (!held.places.dock) return;
  const { tricks } = roundRules(state);
  const bids = contract(state.open.bids);
  for (const row of held.copy.querySelectorAll(".seat")) showBid(row, state.open.bids);
  // Nothing that lies there may be tapped.
  const rows = tagged("div", "moment-rows");
  const { main: { left, width }, seats: [{ top }], dock } = held.places;
  putAt(rows, { left, top, width, height: Math.max(0, dock.top - top) });
  openStage("bids", [held.still, rows, bidsFelt(game, state, dock, text("tap_to_count"))], { ms: feltLasts() });
  keep(held, ".bar-title, .seats");
  const n = Math.abs(tricks - bids);
  const more = n ? text(tricks < bids ? "too_many" : "loose", { n }) : "";
  const sum = text("of_bid", { n: bids, tricks });
  showTitle(held, state.number, [sum, more].filter(Boolean).map((part) => `· ${part}`));
}

/** Return for how many ms the felt of the last bid lies there. */
export const feltLasts = () => (isStill() ? FELT_STANDS : FELT_LASTS);

/** Return the felt at a place with all bids of a round as cards, over what they add up to; `hint` says what a tap does. */
export function bidsFelt(game, state, place, hint) {
  const { tricks } = roundRules(state);
  const claimed = state.order.flatMap((seat) => Array(contract([state.open.bids[seat]])).fill(seat));
  const loose = Array(Math.max(tricks - claimed.length, 0)).fill(null);
  const cards = trickCards(game, [...claimed, ...loose], tricks);
  return felt(place, cards, [bidsLine(claimed.length, tricks), contracts(game, state), hint]);
}

/** Let the header tell of a moment in a round, in parts of which those are seen that fit its line. */
export function showTitle({ copy }, n, parts) {
  const told = [element("span", text("round", { n })), ...parts.map((part) => element("small", part))];
  copy.querySelector(".bar-title")?.replaceChildren(...intersperse(told, " "));
}

// A row as it stands with its bid: the newest one is not in it yet.
function showBid(row, bids) {
  row.classList.remove("active");
  row.classList.add("done");
  row.querySelector(".seat-verb")?.remove();
  const figure = row.querySelector(".seat-bid");
  const bid = bids[Number(row.id.replace("seat-row-", ""))];
  if (figure && bid !== null) figure.textContent = contractText([bid]);
}

function bidsLine(bids, tricks) {
  const n = Math.abs(tricks - bids);
  const code = n ? (bids < tricks ? "tricks_loose" : "tricks_beyond") : "tricks_claimed";
  return text(code, { n, bids, tricks });
}

// What each side of partners bids.
function contracts(game, { sides, open }) {
  if (sides.every((seats) => seats.length === 1)) return null;
  const lines = sides.map((seats, at) => {
    const bid = contractText(seats.map((seat) => open.bids[seat]));
    return element("span", namesOf(game, seats), ` ${bid}${at + 1 < sides.length ? " ·" : ""}`);
  });
  return fragment(intersperse(lines, " "));
}
