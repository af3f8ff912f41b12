// Live updates of a game page: server-sent events name the game's version, and the page fetches
// itself when it shows an older one. Polls where no event stream can be opened.

const POLL_INTERVAL = 2000; // ms
const STREAM_RETRY = 30000; // ms
const OFFLINE_AFTER = 2500; // ms without an answer until the page says so

const game = () => document.getElementById("game");
const offlineNotice = () => document.getElementById("connection-status");
let stream;
let pollTimer;
let offlineTimer;
let fetching = false;
let wasOffline = false;
let latestVersion = 0; // named by the newest event
let cached = { tag: "", revision: "" }; // ETag of the last response, and the revision it showed

const shownVersion = () => Number(game()?.dataset.version ?? 0);
const revision = () => game()?.dataset.revision ?? "";

async function fetchPage(seen = revision()) {
  if (fetching || document.documentElement.dataset.busy || !game()?.dataset.page) return;
  fetching = true;
  try {
    const headers = { "HX-Request": "true", "Scorekeeper-Seen": seen };
    if (cached.revision === seen) headers["If-None-Match"] = cached.tag;
    const response = await fetch(game().dataset.page, { headers, cache: "no-store" });
    // A captive portal answers too.
    if (!response.headers.has("Scorekeeper")) throw new Error("not ours");
    if (response.status === 200) {
      const text = await response.text();
      if (!document.documentElement.dataset.busy) {
        if (response.headers.has("Scorekeeper-Restored")) showRestoredNotice();
        await htmx.swap({ target: game(), text, swap: "outerMorph", sourceElement: game() });
        cached = { tag: response.headers.get("ETag") ?? "", revision: revision() };
      }
    }
    serverAnswered();
    if (response.status === 404) location.reload();
  } catch {
    serverMissing();
  } finally {
    fetching = false;
  }
  catchUp();
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
  if (latestVersion > shownVersion()) fetchPage();
}

function serverAnswered() {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  offlineNotice().hidden = true;
}

function serverMissing() {
  offlineTimer ??= setTimeout(() => {
    offlineNotice().hidden = false;
  }, OFFLINE_AFTER);
}

function openStream() {
  stream?.close();
  if (!window.EventSource || !game()?.dataset.events) return poll();
  stream = new EventSource(game().dataset.events);
  stream.addEventListener("open", () => {
    clearInterval(pollTimer);
    pollTimer = undefined;
    serverAnswered();
    if (wasOffline) fetchPage(); // it may have been restored from a backup
    wasOffline = false;
  });
  stream.addEventListener("message", (event) => {
    serverAnswered();
    latestVersion = Number(event.data);
    catchUp();
  });
  stream.addEventListener("error", () => {
    serverMissing();
    wasOffline = true;
    if (stream.readyState === EventSource.CLOSED) poll();
  });
}

function poll() {
  if (pollTimer) return;
  pollTimer = setInterval(fetchPage, POLL_INTERVAL);
  setTimeout(openStream, STREAM_RETRY);
  fetchPage();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  fetchPage();
  if (stream?.readyState === EventSource.CLOSED) openStream();
});

document.addEventListener("settled", catchUp);

// The revision shown before a reload is sent along, as the server may have lost it since.
const storageKey = `shown ${location.pathname}`;
addEventListener("pagehide", () =>
  withSessionStorage((store) => store.setItem(storageKey, revision())),
);
const seen = withSessionStorage((store) => store.getItem(storageKey));
if (seen && seen !== revision()) fetchPage(seen);

function withSessionStorage(step) {
  try {
    return step(sessionStorage);
  } catch {
    return null; // storage is blocked
  }
}

// Voice, shortcuts and the like are loaded once the page can be used.
const whenIdle = window.requestIdleCallback ?? setTimeout;
addEventListener("load", () => whenIdle(() => import("../table/settings.js").catch(() => {})));

openStream();
