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
let told = 0; // the newest version that an event named
let tag = "";

function shown() {
  return Number(game()?.dataset.version ?? 0);
}

async function fetchPage() {
  if (fetching || document.documentElement.dataset.busy || !game()?.dataset.page) return;
  fetching = true;
  try {
    const headers = { "HX-Request": "true" };
    if (tag) headers["If-None-Match"] = tag;
    const answer = await fetch(game().dataset.page, { headers, cache: "no-store" });
    // A network that wants to be logged in to answers too.
    if (!answer.headers.has("Scorekeeper")) throw new Error("not ours");
    if (answer.status === 200) {
      const text = await answer.text();
      if (!document.documentElement.dataset.busy) {
        tag = answer.headers.get("ETag") ?? "";
        await htmx.swap({ target: game(), text, swap: "outerMorph", sourceElement: game() });
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
  });
  source.addEventListener("message", (event) => {
    found();
    told = Number(event.data);
    catchUp();
  });
  source.addEventListener("error", () => {
    missing();
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

// Voice, keys and the like come when the page can be used and the phone has a moment.
const moment = window.requestIdleCallback ?? setTimeout;
addEventListener("load", () => moment(() => import("./senses.js").catch(() => {})));

listen();
