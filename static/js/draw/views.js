// The views beside a game that is played, sent as one file apart from those that it needs at once; and what
// runs beside the server's pages that show no game: it refreshes the snapshot of the table, and sends what
// is unsent. The styles of some views come with the server's pages of their kind, or from here.

import { get, getAll } from "../model/db.js";
import { hasConflict, needsDecision, unsentCount } from "../model/facts.js";
import { initConnection, register, send, serverAnswers, sync } from "../model/online.js";
import { bidWord, phraseData, render, sentence } from "./phrases.js";
import { fetchTable } from "../model/sync.js";
import { watchRows } from "../game/bubble.js";
import { startCountdown } from "../game/countdown.js";
import { afterFrame } from "../game/input.js";
import { watchPlaces } from "../game/leaving.js";
import { loadShell, Unavailable } from "../game/loading.js";
import { showWhatItTakes } from "../game/notes.js";
import { watchWays } from "../game/rematch.js";
import { showRounds } from "../game/rounds.js";
import { parseBid } from "../rules/bidding.js";

/**
 * Refresh what this phone keeps, and send what is unsent; until then the page says so. The app shows
 * itself by `mount` in place of a page that the server does not have.
 */
export async function keepUpToDate(mount) {
  register(() => true);
  try {
    await showWaiting();
    initConnection({ changed: showWaiting, polled: () => false, isServed: true });
    await sync();
    if (serverAnswers() === true) await fetchTable();
    if (serverAnswers() !== false) await takeOver(mount);
    document.documentElement.dataset.kept = "";
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

// A link to the unsent rounds, if there are any.
async function showWaiting() {
  const unsent = (await getAll("game/")).filter(unsentCount);
  if (unsent.length) await loadShell();
  const hold = watchPlaces("#waiting");
  document.getElementById("waiting")?.remove();
  if (!unsent.length) return hold();
  const n = unsent.reduce((sum, game) => sum + unsentCount(game), 0);
  const other = unsent.some(hasConflict) ? "choose_first" : "waits";
  const code = unsent.some(needsDecision) ? "restored" : other;
  const answers = serverAnswers();
  const what = typeof answers === "string" ? answers : sentence(code, { n });
  document.querySelector("main .bar")?.after(render("waits", { what }));
}

async function takeOver(mount) {
  const id = /\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  const game = id && (await get(`game/${id}`));
  if (!game || !unsentCount(game)) return;
  await loadShell();
  const main = document.createElement("main");
  main.id = "game";
  document.querySelector("main").replaceWith(main);
  await mount(main, { name: "game", id });
}

/** Use the word of a game's rule book, or "bid" where no game is shown. */
export async function useWordsOf(game) {
  const word = game && phraseData.calls.includes(game.rules.key) ? "call" : "bid";
  if (word !== phraseData.bid) await loadShell(word).catch(() => {}); // else it is shown with the other
}

/**
 * Show and send a tap that ends a phase, before the page is drawn, which takes longer: a bid in its row, and the
 * button pressed.
 */
export async function showTap({ classList, name, value }, ahead) {
  const bid = name === "bid" && document.querySelector(".active .seat-bid");
  if (bid) bid.textContent = bidWord(parseBid(value));
  classList.add("pressed");
  await afterFrame();
  send(ahead);
  await afterFrame();
  document.dispatchEvent(new CustomEvent("ending", { detail: ahead })); // while the page is as before
  await afterFrame();
  classList.remove("pressed");
}

const isHere = (id) => document.getElementById(id);

const linkStyles = (...names) =>
  names.map((name) => {
    const href = new URL(`../../css/${name}.css`, import.meta.url);
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    document.head.append(link);
    return link;
  });

const ofPages = linkStyles("rules");
linkStyles("clock", "menu", "rows");
if (isHere("start-style")) ofPages.push(isHere("start-style"));
else {
  if (!isHere("page-style")) linkStyles("pages", "end");
  linkStyles("cards");
  ofPages.push(...linkStyles("home", "new-game"));
}
let ofGames = isHere("start-style") ? ["pages", "end", "cards"] : []; // what that has for games too
// A game does without these, the rules of which look at whole pages with each tap.
function styleViews(isGame) {
  if (isGame) ofGames = linkStyles(...ofGames) && [];
  const media = isGame ? "not all" : "all";
  for (const link of ofPages) if (link.media !== media) link.media = media; // which reads it again
}
styleViews(isHere("game"));
document.addEventListener("drawing", ({ detail }) => queueMicrotask(() => onDrawnView(detail)));
function onDrawnView(detail) {
  styleViews(detail);
  const line = detail && document.querySelector("#line:not(.message)"); // beside the title in wide windows
  document.querySelector("main > .now > .bar")?.classList.toggle("lined", Boolean(line));
}
// What takes longer than a tap may is shown once the tap is seen and sent, and a moment that it brings has come.
const MOMENT_COMES = 3; // frames
let newest; // game that was drawn
document.addEventListener("drawing", async ({ detail }) => {
  newest = detail;
  await afterFrame();
  for (let n = 1; n < MOMENT_COMES && "moment" in document.documentElement.dataset; n += 1) await afterFrame();
  await new Promise((resolve) => setTimeout(resolve));
  if (newest !== detail) return;
  if (detail) showWhatItTakes(detail);
  showRounds();
});
const windowStyle = isHere("window-style") ?? linkStyles("windows")[0];
if (windowStyle.media) windowStyle.media = "all"; // large text may be that of this page alone
startCountdown();
watchRows();
watchWays();

document.addEventListener("click", ({ target }) => {
  const menu = isHere("menu");
  if (menu?.open && !menu.contains(target)) menu.open = false;
});

// A penalty that is not counted has no amount.
for (const event of ["change", "reset"])
  addEventListener(event, ({ target }) => {
    const form = target.form ?? target;
    if (target.name !== "what" && event === "change") return;
    const isUnsized = event === "change" && /^(set|lost):/.test(target.value);
    form.classList?.toggle("unsized", isUnsized);
  });

// The menu of a game opens with all of its parts folded. Events of folding do not bubble.
addEventListener(
  "toggle",
  ({ target }) => {
    if (target.id !== "menu" || target.open) return;
    for (const unfolded of target.querySelectorAll("details[open]")) unfolded.open = false;
  },
  true,
);
