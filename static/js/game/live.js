// Live updates of a page that watches a game: server-sent events name the game's version, and the page
// fetches its part again when it shows an older one.

import { watchPlaces } from "./leaving.js";
import { follow } from "./stream.js";

const OFFLINE_AFTER = 2500; // ms without an answer until the page says so
const TRY_AGAIN = 2000; // ms until a part that did not come is fetched again
const TIMEOUT = 8000; // ms; other pages need the connection

const game = () => document.getElementById("game");
const offlineNotice = () => document.getElementById("connection-status");
let offlineTimer;
let retryTimer;
let fetching = false;
let latestVersion = 0; // named by the newest event
let tag = ""; // ETag of the part that is shown
let moments; // js/game/board.js on a large screen, once it is loaded
let lastSaid; // as browsers translate what the page shows
const countsTime = document.querySelector("meta[name=server-time]"); // and is styled for a clock

const shownVersion = () => Number(game().dataset.version);

async function fetchPart() {
  if (fetching) return;
  fetching = true;
  const before = shownVersion();
  try {
    const headers = { "Scorekeeper-Seen": game().dataset.revision };
    if (tag) headers["If-None-Match"] = tag;
    const options = { headers, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout?.(TIMEOUT) };
    const response = await fetch(game().dataset.page, options);
    const isOurs = response.headers.has("Scorekeeper");
    document.getElementById("sign-in").hidden = isOurs || response.status >= 500;
    if (!isOurs) throw new Error("not ours");
    if (response.status === 200) {
      if (response.headers.has("Scorekeeper-Restored")) showRestoredNotice();
      tag = response.headers.get("ETag") ?? "";
      show(await response.text());
    }
    serverAnswered();
    if (response.status === 404) location.reload();
  } catch {
    serverMissing();
  } finally {
    fetching = false;
  }
  clearTimeout(retryTimer);
  if (shownVersion() === before) retryTimer = setTimeout(catchUp, TRY_AGAIN);
  else catchUp();
}

// Replaces what is shown; what the reader has unfolded stays so, and the focus where it was.
function show(text) {
  const part = new DOMParser().parseFromString(text, "text/html").getElementById("game");
  if (part.querySelector(".clock") && !countsTime) return location.reload();
  for (const { id } of game().querySelectorAll("details[open]"))
    part.querySelector(`#${id}`)?.setAttribute("open", "");
  const held = game().contains(document.activeElement) && document.activeElement.id;
  const said = part.querySelector("[role=status]");
  said.remove(); // announced in a region that stays in the document
  const isEnd = !document.getElementById("won");
  const hold = watchPlaces("#game .message");
  const before = moments?.holdBoard();
  game().replaceWith(part);
  hold();
  const isMoment = moments?.showMoment(before);
  const ends = isEnd ? [...document.querySelectorAll("#won, .board-winner")] : [];
  const won = ends.find((one) => one.offsetParent); // a large screen shows the board instead
  if (won && !isMoment) import("./motion.js").then(({ celebrate }) => celebrate(won), () => {});
  const news = document.getElementById("news");
  news.dataset.news = said.dataset.news ?? "";
  if (lastSaid !== said.textContent) news.textContent = said.textContent;
  lastSaid = said.textContent;
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
}

// The server was restored from a backup: its versions continue from an earlier one.
function showRestoredNotice() {
  latestVersion = 0;
  const notice = document.getElementById("restored");
  const close = document.createElement("button");
  Object.assign(close, { className: "quiet", textContent: notice.dataset.close });
  close.addEventListener("click", () => {
    notice.hidden = true;
  });
  notice.querySelector("button")?.remove();
  notice.prepend(close);
  notice.hidden = false;
}

function catchUp() {
  if (latestVersion > shownVersion()) fetchPart();
}

function serverAnswered() {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  const hold = watchPlaces("#connection-status");
  offlineNotice().hidden = true;
  hold();
}

function serverMissing() {
  offlineTimer ??= setTimeout(() => {
    offlineNotice().hidden = !document.getElementById("sign-in").hidden;
  }, OFFLINE_AFTER);
}

follow(() => game().dataset.events, {
  onOpen: (isAgain) => {
    serverAnswered();
    if (isAgain) fetchPart(); // the server may have been restored from a backup
  },
  onEvent: (version) => {
    serverAnswered();
    latestVersion = version;
    catchUp();
  },
  onGap: fetchPart,
  onSilence: serverMissing,
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") fetchPart();
});

// Voice, wake lock and the like are loaded once the page can be seen.
const whenIdle = window.requestIdleCallback ?? setTimeout;
function loadTheRest() {
  import("../table/settings.js").catch(() => {});
  import("./motion.js").catch(() => {});
  if (document.querySelector(".board")?.checkVisibility?.()) loadMoments().catch(() => {});
  if (document.querySelector(".clock"))
    import("./countdown.js").then(({ startCountdown }) => startCountdown(), () => {});
}

async function loadMoments() {
  const loaded = await import("./board.js");
  await loaded.prepareMoments();
  moments = loaded;
}
addEventListener("load", () => whenIdle(loadTheRest));
