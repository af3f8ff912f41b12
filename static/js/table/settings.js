// What a phone can do besides showing the page: speak, vibrate, stay awake. Nobody waits for this
// script; it comes when the page can be used. What is switched on or off stays on this phone.

const game = () => document.querySelector("main.game");
const said = () => document.querySelector("main.game > .now > [role=status], #news");
const usual = {
  awake: true,
  voice: false,
  buzz: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  keys: true,
};
const here = {
  awake: () => Boolean(navigator.wakeLock) || canFilm(),
  voice: () => Boolean(ownVoice()),
  buzz: () => Boolean(navigator.vibrate) && matchMedia("(pointer: coarse)").matches,
  keys: () => true,
};

function isOn(sense) {
  try {
    return (localStorage.getItem(`sense.${sense}`) ?? (usual[sense] ? "on" : "off")) === "on";
  } catch {
    return usual[sense]; // a browser that keeps nothing
  }
}

function turn(sense, on) {
  try {
    localStorage.setItem(`sense.${sense}`, on ? "on" : "off");
  } catch {
    usual[sense] = on;
  }
}

// -- the voice -----------------------------------------------------------------------------------

// A voice that is not the phone's own would send the names to somebody's server.
function ownVoice() {
  const language = (tag) => tag.toLowerCase().split(/[-_]/)[0];
  const wanted = language(document.documentElement.lang);
  const voices = window.speechSynthesis?.getVoices() ?? [];
  return voices.find(({ lang, localService }) => localService && language(lang) === wanted);
}

function speak(text) {
  const voice = isOn("voice") && !document.hidden && ownVoice();
  if (!voice) return;
  const words = new SpeechSynthesisUtterance(text.replaceAll("·", ","));
  words.voice = voice;
  words.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// -- what has changed ----------------------------------------------------------------------------

const TAP = 10; // ms
const REFUSED = [40, 60, 40];
const NEWS = { penalty: 200, winner: [60, 40, 60, 40, 200] };
let tapped = false; // on this phone, and not answered yet
let heard = said()?.textContent;

function look() {
  const text = said()?.textContent || heard; // other pages may stand in the place of the game
  if (text === heard) return;
  if (heard !== undefined) speak(text.trim());
  heard = text;
  stayAwake();
}

function answered() {
  const refused = document.querySelector("#message, #trouble:not([hidden])");
  if (tapped) buzz(refused ? REFUSED : (NEWS[said()?.dataset.news] ?? TAP));
  tapped = false;
}

function buzz(pattern) {
  if (isOn("buzz") && here.buzz() && navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate(pattern);
  }
}

// -- the screen ----------------------------------------------------------------------------------

let lock = Promise.resolve(); // of a wake lock, or of none
let film;

function stayAwake() {
  const wanted = Boolean(game()?.matches(":not(.over)")) && isOn("awake") && !document.hidden;
  if (navigator.wakeLock) lock = lock.then((held) => changeLock(held, wanted)).catch(() => {});
  else if (wanted && canFilm()) (film ??= makeFilm()).play().catch(() => {});
  else film?.pause();
}

async function changeLock(held, wanted) {
  if (!wanted) return held?.release();
  if (held?.released === false) return held;
  const taken = await navigator.wakeLock.request("screen");
  taken.addEventListener("release", stayAwake);
  return taken;
}

// Over plain http there is no wake lock, but a browser keeps the screen on for a film that plays.
// It is one dot and has no sound. Safari wants sound, which would stop somebody's music.
function canFilm() {
  return (
    "captureStream" in HTMLCanvasElement.prototype &&
    !("webkitSetPresentationMode" in HTMLVideoElement.prototype)
  );
}

function makeFilm() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, 2, 2), 1000);
  const video = document.createElement("video");
  video.muted = video.playsInline = true;
  video.srcObject = canvas.captureStream(1);
  video.setAttribute("aria-hidden", "true");
  const corner = { position: "fixed", inset: "0 auto auto 0", pointerEvents: "none" };
  Object.assign(video.style, corner, { inlineSize: "1px", blockSize: "1px" });
  document.body.append(video);
  return video;
}

async function isAwake() {
  if (!navigator.wakeLock) return here.awake();
  return game() ? (await lock)?.released === false : true;
}

// -- the switches --------------------------------------------------------------------------------

let panel = document.getElementById("senses");
let dialog;

async function told() {
  document.documentElement.dataset.keys = isOn("keys") ? "on" : "off";
  for (const one of panel?.querySelectorAll("[data-sense]") ?? []) {
    one.hidden = !here[one.dataset.sense]();
    one.setAttribute("aria-checked", isOn(one.dataset.sense));
  }
  const awake = await isAwake();
  const true_ = { awake: awake && isOn("awake"), asleep: !awake, dumb: !here.voice() };
  for (const one of panel?.querySelectorAll("[data-when]") ?? []) {
    one.hidden = !true_[one.dataset.when];
  }
}

async function openDialog(href) {
  if (!dialog) {
    const page = await (await fetch(href)).text();
    const found = new DOMParser().parseFromString(page, "text/html");
    dialog = document.createElement("dialog");
    dialog.className = "scroll";
    panel = found.getElementById("senses");
    const title = found.querySelector("h1");
    title.id = "senses-title";
    dialog.setAttribute("aria-labelledby", title.id);
    panel.prepend(title);
    panel.querySelector("form").hidden = false;
    dialog.append(panel);
    document.body.append(dialog);
  }
  await told();
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const one = event.target.closest("[data-sense]")?.dataset.sense;
  if (one) {
    turn(one, !isOn(one));
    told();
    if (one === "voice") speak(event.target.closest("button").firstChild.data.trim());
    if (one === "buzz") buzz(TAP);
  }
  const link = event.target.closest('a[href$="/senses"]');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openDialog(link.href).catch(() => location.assign(link.href));
  }
  if (event.target.closest("#phone.game [data-act]")) tapped = true;
  stayAwake(); // some phones allow it only with a finger on them
});

document.addEventListener("submit", (event) => (tapped = event.target.matches("main.game *")), true);
document.addEventListener("settled", answered);
document.addEventListener("visibilitychange", stayAwake);
window.speechSynthesis?.addEventListener?.("voiceschanged", told);
addEventListener("pointerdown", () => speak(""), { once: true }); // iPhones speak only after that
new MutationObserver(look).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true,
});

told();
stayAwake();
if (!document.querySelector("main.watch")) import("./shortcuts.js").catch(() => {});
