// Which moment of a game has come, as the game tells that was drawn before. Loaded once the page can be used.

import { hasAllBids, showBids } from "./felt.js";
import { forgetReplay, offerReplay, showRoundAgain } from "./replay.js";
import { clearStage, copyHeld, holdPage, isStageReady, readStyles } from "./stage.js";
import { clearPoints, showPoints, showScoredRound } from "./tickets.js";
import { showWinner } from "./winner.js";
import { currentValue } from "../model/db.js";
import { entriesOf, hasConflict, needsDecision, stateOf } from "../model/facts.js";
import { phraseData } from "../draw/phrases.js";

let lastDrawn; // the game that was drawn before, with its entries and its state
let next; // {what, show, held} of the game that is about to be drawn

let isSwitchedOn = () => false; // until the settings have come

// The words for them come with the views.
const areWanted = () => isStageReady() && "tricks_loose" in phraseData.words && isSwitchedOn("moments");

// The page is about to change.
function onDrawing({ detail: game }) {
  const now = game && !hasConflict(game) && !needsDecision(game) ? seen(game) : undefined;
  const before = lastDrawn;
  lastDrawn = now;
  queueMicrotask(onDrawn); // before it is seen
  next = { isNew: !now || before?.id !== now.id || before.entries !== now.entries };
  if (!now || before?.id !== now.id || !next.isNew) return;
  next.what = happening(before.state, now.state);
  if (isScored(before.state, now.state) && now.state.phase !== "over") next.points = now.state;
  const show = areWanted() && momentOf(before.state, now.state);
  if (!show) return;
  const held = holdPage(document.getElementById("game"));
  Object.assign(next, { show: () => show(game, before.state, now.state, copyHeld(held)) });
}

function onDrawn() {
  const { isNew, what, show, points } = next ?? {};
  next = undefined;
  if (!isNew) return;
  clearStage();
  clearPoints();
  document.dispatchEvent(new CustomEvent("played", { detail: what })); // which is heard and felt
  forgetReplay();
  if (show) show();
  else if (points) showPoints(points);
  if (points && areWanted()) offerReplay(points, showAgain); // later, and after a reload, the menu does
}

function showAgain() {
  if (!isStageReady() || !lastDrawn) return;
  document.getElementById("menu").open = false;
  showRoundAgain(lastDrawn.game, scoreOf(lastDrawn.state), isSwitchedOn("sound"));
}

document.addEventListener("click", ({ target }) => target.closest("[data-again]") && showAgain());

function momentOf(before, now) {
  if (hasAllBids(before, now)) return (game, _before, state, held) => showBids(game, state, held);
  if (!isScored(before, now)) return undefined;
  return now.phase === "over" ? (game, _before, state, held) => showWinner(game, state, held) : showScoredRound;
}

const seen = (game) => ({ game, id: game.id, entries: entriesOf(game), state: stateOf(game) });

function happening(before, now) {
  if (isScored(before, now)) return now.phase === "over" ? "winner" : scoreOf(now);
  const entered = ({ open }, cells) => (open[cells] ?? []).filter((one) => one !== null).length;
  if (entered(now, "bids") > entered(before, "bids")) return "bid";
  return entered(now, "tally") > entered(before, "tally") ? "count" : undefined;
}

const scoreOf = ({ rounds }) => (rounds.at(-1).scores.some(({ made }) => made === false) ? "set" : "made");

const isScored = (before, now) =>
  before.phase === "playing" && now.rounds.length === before.rounds.length + 1;

function addStyle(name) {
  const href = new URL(`../../css/${name}.css`, import.meta.url);
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return link;
}

addStyle("moments").addEventListener("load", readStyles);
const loadingSettings = import("../table/settings.js");
loadingSettings.then((settings) => (isSwitchedOn = settings.isEnabled), () => {});
document.addEventListener("drawing", onDrawing);
const atFirst = currentValue(`game/${location.pathname.split("/").at(-1)}`); // drawn before this has come
if (atFirst) lastDrawn ??= seen(atFirst);
