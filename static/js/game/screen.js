// The game page of the offline app.

import { hasConflict, needsDecision, stateOf } from "../offline/facts.js";
import { activeSeat, entrySection, ownSeat } from "./keypad.js";
import { pot, scoreStrip, tieText } from "./scoreboard.js";
import { bdi, element, fragment, render, sentence, text } from "../offline/phrases.js";

/**
 * Return the children of `<main id="game">` for a game, as the server renders them.
 *
 * Of the `view`, `chosen` is the seat that was tapped, from 0 or null; `error` says why an entry was
 * refused; with `everyRound` the table of rounds shows more than the newest. `known` are the names of the table. `views` are those of views.js, once
 * they are loaded. `line` is the status line, or null.
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
  const now = element(
    "div",
    render("bar", { ...barValues(game, state, views), ...(!isOver && forms()), clock }),
    (hasConflict(game) && !game.refused && views ? null : line) ?? "",
    view.error ? render("message", { message: view.error }) : "",
    tie ? render("tie", { tie }) : "",
    timeUp,
    ...(views ? views.gameNotes(game, state) : shownNotes(state.open)),
    ...middle(game, state, view, end.now),
  );
  now.className = "now";
  const page = fragment([now, views?.restoredNote(game) ?? "", views?.replacedNote(game) ?? ""]);
  page.append(...(end.more ?? []));
  if (state.rounds.length)
    page.append(views ? views.roundsTable(game, state, view) : shownRounds(state.rounds.length));
  return page;
}

// What the server has drawn stays until the views are loaded, as long as it is true.
const shownRounds = (n) => document.querySelector(`#rounds:has([href$="/rounds/${n}"])`) ?? "";
const shownClock = () => [".clock", ".time-up"].map((part) => document.querySelector(part) ?? "");
const shownForm = (id, n) => document.querySelector(`#${id} > form[action*="/rounds/${n}/"]`) ?? "";
const shownForms = ({ number: n }) => ({ penalty: shownForm("penalty", n), seats: shownForm("seats", n) });
const shownDeck = ({ bids, tally }) =>
  tally || bids.some((bid) => bid !== null) ? [] : (document.querySelector(".deck")?.childNodes ?? []);
const shownNotes = ({ penalties, last_round: isLast, substitutes }) =>
  document.querySelectorAll(isLast || penalties.length || substitutes.length ? ".note, .clash" : ".clash");

function shownEnding(game, state) {
  const [winner = "", ...others] = document.querySelectorAll(".now > :is(.winner, .badges, .race-card, .ways, .dock)");
  return { now: [winner, scoreStrip(game, state), ...others], more: document.querySelectorAll(".now ~ :not(#rounds)") };
}

function barValues(game, state, views) {
  const isOver = state.phase === "over";
  const limit = state.number <= game.rules.rounds && game.rules.rounds;
  const deals = () => sentence("deals", { name: bdi(game.names[state.dealer]) });
  const who = () => (state.phase === "bidding" ? deals() : sentence("tricks_word"));
  return {
    ...formValues(game, state),
    book: isOver && game.rules.name,
    limit,
    endless: !limit,
    who: !isOver && who(),
    pot: !isOver && pot(game),
    can_redo: game.redo.length > 0 || game.can_redo,
    ...views?.stepTexts(game),
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
  const deck = views ? views.deckNote(game, state) : [...shownDeck(state.open)];
  const entry = { ...formValues(game, state), active, own, deck, blind: view.blind, views };
  return [scoreStrip(game, state, views), entrySection(game, state, entry)];
}
