// Announcements for screen readers and speech: what has just happened and who is next. They stand
// in a live region outside of what is rendered again, as only changes within one are announced.

import { contract } from "../rules/engine.js";
import { activeSeat, countedText, countsOf } from "./keypad.js";
import { namesOf, tieText } from "./scoreboard.js";
import { bdi, bidWord, fragment, intersperse, minus, sentence, series } from "./phrases.js";

let lastAnnounced; // the last announcement, and the game or page it was about

/** Return the live region, created if need be. */
export function liveRegion() {
  const found = document.getElementById("news") ?? document.createElement("p");
  Object.assign(found, { id: "news", className: "visually-hidden", role: "status" });
  if (!found.isConnected) document.body.append(found);
  return found;
}

/** Announce what has changed since the last call; nothing when a page is shown for the first time. */
export function announce(about, { said = null, news = "" }, line) {
  const now = { about, said: said?.textContent ?? "", line: line.textContent };
  const hasChanged = (what) => lastAnnounced && now[what] && now[what] !== lastAnnounced[what];
  const isSame = lastAnnounced?.about === about;
  const pieces = [isSame && hasChanged("said") && said, hasChanged("line") && line].filter(Boolean);
  lastAnnounced = now;
  liveRegion().dataset.news = news;
  if (pieces.length) liveRegion().replaceChildren(...intersperse(pieces, " "));
}

/** Return the announcement of a game as `{said, news}`; news is "winner", "penalty" or nothing. */
export function announcementFor(game, board, chosen) {
  const active = activeSeat(board, chosen);
  if (active === null)
    return { said: sentences(winnerText(game, board), ...scoredTexts(game, board)), news: "winner" };
  if (board.phase === "playing") return { said: trickText(game, board, active) };
  if (!board.rounds.length || board.open.bids.some((bid) => bid !== null))
    return { said: biddingText(game, board, active) };
  const names = { dealer: bdi(game.names[board.dealer]), name: bdi(game.names[active]) };
  const said = [...scoredTexts(game, board), tieText(game, board), sentence("bids_first", names)];
  const isPaid = board.rounds.at(-1).scores.some(({ bag_penalty }) => bag_penalty);
  return { said: sentences(...said.filter(Boolean)), news: isPaid ? "penalty" : "" };
}

const sentences = (...all) => fragment(intersperse(all, " "));

function winnerText(game, board) {
  const side = board.outcome.winner;
  const seats = board.sides[side];
  const total = minus(board.standing.totals[side]);
  return sentence("wins_with", { names: namesOf(game, seats), n: seats.length, total });
}

function scoredTexts(game, board) {
  const totals = board.sides.map((seats, side) =>
    fragment([namesOf(game, seats), " ", minus(board.standing.totals[side])]),
  );
  const { number, scores } = board.rounds.at(-1);
  const costs = board.sides.flatMap((seats, side) => {
    const n = 0 - scores[side].bag_penalty;
    return n ? [sentence("bags_cost", { names: namesOf(game, seats), n })] : [];
  });
  return [sentence("is_scored", { n: number, totals: series(totals) }), ...costs];
}

// Who bids; in the usual order also the bid before.
function biddingText(game, board, active) {
  const name = bdi(game.names[active]);
  const made = board.order.slice(0, board.order.indexOf(active));
  const { bids } = board.open;
  if (!made.length || bids[active] !== null || made.some((seat) => bids[seat] === null))
    return sentence("bids_now", { n: board.number, name });
  const last = made.at(-1);
  return sentence("bid_next", { last: bdi(game.names[last]), bid: bidWord(bids[last]), name });
}

function trickText(game, board, active) {
  const name = bdi(game.names[active]);
  const all = countedText(game, board);
  if (countsOf(board).isComplete) return sentence("can_score", { n: board.number, counted: all });
  if (board.open.tally || board.open.bids.includes(null))
    return sentence("counted_next", { counted: all, name });
  return sentence("bids_add_up", { n: contract(board.open.bids), tricks: board.rules.tricks, name });
}
