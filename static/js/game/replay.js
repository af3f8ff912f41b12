// The round that was just scored once more, by a button in the header that stays until the next bid, or in the menu.

import { rectOf } from "./leaving.js";
import { clearStage, copyHeld, holdPage, isStill, putAt, tagged } from "./stage.js";
import { showScoredRound } from "./tickets.js";
import { entrySection } from "./keypad.js";
import { views } from "./loading.js";
import { scoreStrip, sizeClass } from "./scoreboard.js";
import { namesIn, stateOf } from "../model/facts.js";
import { drawIn, element, setAttributes, text } from "../draw/phrases.js";
import { askedSeats } from "../rules/game.js";

const HALF_SPEED = 2;
const FOREVER = 3_600_000; // ms, until somebody goes back

let offered; // the button in the header
let isHeard; // whether this replay has sounds

/** Offer the newest scored round of a game again: a tap calls `show()`. */
export function offerReplay(state, show) {
  if (offered?.isConnected) return;
  const n = state.rounds.at(-1).number;
  offered = setAttributes(tagged("button", "again", text("round_again", { n })), { type: "button" });
  offered.addEventListener("click", (tap) => {
    tap.stopPropagation(); // it ends no moment
    show();
  });
  document.querySelector(".bar > .menu")?.before(offered);
  document.documentElement.classList.add("has-replay");
}

/** Take the offer in the header away, with the next entry. */
export function forgetReplay() {
  offered?.remove();
  offered = undefined;
  document.documentElement.classList.remove("has-replay");
}

/** Show the newest scored round of a game once more, which sounds like `what`, if it `sounds`. */
export function showRoundAgain(game, what, sounds) {
  const main = document.getElementById("game");
  const back = document.activeElement.closest("#menu")?.firstElementChild ?? document.activeElement;
  const state = stateOf(game);
  const { number } = state.rounds.at(-1);
  const before = beforeScore(game, number);
  const held = copyHeld(holdPage(main));
  if (!held.places.dock) return;
  showCounted(held, before);
  isHeard = sounds;
  const controls = controlsOf(held, number, state.number, what);
  const again = { felt: controls, ms: FOREVER, how: { pace: isStill() ? 1 : HALF_SPEED, waits: true }, end };
  main.inert = true; // what lies below
  showScoredRound(before, stateOf(before), state, held, again);
  controls.pausing = () => [...moving(controls.parentElement), ...moving(held.copy), ...moving(main)];
  controls.querySelector("button").focus({ preventScroll: true });
  hear(what);
  function end() {
    main.inert = false;
    (back.isConnected ? back : offered)?.focus({ preventScroll: true });
  }
}

/** Return a game with all tricks of a round counted, before it was scored. */
export function beforeScore(game, number) {
  const { tricks, ...round } = game.rounds[number - 1];
  const rounds = [...game.rounds.slice(0, number - 1), { ...round, tricks: null, tally: tricks }];
  return { ...game, names: namesIn(game, number), rounds };
}

// The strip and the rows of a copy of the page as they stood then, above the dock of now, and where these rows lie.
function showCounted({ copy, still, places }, game) {
  const state = stateOf(game);
  const parts = element("div");
  const values = { game_id: game.id, number: state.number, active: null, chosen: null, own: null, deck: [], views };
  drawIn(parts, [scoreStrip(game, state, views), entrySection(game, state, values)]);
  parts.querySelector(".dock").replaceWith(copy.querySelector(".entry > .dock"));
  for (const part of [".strip", ".entry"]) copy.querySelector(part)?.replaceWith(parts.querySelector(part));
  copy.className = `held game playing asks ${sizeClass(askedSeats(state))}`;
  const stage = tagged("div", "stage", still);
  document.body.append(stage);
  places.seats = [...copy.querySelectorAll(".seats > .seat")].map(rectOf);
  stage.remove();
}

const moving = (one) => one.getAnimations({ subtree: true });

function controlsOf({ places }, n, now, what) {
  const title = text("round_once_more", { n });
  const pause = controlButton(text("pause"), () => turnPause(pause, controls));
  const sound = controlButton(soundText(), () => {
    isHeard = !isHeard;
    sound.textContent = soundText();
    hear(what);
  });
  const back = controlButton(text("back_to_round", { n: now }), () => clearStage());
  back.classList.add("back");
  const buttons = tagged("div", "replay-keys", ...(isStill() ? [] : [pause]), sound, back);
  const cloth = tagged("div", "felt-cloth", tagged("p", "moment-line", title), buttons);
  const controls = setAttributes(tagged("div", "moment-felt replay", cloth), { role: "group", "aria-label": title });
  return putAt(controls, places.dock);
}

function controlButton(label, onClick) {
  const button = setAttributes(element("button", label), { type: "button" });
  button.addEventListener("click", onClick);
  return button;
}

const soundText = () => text(isHeard ? "sound_is_on" : "sound_is_off");

function turnPause(pause, controls) {
  const isPaused = pause.dataset.paused === undefined;
  for (const one of controls.pausing()) {
    if (isPaused) one.pause();
    else one.play();
  }
  if (isPaused) pause.dataset.paused = "";
  else delete pause.dataset.paused;
  pause.textContent = text(isPaused ? "go_on" : "pause");
}

function hear(what) {
  if (isHeard) import("../game/sounds.js").then(({ play }) => play(what), () => {});
}
