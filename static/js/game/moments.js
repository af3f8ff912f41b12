// Which moment of a game has come, as the game tells that was drawn before. Loaded once the page can be used.

import { hasAllBids, showBids } from "./felt.js";
import { forgetReplay, offerReplay, showRoundAgain } from "./replay.js";
import { afterFrame } from "./input.js";
import { clearLaid, clearStage, copyHeld, followPage, holdPage, isLaid, isStageReady, layStage, readStyles } from "./stage.js";
import { clearPoints, showPoints, showScoredRound } from "./tickets.js";
import { showWinner } from "./winner.js";
import { currentValue } from "../model/db.js";
import { entriesOf, hasConflict, needsDecision, stateOf } from "../model/facts.js";
import { phraseData } from "../draw/phrases.js";

// What is seen of the page before until the moment has come.
const LAID_PARTS = { bids: ".bar-title, .deck, .seats, .entry > .dock", scored: ".bar-title, .deck, .seats, .strip, .entry > .dock", winner: ":not(*)" };

let lastDrawn; // the game that was drawn before, with its entries and its state
let laid; // {entries, held} of the game whose moment the page waits for, which lies over it as it was
let next; // {what, show} of the game that is about to be drawn

let isSwitchedOn = () => false; // until the settings have come

// The words for them come with the views.
const areWanted = () => isStageReady() && "tricks_loose" in phraseData.words && isSwitchedOn("moments");

// The last bid or Score was seen.
function onEnding({ detail: game }) {
  const now = seen(game);
  if (lastDrawn?.id === now.id) layPage(now);
}

function layPage(now) {
  laid = undefined;
  const kind = areWanted() && momentOf(lastDrawn.state, now.state);
  if (!kind) return;
  const held = copyHeld(holdPage(document.getElementById("game")));
  laid = { entries: now.entries, held };
  if (kind === "winner") held.copy.classList.add("held-whole");
  layStage(kind, held, LAID_PARTS[kind]);
}

// The page is about to change.
function onDrawing({ detail: game }) {
  const now = game && !hasConflict(game) && !needsDecision(game) ? seen(game) : undefined;
  const before = lastDrawn;
  queueMicrotask(onDrawn); // before it is seen
  next = { isNew: !now || before?.id !== now.id || before.entries !== now.entries };
  const isOn = now && before?.id === now.id && next.isNew;
  if (isOn && laid?.entries !== now.entries) layPage(now); // it was entered elsewhere
  lastDrawn = now;
  if (!isOn) return;
  next.what = happening(before.state, now.state);
  if (isScored(before.state, now.state) && now.state.phase !== "over") next.points = now.state;
  const { held } = laid ?? {};
  if (held) next.show = () => moments[momentOf(before.state, now.state)](game, before.state, now.state, held);
}

function onDrawn() {
  const { isNew, what, show, points } = next ?? {};
  next = undefined;
  if (!isNew) return;
  if (!show) clearStage();
  clearPoints();
  document.dispatchEvent(new CustomEvent("played", { detail: what })); // which is heard and felt
  forgetReplay();
  if (show) openLaid(show);
  else if (points) showPoints(points);
  if (points && areWanted()) offerReplay(points, showAgain); // later, and after a reload, the menu does
}

// The page below is drawn first.
async function openLaid(show) {
  const { held } = laid;
  laid = undefined;
  followPage();
  await afterFrame();
  if (isLaid(held)) show();
  clearLaid(); // it has no place on the page
}

function showAgain() {
  if (!isStageReady() || !lastDrawn) return;
  document.getElementById("menu").open = false;
  showRoundAgain(lastDrawn.game, scoreOf(lastDrawn.state), isSwitchedOn("sound"));
}

document.addEventListener("click", ({ target }) => target.closest("[data-again]") && showAgain());

function momentOf(before, now) {
  if (hasAllBids(before, now)) return "bids";
  if (!isScored(before, now)) return undefined;
  return now.phase === "over" ? "winner" : "scored";
}

const moments = {
  bids: (game, _before, state, held) => showBids(game, state, held),
  scored: showScoredRound,
  winner: (game, _before, state, held) => showWinner(game, state, held),
};

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
document.addEventListener("ending", onEnding);
document.addEventListener("drawing", onDrawing);
const atFirst = currentValue(`game/${location.pathname.split("/").at(-1)}`); // drawn before this has come
if (atFirst) lastDrawn ??= seen(atFirst);
