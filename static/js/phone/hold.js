// Beside the server's own pages: keeps facts fresh, sends what waits, and takes the game page over
// when the server does not answer any more.

import { open } from "./app.js";
import { clashes, howMany } from "./facts.js";
import { all, change, get } from "./kept.js";
import { NoAnswer, answered } from "./line.js";
import { gamesWaiting, send } from "./send.js";
import { keepGame, keepTable } from "./table.js";
import { stepOf } from "./taps.js";
import { region } from "./news.js";
import { forgetHad, had } from "./past.js";
import { learn, part, sentence } from "./words.js";
import { register } from "./install.js";

const PATIENCE = 4000; // ms that somebody who tapped is kept waiting
const shown = () => document.getElementById("game");
const isBusy = () => "busy" in document.documentElement.dataset;
let id;
let unkept = []; // taps, each with the version it was made on: the facts kept may lack it
let fetching = false;

export async function hold() {
  id = /^\/games\/([a-z0-9]+)$/.exec(location.pathname)?.[1];
  if (!shown()) id = undefined;
  if (id) region(); // which a screen reader must know before anything is said there
  listen();
  register(() => !isBusy());
  try {
    await keepTable();
    if (id) await keepGame(id);
    if (id) await learnShell();
    if (id) await showHad();
    await sendAll();
    document.documentElement.dataset.kept = shown()?.dataset.version ?? "";
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

async function learnShell() {
  const answer = await answered(fetch("/phone"));
  learn(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

// Below the game, where no new state of it takes it away.
async function showHad() {
  const kept = await get(`game/${id}`);
  const piece = kept && had(kept);
  if (!piece) return;
  const [shown] = piece.children;
  shown.querySelector("button").addEventListener("click", async () => {
    await change(`game/${id}`, forgetHad);
    shown.remove();
  });
  document.body.append(piece);
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
  const code = left.some(clashesIn) ? "choose_first" : "waits";
  document.getElementById("waiting")?.remove();
  document.querySelector("main .bar")?.after(part("waits", { what: trouble || sentence(code, { n }) }));
}

const clashesIn = (kept) => clashes(kept).length > 0;

function listen() {
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!id || !ctx.sourceElement?.closest("#game")) return;
    const step = stepOf(ctx.request.action, ctx.request.body);
    if (step) unkept.push({ step, version: Number(ctx.request.body.get("version")) });
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
  const version = Number(shown()?.dataset.version ?? 0);
  if (!id || fetching || !version || (await get(`game/${id}`))?.version >= version) return;
  fetching = true;
  try {
    await keepGame(id);
    unkept = lackedBy(await get(`game/${id}`));
    document.documentElement.dataset.kept = `${version}`;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  } finally {
    fetching = false;
  }
}

const lackedBy = (kept) => unkept.filter((one) => one.version >= kept.version);

async function takeOver() {
  const kept = await get(`game/${id}`);
  if (!kept || !shown()) return;
  const aside = document.createElement("div");
  aside.hidden = true;
  aside.append(...document.querySelectorAll("#trouble, #away"));
  const main = document.createElement("main");
  main.id = "phone";
  document.body.append(aside);
  shown().replaceWith(main);
  delete document.documentElement.dataset.busy;
  open(main, { name: "game", id }, lackedBy(kept).map((one) => one.step));
  unkept = [];
}
