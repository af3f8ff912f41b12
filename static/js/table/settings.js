// Speech, sounds, vibration, screen wake lock and keyboard shortcuts, with the switches for them. Loaded
// once the page can be used; the settings are stored in this browser only.

const game = () => document.querySelector("main.game");
const statusRegion = () => document.getElementById("news");
const defaults = {
  awake: true,
  voice: false,
  sound: false,
  buzz: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  keys: true,
  moments: true,
};
const isSupported = {
  awake: () => Boolean(navigator.wakeLock) || canPlayVideo(),
  voice: () => Boolean(ownVoice()),
  sound: () => "AudioContext" in window,
  buzz: () => Boolean(navigator.vibrate) && matchMedia("(pointer: coarse)").matches,
  keys: () => true,
  moments: () => true,
};

/** Return whether a setting is on. */
export function isEnabled(name) {
  try {
    return (localStorage.getItem(`sense.${name}`) ?? (defaults[name] ? "on" : "off")) === "on";
  } catch {
    return defaults[name]; // storage is blocked
  }
}

// Whether sounds may be offered: nobody has chosen yet, and the phone does not speak.
function isSoundOpen() {
  try {
    return isSupported.sound() && !isEnabled("voice") && localStorage.getItem("sense.sound") === null;
  } catch {
    return false;
  }
}

/** Switch a setting on or off. */
export function setEnabled(name, on) {
  try {
    localStorage.setItem(`sense.${name}`, on ? "on" : "off");
  } catch {
    defaults[name] = on;
  }
}

// Only a local voice: another one would send the players' names to a server.
function ownVoice() {
  const language = (tag) => tag.toLowerCase().split(/[-_]/)[0];
  const wanted = language(document.documentElement.lang);
  const voices = window.speechSynthesis?.getVoices() ?? [];
  return voices.find(({ lang, localService }) => localService && language(lang) === wanted);
}

function speak(text) {
  const voice = isEnabled("voice") && !document.hidden && ownVoice();
  if (!voice) return;
  const words = new SpeechSynthesisUtterance(text.replaceAll("·", ","));
  words.voice = voice;
  words.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

const TAP = 10; // ms
const PATTERNS = {
  refused: [40, 60, 40],
  made: [10, 60, 10],
  set: 90,
  penalty: 200,
  winner: [60, 40, 60, 40, 200],
};
let hasTapped = false; // on this phone, and the answer is still awaited
let happened; // in the game by that tap, as js/game/moments.js has seen
let sounds; // js/game/sounds.js once it is loaded
// On the page of a game the region may come later than this script; its first text is news.
let lastStatus = statusRegion()?.textContent ?? (game() ? "" : undefined);

function announceChange() {
  const text = statusRegion()?.textContent || lastStatus; // the offline app also shows other pages
  if (text === lastStatus) return;
  if (lastStatus !== undefined) speak(text.trim());
  lastStatus = text;
  stayAwake();
}

function onSettled() {
  const what = document.getElementById("message") ? "refused" : statusRegion()?.dataset.news || happened;
  if (hasTapped) {
    buzz(PATTERNS[what] ?? TAP);
    playSound(what);
  }
  hasTapped = false;
  happened = undefined;
}

async function loadSounds() {
  if (!sounds && isEnabled("sound") && isSupported.sound()) sounds = await import("../game/sounds.js");
}

// Not over the voice.
function playSound(what) {
  if (!isEnabled("sound") || (isEnabled("voice") && ownVoice())) return;
  loadSounds().then(() => sounds.play(what), () => {});
}

function buzz(pattern) {
  if (isEnabled("buzz") && isSupported.buzz() && navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate(pattern);
  }
}

let lock = Promise.resolve(); // resolves to the WakeLockSentinel, if there is one
let video;

function stayAwake() {
  const wanted = Boolean(game()?.matches(":not(.over)")) && isEnabled("awake") && !document.hidden;
  if (navigator.wakeLock) lock = lock.then((held) => changeLock(held, wanted)).catch(() => {});
  else if (wanted && canPlayVideo()) (video ??= createVideo()).play().catch(() => {});
  else video?.pause();
}

async function changeLock(held, wanted) {
  if (!wanted) return held?.release();
  if (held?.released === false) return held;
  const taken = await navigator.wakeLock.request("screen");
  taken.addEventListener("release", stayAwake);
  return taken;
}

// The wake lock API needs https, but browsers keep the screen on while a video plays: a tiny one
// without sound. Safari does so only for videos with sound, which would stop other music.
function canPlayVideo() {
  return (
    "captureStream" in HTMLCanvasElement.prototype &&
    !("webkitSetPresentationMode" in HTMLVideoElement.prototype)
  );
}

function createVideo() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, 2, 2), 1000);
  const element = document.createElement("video");
  element.muted = element.playsInline = true;
  element.srcObject = canvas.captureStream(1);
  element.setAttribute("aria-hidden", "true");
  const corner = { position: "fixed", inset: "0 auto auto 0", pointerEvents: "none" };
  Object.assign(element.style, corner, { inlineSize: "1px", blockSize: "1px" });
  document.body.append(element);
  return element;
}

