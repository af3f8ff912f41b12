// Beside the server's own pages: keeps facts fresh, sends what waits, and takes the game page over
// when the server does not answer any more.

import { open } from "./app.js";
import { clashes, howMany } from "./facts.js";
import { all, change, get } from "./db.js";
import { NoAnswer, answered } from "./network.js";
import { gamesWaiting, send } from "./send.js";
import { keepGame, keepTable } from "./snapshot.js";
import { stepOf } from "./steps.js";
import { region } from "./announcement.js";
import { forgetHad, had } from "./rounds.js";
import { asks, forgetRestored, note } from "./restored.js";
import { learn, part, sentence } from "./phrases.js";
import { register } from "./install.js";

const PATIENCE = 4000; // ms that somebody who tapped is kept waiting
const shown = () => document.getElementById("game");
const revision = () => shown()?.dataset.revision;
const isBusy = () => "busy" in document.documentElement.dataset;
let id;
let unkept = []; // taps, each with the version it was made on: the facts kept may lack it
let fetching = false;

export async function hold() {
  id = /^\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  // A page that says that there is no such game may be of one that this phone still has.
  if (!shown() && !(id && (await get(`game/${id}`)))) id = undefined;
  if (id) region(); // which a screen reader must know before anything is said there
  listen();
  register(() => !isBusy());
  try {
    await keepTable();
    if (id) await keepGame(id);
    if (id) await learnShell();
    await sendAll();
    if (id && shown()) await showNotes();
    document.documentElement.dataset.kept = shown()?.dataset.version ?? "";
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

async function learnShell() {
  const answer = await answered(fetch("/phone"));
  learn(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

// Above and below the game, where no new state of it takes them away.
async function showNotes() {
  const kept = await get(`game/${id}`);
  if (kept) showNote(note(kept), forgetRestored, (piece) => shown().before(piece));
  if (kept) showNote(had(kept), forgetHad, (piece) => document.body.append(piece));
}

function showNote(piece, forget, place) {
  if (!piece) return;
  const [section] = piece.children;
  section.querySelector("button").addEventListener("click", async () => {
    await change(`game/${id}`, forget);
    section.remove();
  });
  place(piece);
}

async function sendAll() {
  let trouble;
  try {
    for (const kept of await gamesWaiting()) await send(kept.id);
  } catch (error) {
    trouble = error;
    if (!trouble.sentence) throw error;
  }
  const left = (await all("game/")).filter(howMany);
  if (id && left.some((kept) => kept.id === id)) takeOver();
  else if (left.length) await tell(left, trouble?.sentence);
}

// On a page that is not the game's own: that something waits, and where.
async function tell(left, trouble) {
  await learnShell();
  const n = left.reduce((sum, kept) => sum + howMany(kept), 0);
  const code = left.some(asks) ? "restored" : left.some(clashesIn) ? "choose_first" : "waits";
  document.getElementById("waiting")?.remove();
  document.querySelector("main .bar")?.after(part("waits", { what: trouble || sentence(code, { n }) }));
}

const clashesIn = (kept) => clashes(kept).length > 0;

function listen() {
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!id || !ctx.sourceElement?.closest("#game")) return;
    const step = stepOf(ctx.request.action, ctx.request.body);
    if (step) unkept.push({ step, version: parseInt(ctx.request.body.get("version"), 10) });
    ctx.fetch = (...request) =>
      answered(fetch(...request), PATIENCE).then(
        (answer) => {
          // What the server refused, it has said; it is not to be done later after all.
          if (answer.status >= 400) unkept = unkept.filter((one) => one.step !== step);
          return answer;
        },
        () => {
          takeOver();
          return new Promise(() => {}); // nobody waits for it any more
        },
      );
  });
  document.addEventListener("htmx:after:swap", keepUp);
  document.addEventListener("settled", keepUp);
}

async function keepUp() {
  const before = id && (await get(`game/${id}`));
  if (!id || fetching || !revision() || before?.revision === revision()) return;
  fetching = true;
  if (before) unkept = lackedBy(before); // its version may be lower afterwards
  try {
    await keepGame(id);
    const kept = await get(`game/${id}`);
    unkept = lackedBy(kept);
    document.documentElement.dataset.kept = shown()?.dataset.version ?? "";
    if (kept.restored) await sendAll();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  } finally {
    fetching = false;
  }
}

const lackedBy = (kept) => unkept.filter((one) => one.version >= kept.version);

async function takeOver() {
  const kept = await get(`game/${id}`);
  const place = shown() ?? document.querySelector("main:not(#phone)");
  if (!kept || !place) return;
  const aside = document.createElement("div");
  aside.hidden = true;
  aside.append(...document.querySelectorAll("#trouble, #away, #restored"));
  const main = document.createElement("main");
  main.id = "phone";
  for (const note of document.querySelectorAll("#restored-note, #had")) note.remove(); // drawn anew
  document.body.append(aside);
  place.replaceWith(main);
  delete document.documentElement.dataset.busy;
  open(main, { name: "game", id }, lackedBy(kept).map((one) => one.step));
  unkept = [];
}
