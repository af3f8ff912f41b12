// The game page of the offline app.

import { activeSeat, entrySection, ownSeat } from "./keypad.js";
import { pot, scoreStrip, tieText } from "./scoreboard.js";
import { hasConflict } from "../offline/entries.js";
import { needsDecision, stateOf } from "../offline/facts.js";
import { bdi, drawIn, element, piece, sentence, text } from "../offline/phrases.js";
import { lengthOf, roundRules } from "../rules/bidding.js";

/** Draw the page of a game in `<main id="game">`. */
export function drawGame(root, page) {
  const shown = root.firstElementChild;
  const now = shown?.matches(".now") ? shown : Object.assign(element("div"), { className: "now" });
  drawIn(now, page.now);
  drawIn(root, [now, ...page.more]);
}

/**
 * Return what `<main id="game">` shows of a game: what stands `now` above, and `more` below.
 *
 * Of the `view`, `chosen` is the seat that was tapped, from 0 or null; `error` says why an entry was
 * refused; with `everyRound` the table of rounds shows more than the newest; with `menu` the menu is
 * open. `known` are the names of the table. `views` are those of views.js, once they are loaded. `line` is
 * the status line, or null.
 */
export function gamePage(game, view, line) {
  const state = stateOf(game);
  const isOver = state.phase === "over";
  const tie = tieText(game, state);
  const { views } = view;
  const values = formValues(game, state);
  const [clock, timeUp] = views ? views.clock(game, state, values) : shownClock();
  const forms = () => (views ? views.menuForms(game, state, values, view.known) : shownForms(state));
  const end = isOver ? (views?.ending(game, state, values, views) ?? shownEnding(game, state)) : {};
  const now = [
    piece("bar", { ...barValues(game, state, view), ...(!isOver && forms()), clock }),
    (hasConflict(game) && !game.refused && views ? null : line) ?? "",
    view.error ? piece("message", { message: view.error }) : "",
    tie ? piece("tie", { tie }) : "",
    timeUp,
    ...(views ? views.gameNotes(game, state) : shownNotes(state.open)),
    ...middle(game, state, view, end.now),
  ];
  const rounds = () => (views ? views.roundsTable(game, state, view) : shownRounds(state.rounds.length));
  const notes = [views?.restoredNote(game) ?? "", views?.replacedNote(game) ?? ""];
  return { now, more: [...notes, ...(end.more ?? []), state.rounds.length ? rounds() : ""] };
}

// What the server has drawn stays until the views are loaded, as long as it is true.
const shownRounds = (n) => document.querySelector(`#rounds:has([href$="/rounds/${n}"])`) ?? "";
const shownClock = () => [".clock", ".time-up"].map((part) => document.querySelector(part) ?? "");
const shownForm = (id, n) => document.querySelector(`#${id} > form[action*="/rounds/${n}/"]`) ?? "";
const shownForms = ({ number: n }) => ({ penalty: shownForm("penalty", n), seats: shownForm("seats", n) });
const shownDeck = ({ bids, tally }) =>
  tally || bids.some((bid) => bid !== null) ? [] : [...document.querySelectorAll(".deck > span")].flatMap((line) => [line, " "]);
const shownNotes = ({ penalties, last_round: isLast, substitutes }) =>
  document.querySelectorAll(isLast || penalties.length || substitutes.length ? ".note, .clash" : ".clash");

function shownEnding(game, state) {
  const [winner = "", ...others] = document.querySelectorAll(".now > :is(.winner, .badges, .race-card, .ways, .dock)");
  return { now: [winner, scoreStrip(game, state), ...others], more: document.querySelectorAll(".now ~ :not(#rounds)") };
}

function barValues(game, state, { views, menu }) {
  const isOver = state.phase === "over";
  const length = lengthOf(game.rules, state.players);
  const limit = state.number <= length && length;
  const deals = () => sentence("deals", { name: bdi(game.names[state.dealer]) });
  const who = () => (state.phase === "bidding" ? deals() : sentence("tricks_word"));
  return {
    ...formValues(game, state),
    book: isOver && game.rules.name,
    limit,
    endless: !limit,
    cards: !isOver && game.rules.cards && sentence("cards_each", { n: roundRules(state).tricks }),
    who: !isOver && who(),
    pot: !isOver && pot(game),
    can_redo: game.redo.length > 0 || game.can_redo,
    ...(menu && views?.stepTexts(game)),
    can_misdeal: !isOver && game.rounds.length >= state.number,
    live: text(game.shared ? "on" : "off"),
    rules_name: game.rules.name,
    can_call_last: !isOver && !state.open.last_round,
  };
}

const formValues = (game, { number }) => ({
  game_id: game.id,
  revision: game.revision,
  number,
  can_undo: game.undo.length > 0 || game.can_undo,
});

function middle(game, state, view, end) {
  const { views } = view;
  if (needsDecision(game)) return [scoreStrip(game, state, views), views?.decisionForm(game) ?? ""];
  if (hasConflict(game)) {
    const [entries, buttons] = views?.conflictForm(game) ?? ["", ""];
    return [entries, scoreStrip(game, state, views), buttons];
  }
  if (end) return end;
  const own = ownSeat(state, game);
  const active = activeSeat(state, view.chosen ?? null, own);
  const deck = views ? views.deckNote(game, state) : shownDeck(state.open);
  const entry = { ...formValues(game, state), active, own, deck, blind: view.blind, views };
  return [scoreStrip(game, state, views), entrySection(game, state, entry)];
}
