// The moments of a game, where motion is welcome and nobody has switched them off: which one has come is told by
// the game that was drawn before. Loaded once the page can be used.

import { holdPlaces, rectOf } from "./leaving.js";
import { clearOverlay, clearPoints, showBids, showScoredRound, tagged } from "./overlay.js";
import { showWinner } from "./winner.js";
import { currentValue } from "../model/db.js";
import { entriesOf, hasConflict, needsDecision, stateOf } from "../model/facts.js";
import { phraseData, text } from "../draw/phrases.js";

const OFFERED = 10_000; // ms
const OFFER_AFTER = 2000; // ms, once the points have flown
const isWelcome = matchMedia("(prefers-reduced-motion: no-preference)");
let lastDrawn; // the game that was drawn before, with its entries and its state

let isSwitchedOn = () => false; // until the settings have come
let offerSounds = () => {};

// The words for them come with the views.
const areWanted = () => isWelcome.matches && "tricks_loose" in phraseData.words && isSwitchedOn("moments");

function onDrawn({ detail: game }) {
  const now = game && !hasConflict(game) && !needsDecision(game) ? seen(game) : undefined;
  const before = lastDrawn;
  lastDrawn = now;
  if (now && before?.id === now.id && before.entries === now.entries) return;
  clearOverlay();
  clearPoints();
  if (!now || before?.id !== now.id) return;
  const what = happening(before.state, now.state);
  document.dispatchEvent(new CustomEvent("played", { detail: what })); // which is heard and felt
  if (["made", "set"].includes(what)) setTimeout(offerSounds, OFFER_AFTER);
  if (!areWanted()) return;
  if (hasAllBids(before.state, now.state)) showBids(game, now.state);
  else if (!isScored(before.state, now.state)) return;
  else if (now.state.phase === "over") showWinner(game, now.state);
  else showScoredRound(game, before.state, now.state);
}

const seen = (game) => ({ id: game.id, entries: entriesOf(game), state: stateOf(game) });

function happening(before, now) {
  if (isScored(before, now)) {
    const isSet = now.rounds.at(-1).scores.some(({ made }) => made === false);
    return now.phase === "over" ? "winner" : isSet ? "set" : "made";
  }
  const entered = ({ open }, cells) => (open[cells] ?? []).filter((one) => one !== null).length;
  if (entered(now, "bids") > entered(before, "bids")) return "bid";
  return entered(now, "tally") > entered(before, "tally") ? "count" : undefined;
}

// Once, after the first round that is scored on this phone.
function offerSoundsBy({ isSoundOpen, setEnabled }) {
  if (!isSoundOpen() || !("sound_offer" in phraseData.words)) return;
  setEnabled("sound", false);
  const button = tagged("button", "button", text("sound_on"));
  button.dataset.setting = "sound";
  const offer = tagged("div", "toast offers", tagged("p", "", text("sound_offer")), button);
  const leave = () => {
    if (offer.isConnected) holdPlaces([rectOf(offer)]);
    offer.remove();
  };
  button.addEventListener("click", leave);
  offer.setAttribute("role", "status");
  addStyle("toast").addEventListener("load", () => {
    document.querySelector("main")?.before(offer);
    setTimeout(leave, OFFERED);
  });
}

const hasAllBids = (before, now) =>
  before.phase === "bidding" && now.phase === "playing" && before.number === now.number && !now.bids_itself;

const isScored = (before, now) =>
  before.phase === "playing" && now.rounds.length === before.rounds.length + 1;

function addStyle(name) {
  const href = new URL(`../../css/${name}.css`, import.meta.url);
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return link;
}

addStyle("moments");
const loadingSettings = import("../table/settings.js");
loadingSettings.then((settings) => {
  isSwitchedOn = settings.isEnabled;
  offerSounds = () => offerSoundsBy(settings);
}, () => {});
document.addEventListener("drawn", onDrawn);
const atFirst = currentValue(`game/${location.pathname.split("/").at(-1)}`); // drawn before this has come
if (atFirst) lastDrawn ??= seen(atFirst);
