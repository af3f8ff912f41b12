// A view of the stored games, drawn over the one that is shown.

import { restoreFocus, scrollToActiveSeat } from "./focus.js";
import { online, views } from "./loading.js";
import { drawGame, gamePage } from "./screen.js";
import { startSettling } from "./second-tap.js";
import { unsavedMark } from "./unsaved-mark.js";
import { unsaved } from "../offline/db.js";
import { conflicts, hasConflict } from "../offline/entries.js";
import { stateOf, unsentCount } from "../offline/facts.js";

let drawnKey; // the state that was drawn last, as JSON
let drawnWith; // which scripts and names were loaded then
let drawnMeaning; // of taps then

/**
 * Draw a view in the main element of the page unless it is drawn already, and return whether it was not.
 * `now` tells the `status` of the connection, whether any game `hasUnsent` rounds, and whether a tap of
 * this page `isEntered` since the last time.
 */
export function drawView(root, view, now, game, table, games) {
  const isGame = game && view.name === "game";
  const shown = (game ? [game] : games).map((one) => visiblePart(view, one));
  const state = JSON.stringify([view, now.status ?? true, shown, unsaved.size > 0]);
  const loaded = JSON.stringify([Boolean(online), Boolean(views), isGame ? table?.names : table?.tag]);
  const isDrawn = state === drawnKey && loaded === drawnWith;
  if (isDrawn) showWhatIsSaved(root, game, now.hasUnsent);
  else renderPage(root, view, now, [game, table, games], state === drawnKey);
  [drawnKey, drawnWith] = [state, loaded];
  return !isDrawn;
}

function renderPage(root, view, now, [game, table, games], isSame) {
  const isGame = game && view.name === "game";
  const focused = document.activeElement;
  const held = root.contains(focused) ? focused : null;
  // A tap closes the menu; the first drawing, over the server's page, and the one for views or names
  // that were loaded leave it as it is.
  const closed = isSame || root.dataset.steps === undefined ? null : root.querySelector("#menu[open]");
  if (closed) foldMenu(closed);
  const unfolded = [...root.querySelectorAll("details[open]")].map(({ id }) => id);
  const page = renderView(view, now.status, game, table, games);
  root.querySelector("#unsaved")?.remove();
  const pageClass = view.name === "rules" ? "page page-wide" : "page";
  const className = isGame ? `game ${gameClass(stateOf(game))}` : pageClass;
  // What has the focus is often removed then: the browser lays out the page at once if it has changed.
  if (className !== root.className) held?.blur();
  if (page.now) drawGame(root, page);
  else root.replaceChildren(page);
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", ""); // in what was replaced
  root.className = className;
  document.title = root.querySelector("h1")?.textContent ?? document.title;
  showWhatIsSaved(root, game, now.hasUnsent);
  // Without an entry the page keeps its scroll position.
  if (isGame && now.isEntered) scrollToActiveSeat(root);
  const meaning = meaningOf(root);
  if (drawnMeaning && (meaning !== drawnMeaning || closed)) startSettling(root);
  drawnMeaning = meaning;
  restoreFocus(root, held, isGame && hasConflict(game) ? `${game.id} ${conflicts(game)[0]}` : "");
}

function foldMenu(menu) {
  menu.open = false;
  for (const form of menu.querySelectorAll("form")) form.reset();
}

// What taps are for: the page or round, and whether the keys enter, bid blind or correct something.
const meaningOf = (root) =>
  [...root.querySelectorAll("h1, .active > a > b, .waits, [aria-current=true]")].map((one) => one.textContent).join();

function gameClass({ phase, outcome, sides }) {
  return phase === "over" ? `over tint-${sides[outcome.winner][0] + 1}` : phase;
}

// Changes with each answer of the server, without drawing the page again.
function showWhatIsSaved(root, game, hasUnsent) {
  const unsent = game ? unsentCount(game) : 0;
  Object.assign(root.dataset, { steps: game?.undo.length ?? 0, version: game?.version ?? "", unsent });
  const isMarked = game ? unsent > 0 : hasUnsent;
  const mark = root.querySelector("#unsaved");
  if (!isMarked) mark?.remove();
  else if (!mark) root.querySelector(".bar-title")?.after(unsavedMark());
}

const nextOf = (steps) => steps.at(-1)?.slice(0, 2);

const visiblePart = (view, { base: _base, version: _version, revision: _revision, ...game }) => {
  const { tried: _tried, queue: _queue, entered: _entered, tag: _tag, taps: _taps, ...shown } = game;
  const isListed = view.name !== "game" && unsentCount({ ...game, base: _base });
  const entries = hasConflict(game) && game.entries; // which change when the server has answered
  return { ...shown, entries, changed: null, undo: nextOf(game.undo), redo: nextOf(game.redo), isListed };
};

function renderView(view, status, game, table, games) {
  const isPast = view.name === "past" && game && view.n <= stateOf(game).rounds.length;
  const canBegin = Boolean(table?.books); // which are not fetched at first
  if (view.name === "new" && canBegin) return views.newGamePage(table, view.typed, view.error);
  if (isPast) return views.roundPage(game, stateOf(game), view);
  if (view.name === "rules" && game) return views.rulesPage(game, table);
  const shown = { ...view, known: table?.names, views };
  const lineOf = (...given) => online?.statusLine(...given) ?? null;
  if (game) return gamePage(game, shown, lineOf([game], status, false, false));
  return views.gameListPage(games, canBegin, lineOf(games, status, Boolean(view.id)));
}
