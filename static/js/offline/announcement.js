// What has just happened and who is next, in the words of the server's pages. It stands beside what
// is drawn again, in one place, as a screen reader hears only what changes in a place that stays.

import { contract } from "../rules/engine.js";
import { activeSeat, counted, countsOf } from "./keypad.js";
import { namesOf, tie } from "./scoreboard.js";
import { bdi, between, bidWord, joined, minus, sentence, series } from "./phrases.js";

let before; // what was said last, and of what

/** The place that is listened to. */
export function region() {
  const found = document.getElementById("news") ?? document.createElement("p");
  Object.assign(found, { id: "news", className: "unseen", role: "status" });
  if (!found.isConnected) document.body.append(found);
  return found;
}

/** Say what is new since the last time: nothing of a page that is seen for the first time. */
export function tell(about, { said = null, news = "" }, line) {
  const now = { about, said: said?.textContent ?? "", line: line.textContent };
  const isNew = (what) => before && now[what] && now[what] !== before[what];
  const fresh = [before?.about === about && isNew("said") && said, isNew("line") && line];
  before = now;
  region().dataset.news = news;
  const pieces = fresh.filter(Boolean);
  if (pieces.length) region().replaceChildren(...between(pieces, " "));
}

/** What is said of a game, and what is special about it: `winner`, `penalty`, or nothing. */
export function newsOf(kept, board, chosen) {
  const active = activeSeat(board, chosen);
  if (active === null)
    return { said: sentences(winner(kept, board), ...scored(kept, board)), news: "winner" };
  if (board.phase === "playing") return { said: tricks(kept, board, active) };
  if (!board.rounds.length || board.open.bids.some((bid) => bid !== null))
    return { said: bids(kept, board, active) };
  const names = { dealer: bdi(kept.names[board.dealer]), name: bdi(kept.names[active]) };
  const said = [...scored(kept, board), tie(kept, board), sentence("bids_first", names)];
  const isPaid = board.rounds.at(-1).scores.some(({ bag_penalty }) => bag_penalty);
  return { said: sentences(...said.filter(Boolean)), news: isPaid ? "penalty" : "" };
}

const sentences = (...all) => joined(between(all, " "));

function winner(kept, board) {
  const side = board.outcome.winner;
  const seats = board.sides[side];
  const total = minus(board.standing.totals[side]);
  return sentence("wins_with", { names: namesOf(kept, seats), n: seats.length, total });
}

function scored(kept, board) {
  const totals = board.sides.map((seats, side) =>
    joined([namesOf(kept, seats), " ", minus(board.standing.totals[side])]),
  );
  const { number, scores } = board.rounds.at(-1);
  const costs = board.sides.flatMap((seats, side) => {
    const n = 0 - scores[side].bag_penalty;
    return n ? [sentence("bags_cost", { names: namesOf(kept, seats), n })] : [];
  });
  return [sentence("is_scored", { n: number, totals: series(totals) }), ...costs];
}

// Who bids; where it is simply the next one's turn, also what was bid before.
function bids(kept, board, active) {
  const name = bdi(kept.names[active]);
  const made = board.order.slice(0, board.order.indexOf(active));
  const { bids } = board.open;
  if (!made.length || bids[active] !== null || made.some((seat) => bids[seat] === null))
    return sentence("bids_now", { n: board.number, name });
  const last = made.at(-1);
  return sentence("bid_next", { last: bdi(kept.names[last]), bid: bidWord(bids[last]), name });
}

function tricks(kept, board, active) {
  const name = bdi(kept.names[active]);
  const all = counted(kept, board);
  if (countsOf(board).isComplete) return sentence("can_score", { n: board.number, counted: all });
  if (board.open.tally || board.open.bids.includes(null))
    return sentence("counted_next", { counted: all, name });
  return sentence("bids_add_up", { n: contract(board.open.bids), tricks: board.rules.tricks, name });
}
