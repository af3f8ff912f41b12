// The screen: a view of the stored games, drawn over the one that is shown, and the page of a game.

import { startSettling } from "./input.js";
import { activeSeat, entrySection, overText, ownSeat } from "./keypad.js";
import { online, views } from "./loading.js";
import { pot, scoreStrip, sizeClass, tieText } from "./scoreboard.js";
import { unsaved } from "../model/db.js";
import { conflicts, faceOf, hasConflict, needsDecision, stateOf, unsentCount } from "../model/facts.js";
import { bdi, drawIn, element, piece, sentence } from "../draw/phrases.js";
import { contract, lengthOf, roundRules } from "../rules/bidding.js";
import { askedSeats, notesOf } from "../rules/game.js";

let drawnKey; // the state that was drawn last, as JSON
let drawnWith; // the connection then, and which scripts and names were loaded
let drawnMeaning; // of taps then
let drawnView; // a page that is opened has a new one

/**
 * Draw a view in the main element of the page unless it is drawn already, and return whether it was not.
 * `now` tells the `status` of the connection, whether any game `hasUnsent` rounds, and whether a tap of
 * this page `isEntered` since the last time.
 */
export function drawView(root, view, now, game, table, games) {
  const isGame = game && view.name === "game";
  const shown = (game ? [game] : games).map((one) => visiblePart(view, one));
  const state = JSON.stringify([view, shown]);
  const loaded = JSON.stringify([
    now.status ?? true, unsaved.size > 0, Boolean(online), Boolean(views), isGame ? table?.names : table?.tag,
  ]);
  const isDrawn = state === drawnKey && loaded === drawnWith;
  if (isDrawn) showWhatIsSaved(root, game, now.hasUnsent);
  else {
    document.dispatchEvent(new CustomEvent("drawing", { detail: isGame && game })); // while the page is as before
    renderPage(root, view, now, [game, table, games], state === drawnKey);
  }
  [drawnKey, drawnWith] = [state, loaded];
  return !isDrawn;
}

function renderPage(root, view, now, [game, table, games], isSame) {
  const isGame = game && view.name === "game";
  const focused = document.activeElement;
  const held = root.contains(focused) ? focused : null;
  // A tap closes the menu; the first drawing, over the server's page, and the one for the connection, or
  // for views or names that were loaded, leave it as it is. So do others' entries while somebody types in it.
  const isTyping = !now.isEntered && !view.error && held?.matches("#menu label *");
  const closed = isSame || isTyping || root.dataset.steps === undefined ? null : root.querySelector("#menu[open]");
  const hold = online?.watchPage({ isOwn: now.isEntered || view !== drawnView });
  drawnView = view;
  if (closed) foldMenu(closed);
  const unfolded = [...root.querySelectorAll("details[open]")].map(({ id }) => id);
  // What a closed menu has is drawn when it opens: with a tap that would take a third of its time.
  const menu = view.menu || closed || !now.isEntered;
  const page = renderView({ ...view, menu }, now.status, game, table, games);
  const pageClass = view.name === "rules" ? "page page-wide" : "page";
  const className = isGame ? `game ${gameClass(game, stateOf(game))}` : pageClass;
  // What has the focus is often removed then: the browser lays out the page at once if it has changed.
  if (className !== root.className) held?.blur();
  if (page.now) drawGame(root, page);
  else root.replaceChildren(page);
  hold?.();
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", ""); // in what was replaced
  root.className = className;
  document.title = root.querySelector("h1")?.textContent ?? document.title;
  showWhatIsSaved(root, game, now.hasUnsent);
  // Without an entry the page keeps its scroll position.
  if (isGame && now.isEntered) online?.scrollToActiveSeat(root);
  const meaning = meaningOf(root, view);
  if (drawnMeaning && (meaning !== drawnMeaning || closed)) startSettling(root);
  drawnMeaning = meaning;
  online?.restoreFocus(root, held, isGame && hasConflict(game) ? `${game.id} ${conflicts(game)[0]}` : "");
}

function foldMenu(menu) {
  menu.open = false;
  for (const form of menu.querySelectorAll("form")) form.reset();
}

// What taps are for: the page or round, and whether the keys enter, bid blind or correct something. Other texts do
// not tell, as browsers translate them.
const meaningOf = (root, { name, n }) => [
  name, n, root.className, root.querySelector("#entry")?.action, root.querySelector(".active > a > b")?.textContent,
  root.querySelectorAll(".waits, [aria-current=true]").length,
].join();

// What style sheets ask of the page as a whole.
function gameClass(game, state) {
  const { phase, outcome, sides } = state;
  if (phase === "over") return `over tint-${faceOf(game, sides[outcome.winner][0]).color}`;
  return `${phase}${hasConflict(game) || needsDecision(game) ? "" : " asks"} ${sizeClass(askedSeats(state))}`;
}

