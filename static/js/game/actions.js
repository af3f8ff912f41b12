// Actions beside the keypad, by the `data-action` of what was tapped, and the export of a game as CSV.
// `app` is the object of app.js.

import { resolveConflict } from "./conflict.js";
import { noteStep } from "./menu.js";
import { changePanel, focusRow, withoutGiven } from "./panel.js";
import { askRematch, runningGame } from "./rematch.js";
import { forgetReplaced } from "./rounds.js";
import { get, getAll, update } from "../model/db.js";
import { BASE, enter, pathOf, roundOf, stateOf, unsentCount } from "../model/facts.js";
import { forgetRestored, penaltyText, resend, takeTheirs } from "../model/merge.js";
import { gameFromForm, rematch } from "../offline/new-game.js";
import { phraseData } from "../draw/phrases.js";
import { redo, undo } from "../model/undo.js";
import { inRound, parseBid } from "../rules/bidding.js";
import { scoreRound } from "../rules/entry.js";
import { kept } from "../rules/outcome.js";
import { takenSeats } from "../rules/seating.js";

/** Enter what a form of the game page says that is not one of the keypad, by the path it would be sent to. */
export async function enterLater(app, path, fields, data) {
  const [, way] = /\/(undo|redo)$/.exec(path) ?? [];
  if (way && !(await app.current())[way].length) return sendForm(app, path);
  const step = { undo, redo }[way] ?? noteStep(path, fields);
  if (step) await app.enter(step, data);
  else if (/\/again$/.test(path)) await startRematch(app, path, fields);
}

// Plays a finished game again: all phones share the rematch that the server starts.
async function startRematch(app, path, fields) {
  await app.sync();
  const game = await gameOf(app, app.view.name === "game" ? undefined : idOf(path));
  if (game.begin || unsentCount(game) || !app.isServed()) return playAgain(app, game, fields);
  const { token } = (await get("table")) ?? {};
  const form = Object.assign(document.createElement("form"), { method: "post", action: path });
  for (const [name, value] of [...fields, ["csrf_token", token]])
    if (name !== "csrf_token" || value === token)
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  return form.submit();
}

const idOf = (path) => /\/games\/([a-z0-9-]+)\/again$/.exec(path)[1];

async function applyChoice(app, data, step) {
  await app.enter(step, data);
  app.sync();
}

// The recorded entry stays until another one is made.
async function enterAgain(app, data) {
  const n = Number(data.round);
  await app.apply((game) => (game.theirs[n] ? resolveConflict(game, n, false) : game), data);
  await showRound(app, data);
}

async function resolveEntry(app, data, ours) {
  const n = Number(data.round);
  await applyChoice(app, data, (game) => (game.theirs[n] ? resolveConflict(game, n, ours) : game));
  app.refresh(); // what followed the round
}

// Removes a game that the server has lost.
async function remove(app) {
  const { id } = await app.current();
  await update(`game/${id}`, () => undefined);
  await showGameList(app);
}

const showRound = (app, { round }) => app.show({ name: "past", id: app.view.id, n: Number(round) });
const showRules = (app) => app.show({ name: "rules", id: app.view.id });
const showGame = (app) => app.show({ name: "game", id: app.view.id });
const showGameList = (app) => app.show({ name: "list" }, `${BASE}/phone`);
const showNewGame = (app) => app.show({ name: "new" }, `${BASE}/phone#new`);

async function openGame(app, { id }) {
  const game = (await getAll("game/")).find((one) => one.id === id);
  if (!game) return;
  await app.show({ name: "game", id }, pathOf(game));
  app.sync();
}

async function saveGame(app) {
  saveCsv(await app.current());
}

// Sends an undo or redo that the server makes, as of a change of the rules, once it has everything.
async function sendForm(app, path) {
  await app.sync();
  const game = await app.current();
  const { postForm } = await app.online();
  if (!unsentCount(game)) await postForm(path.slice(BASE.length), { version: game.revision, fetched: "yes" });
  await app.refresh();
}

