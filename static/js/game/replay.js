// The round that was just scored once more, by a button in the header that stays until the next bid.

import { clearStage, copyHeld, isStill, putAt, screenSize, tagged } from "./stage.js";
import { showScoredRound } from "./tickets.js";
import { element, setAttributes, text } from "../draw/phrases.js";

const HALF_SPEED = 2;
const FOREVER = 3_600_000; // ms, until somebody goes back

let offered; // the button
let isHeard; // whether this replay has sounds

/** Offer a scored round again: `scored` is {game, before, state, held, what, isSoundOn}. */
export function offerReplay(scored) {
  forgetReplay();
  const n = scored.state.rounds.at(-1).number;
  offered = setAttributes(tagged("button", "again", text("round_again", { n })), { type: "button" });
  offered.addEventListener("click", (tap) => {
    tap.stopPropagation(); // it ends no moment
    if (scored.held.screen === screenSize()) showAgain(scored);
  });
  document.querySelector(".bar > .menu")?.before(offered);
  document.documentElement.classList.add("has-replay");
}

/** Take the offer away, with the next entry. */
export function forgetReplay() {
  offered?.remove();
  offered = undefined;
  document.documentElement.classList.remove("has-replay");
}

function showAgain({ game, before, state, held, what, isSoundOn }) {
  isHeard = isSoundOn();
  const n = state.rounds.at(-1).number;
  const main = document.getElementById("game");
  const controls = controlsOf(held, n, state.number, what);
  const again = { felt: controls, ms: FOREVER, how: { pace: isStill() ? 1 : HALF_SPEED, waits: true }, end };
  const shown = copyHeld(held);
  main.inert = true; // what lies below
  showScoredRound(game, before, state, shown, again);
  controls.pausing = () => [...moving(controls.parentElement), ...moving(shown.copy), ...moving(main)];
  controls.querySelector("button").focus({ preventScroll: true });
  hear(what);
  function end() {
    main.inert = false;
    offered?.focus({ preventScroll: true });
  }
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