// Changes with each answer of the server, without drawing the page again.
function showWhatIsSaved(root, game, hasUnsent) {
  const unsent = game ? unsentCount(game) : 0;
  Object.assign(root.dataset, { steps: game?.undo.length ?? 0, version: game?.version ?? "", unsent });
  online?.markUnsaved(root, game ? unsent > 0 : hasUnsent);
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

/** Draw the page of a game in `<main id="game">`. */
export function drawGame(root, page) {
  const shown = root.firstElementChild;
  const now = shown?.matches(".now") ? shown : element("div");
  const className = page.isUnscored ? "now unscored" : "now";
  if (now.className !== className) now.className = className;
  drawIn(now, page.now);
  drawIn(root, [now, ...page.more]);
}

/**
 * Return what `<main id="game">` shows of a game: what stands `now` above, and `more` below.
 *
 * Of the `view`, `chosen` is the seat that was tapped, from 0 or null; `error` says why an entry was
 * refused; with `everyRound` the table of rounds shows more than the newest; with `menu` the menu is
 * drawn too. `known` are the names of the table. `views` are those of views.js, once they are loaded.
 * `line` is the status line, or null.
 */
export function gamePage(game, view, line) {
  const state = stateOf(game);
  const isOver = state.phase === "over";
  const tie = tieText(game, state);
  const { views } = view;
  const values = formValues(game, state);
  const [clock, timeUp] = views ? views.clock(game, state, values) : [".clock", ".time-up"].map(shownPart);
  const deck = isOver ? [] : (views?.deckNote(game, state) ?? shownDeck(state.open));
  const end = isOver ? (views?.ending(game, state, values, views) ?? shownEnding(game, state)) : {};
  const now = [
    piece("bar", { ...barValues(game, state, views), menu_list: views && view.menu ? views.menuList(game, state, values, view) : shownPart(".menu-list"), clock }),
    (hasConflict(game) && !game.refused && views ? null : line) ?? "",
    view.error ? piece("message", { message: view.error, in_dock: !isOver && !hasConflict(game) && !needsDecision(game) && !state.thrown_in && !view.panel }) : "",
    tie ? piece("tie", { tie }) : "",
    timeUp,
    ...(views ? views.gameNotes(game, state) : shownNotes(state.open)),
    ...middle(game, state, view, deck, end.now),
  ];
  const rounds = () => (views ? views.roundsTable(game, state, view) : shownRounds(state.rounds.length));
  const notes = [views?.restoredNote(game) ?? "", views?.replacedNote(game) ?? ""];
  const isUnscored = deck.length > 0 && !game.rules.cards;
  return { now, isUnscored, more: [...notes, ...(end.more ?? []), state.rounds.length ? rounds() : (views?.raceToCome?.(isOver) ?? "")] };
}

// What the server has drawn stays until the views are loaded, as long as it is true.
const shownPart = (part) => document.querySelector(part) ?? "";
const shownRounds = (n) => shownPart(`#rounds:has([href$="/rounds/${n}"])`);
const shownDeck = ({ bids, tally }) =>
  tally || bids.some((bid) => bid !== null) ? [] : [...document.querySelectorAll(".deck > *")].flatMap((line) => [line, " "]);
const shownNotes = (open) =>
  document.querySelectorAll(Object.values(notesOf(open)).some((one) => one?.length ?? one) ? ".note, .clash" : ".clash");

function shownEnding(game, state) {
  const [winner = "", ...others] = document.querySelectorAll(".now > :is(.winner, .turning, .badges, .race-card, .ways, .dock)");
  return { now: [winner, scoreStrip(game, state), ...others], more: document.querySelectorAll(".now ~ :not(#rounds)") };
}

function barValues(game, state, views) {
  const isOver = state.phase === "over";
  const length = lengthOf(game.rules, state.players);
  const limit = state.number <= length && length;
  const values = { n: contract(state.open.bids), tricks: roundRules(state).tricks };
  const isBid = state.phase === "playing" && !state.bids_itself;
  const bids = isBid && sentence("of_bid", values);
  const told = game.rules.cards ? overText(state) || sentence("cards_each", { n: values.tricks }) : bids;
  return {
    ...formValues(game, state),
    book: isOver && (views?.bookName(game.rules) ?? game.rules.name),
    limit,
    endless: !limit,
    who: !isOver && (told ? element("bdi", told) : sentence("deals", { name: bdi(game.names[state.dealer]) })), // told may be cut
    pot: !isOver && pot(game),
  };
}

const formValues = (game, { number }) => ({
  game_id: game.id,
  revision: game.revision,
  number,
  can_undo: game.undo.length > 0 || game.can_undo,
});

function middle(game, state, view, deck, end) {
  const { views } = view;
  if (needsDecision(game)) return [scoreStrip(game, state, views), views?.decisionForm(game) ?? ""];
  if (hasConflict(game)) {
    const [entries, buttons] = views?.conflictForm(game) ?? ["", ""];
    return [entries, scoreStrip(game, state, views), buttons];
  }
  if (end) return end;
  if (view.panel && views) return [scoreStrip(game, state, views), views.panelSection(game, state, view.panel, formValues(game, state))];
  const own = ownSeat(state, game);
  const { chosen = null } = view;
  const active = activeSeat(state, chosen, own);
  const entry = { ...formValues(game, state), active, chosen, own, deck, blind: view.blind, error: view.error, views };
  const takes = views?.takesLine(game, state) ?? shownPart(".takes");
  return [scoreStrip(game, state, views), takes, entrySection(game, state, entry)];
}