async function isAwake() {
  if (!navigator.wakeLock) return isSupported.awake();
  return game() ? (await lock)?.released === false : true;
}

let panel = document.getElementById("settings");
let dialog;

async function updatePanel() {
  document.documentElement.dataset.keys = isEnabled("keys") ? "on" : "off";
  for (const one of panel?.querySelectorAll("[data-setting]") ?? []) {
    const { setting } = one.dataset;
    const isThere = isSupported[setting]();
    one.hidden = !isThere && setting !== "voice"; // below which stands why
    one.disabled = !isThere;
    one.setAttribute("aria-checked", isThere && isEnabled(setting));
  }
  const awake = await isAwake();
  const visible = { awake: awake && isEnabled("awake"), asleep: !awake, mute: !isSupported.voice() };
  for (const one of panel?.querySelectorAll("[data-when]") ?? []) {
    one.hidden = !visible[one.dataset.when];
  }
}

async function openDialog(href) {
  if (!dialog) {
    const page = await (await fetch(href)).text();
    const found = new DOMParser().parseFromString(page, "text/html");
    dialog = document.createElement("dialog");
    dialog.className = "scroll";
    panel = found.getElementById("settings");
    const title = found.querySelector("h1");
    title.id = "settings-title";
    dialog.setAttribute("aria-labelledby", title.id);
    panel.prepend(title);
    panel.querySelector("form").hidden = false;
    dialog.append(panel);
    document.body.append(dialog);
  }
  await updatePanel();
  dialog.showModal();
}

// Before the page of a game follows its links.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href$="/settings/sound"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openDialog(link.href).catch(() => location.assign(link.href));
}, true);

document.addEventListener("click", (event) => {
  const one = event.target.closest("[data-setting]")?.dataset.setting;
  if (one) {
    setEnabled(one, !isEnabled(one));
    updatePanel();
    if (one === "voice") speak(event.target.closest("button").firstChild.textContent.trim());
    if (one === "buzz") buzz(TAP);
    if (one === "sound") playSound("bid");
    document.getElementById("sound-offer")?.setAttribute("hidden", "");
  }
  sounds?.wake();
  if (event.target.closest("#game.game [data-action]")) hasTapped = true;
  stayAwake(); // some browsers allow it only in answer to a tap
}, true); // before the app follows a link

// The menu offers sounds until somebody has chosen.
addEventListener("toggle", ({ target }) => {
  const offer = target.id === "menu" && document.getElementById("sound-offer");
  if (offer) offer.hidden = !isSoundOpen();
}, true);
document.addEventListener("submit", (event) => (hasTapped = event.target.matches("main.game *")), true);
document.addEventListener("settled", onSettled);
document.addEventListener("played", ({ detail }) => (happened = detail));
document.addEventListener("visibilitychange", stayAwake);
window.speechSynthesis?.addEventListener?.("voiceschanged", updatePanel);
addEventListener("pointerdown", () => speak(""), { once: true }); // iOS speaks only after a tap
new MutationObserver(announceChange).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true,
});

updatePanel();
stayAwake();
if (/\bscheme=(dark|light)\b/.test(document.cookie)) import("./scheme.js").catch(() => {});
loadSounds().catch(() => {});
if (!document.querySelector("main.watch")) import("./shortcuts.js").catch(() => {});