/** Do what a form of a view beside the game says, by its `data-action`. */
export async function submitForm(app, what, typed, data) {
  if (what === "correct") await correctRound(app, data, typed);
  if (what === "begin") await startGame(app, typed);
  app.sync();
}

// Corrects a past round from a form, or shows the form again with the reason why it is refused.
async function correctRound(app, data, typed) {
  const n = Number(data.round);
  const game = await app.current();
  const before = roundOf(game, n);
  const bidTyped = (bid, at) => (bid === null ? null : parseBid(typed.get(`bid-${at + 1}`)));
  const bids = before.bids.map(bidTyped);
  const tricks = before.tricks.map((count, at) => Number(typed.get(`tricks-${at + 1}`) ?? count));
  const correct = (now) => {
    const round = roundOf(now, n);
    return enter(now, n, scoreRound(stateOf(now), n, { ...round, bids, tricks }, round));
  };
  if (await app.apply(correct, data)) return showGame(app);
  app.view.typed = typed;
  await app.draw();
  return document.querySelector("#game [aria-invalid]")?.focus() ?? scrollTo(0, 0);
}

// Starts a game from a form, or shows the form again with the error.
async function startGame(app, typed) {
  const { game, error } = gameFromForm(await get("table"), typed);
  if (game) return storeGame(app, game);
  Object.assign(app.view, { typed, error });
  await app.draw();
  return scrollTo(0, 0); // where the error is shown
}

const gameOf = async (app, id) =>
  id ? (await getAll("game/")).find((one) => one.id === id) : app.current();

async function playAgain(app, game, fields) {
  const running = fields.has("beside") ? undefined : runningGame(game, await getAll("game/"));
  if (running) return askRematch(game, running, fields);
  const order = (fields.get("order") ?? "").split(" ").filter(Boolean).map((n) => n - 1);
  await storeGame(app, rematch(game, game.owner, fields.get("way") ?? "same", order));
  return app.sync();
}

async function storeGame(app, game) {
  navigator.storage?.persist?.();
  await update(`game/${game.id}`, () => game);
  await app.show({ name: "game", id: game.id }, pathOf(game));
}

// Without what phones ask, the page of the server asks.
function askToEnd(app) {
  const asked = document.getElementById("end-asked");
  if (asked) asked.showModal();
  else location.assign(document.querySelector("[data-action='ask-end']").href);
}

