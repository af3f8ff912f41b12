// Keeps a page up to date with its game: an event brings a version, the page then fetches itself.
// Where no stream is to be had it asks every two seconds; a phone that slept catches up at once.

const ASK = 2000; // ms between two questions when there is no stream
const TRY_STREAM = 30000; // ms until a stream is tried again
const PATIENCE = 2500; // ms without a server before the page says so

const game = () => document.getElementById("game");
const away = () => document.getElementById("away");
let source;
let asking;
let lost;
let fetching = false;
let wasLost = false;
let told = 0; // the newest version that an event named
let kept = { tag: "", revision: "" }; // the tag of what was fetched last, and what it showed

const shown = () => Number(game()?.dataset.version ?? 0);
const revision = () => game()?.dataset.revision ?? "";

async function fetchPage(seen = revision()) {
  if (fetching || document.documentElement.dataset.busy || !game()?.dataset.page) return;
  fetching = true;
  try {
    const headers = { "HX-Request": "true", "Scorekeeper-Seen": seen };
    if (kept.revision === seen) headers["If-None-Match"] = kept.tag;
    const answer = await fetch(game().dataset.page, { headers, cache: "no-store" });
    // A network that wants to be logged in to answers too.
    if (!answer.headers.has("Scorekeeper")) throw new Error("not ours");
    if (answer.status === 200) {
      const text = await answer.text();
      if (!document.documentElement.dataset.busy) {
        if (answer.headers.has("Scorekeeper-Restored")) restored();
        await htmx.swap({ target: game(), text, swap: "outerMorph", sourceElement: game() });
        kept = { tag: answer.headers.get("ETag") ?? "", revision: revision() };
      }
    }
    found();
    if (answer.status === 404) location.reload();
  } catch {
    missing();
  } finally {
    fetching = false;
  }
  catchUp();
}

// Its history went back: versions begin anew from an earlier one.
function restored() {
  told = 0;
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
  if (told > shown()) fetchPage();
}

function found() {
  clearTimeout(lost);
  lost = undefined;
  away().hidden = true;
}

function missing() {
  lost ??= setTimeout(() => {
    away().hidden = false;
  }, PATIENCE);
}

function listen() {
  source?.close();
  if (!window.EventSource || !game()?.dataset.events) return ask();
  source = new EventSource(game().dataset.events);
  source.addEventListener("open", () => {
    clearInterval(asking);
    asking = undefined;
    found();
    if (wasLost) fetchPage(); // the server may have come back with an earlier state
    wasLost = false;
  });
  source.addEventListener("message", (event) => {
    found();
    told = Number(event.data);
    catchUp();
  });
  source.addEventListener("error", () => {
    missing();
    wasLost = true;
    if (source.readyState === EventSource.CLOSED) ask();
  });
}

function ask() {
  if (asking) return;
  asking = setInterval(fetchPage, ASK);
  setTimeout(listen, TRY_STREAM);
  fetchPage();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  fetchPage();
  if (source?.readyState === EventSource.CLOSED) listen();
});

document.addEventListener("settled", catchUp);

// What this page showed before it was loaded again: it may be gone meanwhile.
const before = `shown ${location.pathname}`;
addEventListener("pagehide", () => remembered((store) => store.setItem(before, revision())));
const seen = remembered((store) => store.getItem(before));
if (seen && seen !== revision()) fetchPage(seen);

function remembered(step) {
  try {
    return step(sessionStorage);
  } catch {
    return null; // a browser that keeps nothing
  }
}

// Voice, keys and the like come when the page can be used and the phone has a moment.
const moment = window.requestIdleCallback ?? setTimeout;
addEventListener("load", () => moment(() => import("../table/settings.js").catch(() => {})));

listen();
