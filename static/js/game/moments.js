// The moments of a game, where motion is welcome and nobody has switched them off: which one has come is told by
// the game that was drawn before. Loaded once the page can be used.

import { showBids } from "./bids-in.js";
import { clearOverlay } from "./overlay.js";
import { clearPoints, showScoredRound } from "./round-scored.js";
import { showWinner } from "./winner.js";
import { currentValue } from "../offline/db.js";
import { entriesOf, hasConflict, needsDecision, stateOf } from "../offline/facts.js";
import { phraseData } from "../offline/phrases.js";

const isWelcome = matchMedia("(prefers-reduced-motion: no-preference)");
let lastDrawn; // the game that was drawn before, with its entries and its state

let isSwitchedOn = () => false; // until the settings have come

// The words for them come with the views.
const areWanted = () => isWelcome.matches && "tricks_loose" in phraseData.words && isSwitchedOn("moments");

function onDrawn({ detail: game }) {
  const now = game && !hasConflict(game) && !needsDecision(game) ? seen(game) : undefined;
  const before = lastDrawn;
  lastDrawn = now;
  if (now && before?.id === now.id && before.entries === now.entries) return;
  clearOverlay();
  clearPoints();
  if (!now || before?.id !== now.id || !areWanted()) return;
  if (hasAllBids(before.state, now.state)) showBids(game, now.state);
  else if (!isScored(before.state, now.state)) return;
  else if (now.state.phase === "over") showWinner(now.state);
  else showScoredRound(game, before.state, now.state);
}

const seen = (game) => ({ id: game.id, entries: entriesOf(game), state: stateOf(game) });

const hasAllBids = (before, now) =>
  before.phase === "bidding" && now.phase === "playing" && before.number === now.number && !now.bids_itself;

const isScored = (before, now) =>
  before.phase === "playing" && now.rounds.length === before.rounds.length + 1;

document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL("../../css/moments.css", import.meta.url),
  }),
);
const settings = import("../table/settings.js");
settings.then(({ isEnabled }) => (isSwitchedOn = isEnabled), () => {});
document.addEventListener("drawn", onDrawn);
const atFirst = currentValue(`game/${location.pathname.split("/").at(-1)}`); // drawn before this has come
if (atFirst) lastDrawn ??= seen(atFirst);