function playOn() {
  for (const id of ["end-asked", "rematch-asked"]) document.getElementById(id)?.close();
  const menu = document.getElementById("menu");
  if (menu?.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
}

// Opens the row of a seat, or to choose one, or changes what is chosen in it.
async function changeRow(app, data) {
  const { view } = app;
  const before = view.panel;
  view.panel = changePanel(before ?? { seat: null }, data);
  if (data.seat || data.tab || !view.panel) Object.assign(view, { chosen: null, error: "" });
  await app.draw();
  focusRow(before, view.panel);
}

async function takeBack(app, data) {
  const { panel } = app.view;
  await app.enter((game) => withoutGiven(game, data.value), data);
  focusRow(panel, app.view.panel);
}

const actions = {
  panel: changeRow,
  "take-back": takeBack,
  "ask-end": askToEnd,
  "play-on": playOn,
  round: showRound,
  rules: showRules,
  back: showGame,
  open: openGame,
  list: showGameList,
  new: showNewGame,
  rematch: (app, { id }) => startRematch(app, `${BASE}/games/${id}/again`, new FormData()),
  save: saveGame,
  "forget-replaced": (app, data) => app.enter(forgetReplaced, data),
  "forget-restored": (app, data) => app.enter(forgetRestored, data),
  "keep-theirs": (app, data) => resolveEntry(app, data, false),
  "enter-again": enterAgain,
  "keep-ours": (app, data) => resolveEntry(app, data, true),
  "send-again": (app, data) => applyChoice(app, data, resend),
  "take-theirs": (app, data) => applyChoice(app, data, takeTheirs),
  remove,
};

/** Run an action; unknown names do nothing. */
export const runAction = (app, name, data) => actions[name]?.(app, data);

const HEAD = [
  "game", "started", "rules", "house_rules", "round", "dealer", "seat", "player", "bid", "tricks", "notes", "date",
  "bonus_points", "remark", "cards", "start", "start_bags", "trump",
];
const SEMICOLON_LANGUAGES = ["de", "es", "fr", "ar"]; // as in the server's i18n.py
const BYTE_ORDER_MARK = "\ufeff"; // without it Excel does not read UTF-8

/** Return a game as CSV text that Excel opens in the language of the page. */
export function toCsv(game) {
  const house = Object.entries(game.house).map((pair) => pair.join("=")).join(";");
  const { phase, rounds, open, standing, ...now } = stateOf(game);
  const isLost = phase === "over" && rounds.length < now.number; // by a penalty, before the tricks
  const unplayed = isLost ? [{ ...open, number: now.number, dealer: now.dealer, before: standing, after: standing }] : [];
  const written = [...rounds, ...unplayed];
  const started = game.begin ? "" : game.started; // the server will say when
  const rows = written.flatMap(({ number, dealer, bids, tricks, before, after, ...round }) => {
    const leaving = (written[number]?.substitutes ?? []).map(({ seat }) => seat); // before the next round
    const remarks = [...(number === 1 ? [round.game_remark] : []), round.remark]; // that on the game comes first
    const dealt = game.rules.cards ? inRound(game.rules, number, bids.length, round.cards).tricks : "";
    const [start, bags] = [round.start.length ? kept(before) : [""], round.start_bags.length ? before.bags : [""]];
    return takenSeats(after.seats).map((seat, at) => {
      const name = escapeFormula(after.seats.names[seat]);
      const cells = [number, dealer + 1, seat + 1, name, bids[seat] ?? "", tricks?.[seat] ?? ""];
      const note = notes(round, seat, leaving.includes(seat));
      return [game.id, started, game.rules.key, house, ...cells, note, game.day, bonusOf(round, seat) || "", escapeFormula(remarks[at] ?? ""), dealt, start[seat % start.length], bags[seat % bags.length], round.trump ?? ""];
    });
  });
  const separator = SEMICOLON_LANGUAGES.includes(phraseData.lang) ? ";" : ",";
  const lines = [HEAD, ...rows].map((row) => `${row.map(quote).join(separator)}\r\n`);
  return BYTE_ORDER_MARK + lines.join("");
}

function notes({ penalties = [], last_round: isLast }, own, leaves) {
  const texts = penalties
    .filter(({ seat }) => seat === own)
    .map((one) => `penalty=${penaltyText(one)}`);
  return [...texts, ...(isLast ? ["last_round=yes"] : []), ...(leaves ? ["left=yes"] : [])].join(";");
}

const bonusOf = ({ penalties = [] }, own) =>
  penalties.reduce((n, { kind, seat, size }) => n + (kind === "bonus" && seat === own ? size : 0), 0);

// Escapes what a spreadsheet would run as a formula, as the server's files/csv does; an import
// reverses it.
const FORMULA_START = /^(?=["'\u00a0]*[＝＋－＠])|[;,\t\r\n](?=["'\u00a0]*[=+\-@＝＋－＠])/g;

function escapeFormula(name) {
  const marked = name.replace(FORMULA_START, "$&'\u00a0");
  return /^'*[=+\-@\t\r\n]/.test(marked) ? `'${marked}` : marked;
}

function quote(cell) {
  const text = `${cell}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offer a game as a file to download. */
function saveCsv(game) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv(game)], { type: "text/csv" }));
  link.download = `${game.rules.key}-${game.day}-${game.id}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // until the file is written
}
