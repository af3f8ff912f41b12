// The last bid: bids stay in their rows, and lie on the felt as cards over a line that says what they add up to.

import { felt, lay, tagged, trickCards } from "./overlay.js";
import { contractText } from "./partners.js";
import { namesOf } from "./scoreboard.js";
import { fragment, intersperse, text } from "../offline/phrases.js";
import { contract, roundRules } from "../rules/bidding.js";

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
