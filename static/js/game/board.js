// The moments of a game on the board of a large screen: the last bid lays all bids as cards on felt below the rows, a
// scored round turns into tickets beside the standings, and the winner fills the screen. A button shows the newest round
// again. Loaded once the board can be read.

import { bidsFelt, feltLasts, hasAllBids, vanish } from "./felt.js";
import { rectOf } from "./leaving.js";
import { loadShell } from "./loading.js";
import { beforeScore } from "./replay.js";
import { copyHeld, isStageReady, isStill, openStage, pageTimes, readStyles, tagged } from "./stage.js";
import { showScoredRound, TURNED, TURN } from "./tickets.js";
import { showWinner } from "./winner.js";
import { phraseData, setAttributes, text } from "../draw/phrases.js";
import { stateOf } from "../model/facts.js";
import { askedSeats } from "../rules/game.js";

const AGAIN_LASTS = 4200; // ms, at half speed
const HALF_SPEED = 2;
const GAP = 4; // px between tickets

let settings; // js/table/settings.js once it is loaded
let shown; // the game that the board shows

const board = () => document.querySelector(".board");
const readGame = () => JSON.parse(document.getElementById("board-facts")?.textContent ?? "null");

/** Load what moments need: words, styles and settings. */
export async function prepareMoments() {
  settings = await import("../table/settings.js");
  await loadShell("bid");
  shown = readGame();
  if (shown && phraseData.calls.includes(shown.rules.key)) await loadShell("call");
  const href = new URL("../../css/moments.css", import.meta.url);
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  link.addEventListener("load", readStyles);
  document.head.append(link);
}

/** Return what the board shows, before it is drawn anew. */
export function holdBoard() {
  const main = document.getElementById("game");
  return { source: main.cloneNode(true), places: placesOnBoard(main) };
}

/** Show the moment that has come with what is drawn now, if there is one, and return whether there is. */
export function showMoment(held) {
  const before = shown;
  shown = readGame();
  offerRound();
  if (!shown || !before || !isStageReady() || !settings.isEnabled("moments")) return false;
  const [was, now] = [stateOf(before), stateOf(shown)];
  if (shown.id !== before.id) return false;
  if (hasAllBids(was, now)) return showLastBid(now, held);
  if (now.rounds.length !== was.rounds.length + 1) return false;
  if (now.phase === "over") showWinner(shown, now, copyHeld(held));
  else showRound(held);
  hear(soundOf(now));
  return true;
}

// The rows have all bids already, and keep them until tricks are counted.
function showLastBid(state, { places: { dock } }) {
  if (!dock) return false;
  openStage("bids", [bidsFelt(shown, state, dock, text("tap_to_go_on"))], { ms: feltLasts() });
  hear("bid");
  return true;
}

// The rows of bids make room for tickets, and the chart with what is beside it for the felt.
function placesOnBoard(main) {
  const [rows, race, aside] = [".board-bids", ".board-race", ".board-aside"].map((one) => main.querySelector(one));
  const columns = [...main.querySelectorAll(".board-standings > li")].map(rectOf);
  const places = { main: rectOf(main), columns, seats: [], strip: rectOf(main) };
  if (!rows) return places;
  const [from, to] = [race, aside].map(rectOf);
  const [left, right] = [Math.min(from.left, to.left), Math.max(from.right, to.right)];
  const dock = { left, top: from.top, width: right - left, height: from.height };
  return { ...places, dock, area: rectOf(rows) };
}

function showRound(held, again) {
  const number = stateOf(shown).rounds.at(-1).number;
  const before = beforeScore(shown, number);
  const { area } = held.places;
  if (!area) return;
  const n = askedSeats(stateOf(before)).length;
  const height = area.height / n - GAP;
  const seats = Array.from({ length: n }, (_, at) => ({ left: area.left, width: area.width, top: area.top + at * (height + GAP), height }));
  const copy = copyHeld({ ...held, places: { ...held.places, seats, columns: [] } });
  showScoredRound(before, stateOf(before), stateOf(shown), copy, again);
  if (!again && !isStill()) landTotals(copy.copy);
}

// A row of the standings stays as it was until its ticket has turned.
function landTotals(copy) {
  const { sides } = stateOf(shown);
  const asked = askedSeats(stateOf(shown));
  for (const row of document.querySelectorAll(".board-standings > li")) {
    const seats = sides[Number(row.id.replace("standing-", ""))];
    const delay = (TURN * asked.findLastIndex((seat) => seats.includes(seat)) + TURNED) * pageTimes();
    const former = copy.querySelector(`#${row.id}`);
    former?.classList.add("held-part");
    vanish(former, delay);
    row.animate({ opacity: [0, 1] }, { duration: 1, delay, fill: "backwards" });
  }
}

// Not on the board as it was opened, whose bar would move.
function offerRound() {
  document.querySelector(".board-again")?.remove();
  const round = shown && stateOf(shown).phase !== "over" && stateOf(shown).rounds.at(-1);
  if (!round || !isStageReady()) return;
  const button = setAttributes(tagged("button", "tap board-again", text("round_again", { n: round.number })), { type: "button" });
  button.addEventListener("click", (tap) => {
    tap.stopPropagation(); // it ends no moment
    showRound(holdBoard(), { ms: AGAIN_LASTS / HALF_SPEED, how: { pace: isStill() ? 1 : HALF_SPEED }, end: () => {} });
    hear(soundOf(stateOf(shown)));
  });
  board()?.querySelector(".board-bar > a")?.before(button);
}

function soundOf({ phase, rounds }) {
  const isSet = rounds.at(-1).scores.some(({ made }) => made === false);
  return phase === "over" ? "winner" : isSet ? "set" : "made";
}

function hear(what) {
  if (settings.isEnabled("sound")) import("./sounds.js").then(({ play }) => play(what), () => {});
}
