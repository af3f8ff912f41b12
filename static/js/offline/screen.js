// The game page of the offline app, and the status line about the connection to the server.

import { conflictForm } from "./conflict.js";
import { hasConflict, stateOf, unsentCount } from "./facts.js";
import { awardsSection, raceCard } from "./summary.js";
import { isUnsaved } from "./db.js";
import { activeSeat, entrySection } from "./keypad.js";
import { overruledNote, roundsTable } from "./rounds.js";
import { decisionForm, needsDecision, restoredNote } from "./restored.js";
import { scoreStrip, tieText, winnerCard } from "./scoreboard.js";
import { bdi, fragment, intersperse, render, sentence, setAttributes } from "./phrases.js";

/** Return the page of a game. */
export function gamePage(game, view, line) {
  const state = stateOf(game);
  const over = state.phase === "over";
  const active = activeSeat(state, view.chosen ?? null);
  const page = document.createDocumentFragment();
  const head = render("game", {
    title: !over && title(game, state),
    book: over && game.rules.name,
    "can-undo": game.undo.length > 0,
    "can-redo": game.redo.length > 0,
    "can-misdeal": !over && game.rounds.length >= state.number,
    line: hasConflict(game) && !game.refused ? null : line,
    error: view.error,
    tie: tieText(game, state),
    middle: true,
  });
  const steps = game.undo.length;
  const play = () => [scoreStrip(game, state), entrySection(game, state, active, steps)];
  const dock = () => render("winner-dock", { "can-undo": steps > 0 });
  const end = () => [winnerCard(game, state), scoreStrip(game, state), raceCard(game, state), dock()];
  const choice = () => {
    const [entries, buttons] = conflictForm(game);
    return [entries, scoreStrip(game, state), buttons];
  };
  const asked = () => [scoreStrip(game, state), decisionForm(game)];
  const settled = () => (hasConflict(game) ? choice() : over ? end() : play());
  const middle = needsDecision(game) ? asked() : settled();
  setAttributes(head.querySelector("[data-action=rules]"), { href: `/games/${game.id}/rules` });
  head.querySelector(".middle").replaceWith(...middle);
  page.append(head, restoredNote(game) ?? "", overruledNote(game) ?? "");
  if (over) page.append(awardsSection(game, state));
  if (state.rounds.length) page.append(roundsTable(game, state));
  return page;
}

function title(game, state) {
  const small = document.createElement("small");
  const who = sentence("deals", { name: bdi(game.names[state.dealer]) });
  small.append("· ", state.phase === "bidding" ? who : sentence("tricks_word"));
  return [sentence("round", { n: state.number }), " ", small];
}

/**
 * Return the status of the connection, without the number of unsent rounds; empty if all is well.
 * `answers` is whether the server answered last, or its sentence why it takes no requests.
 */
export function serverStatus(games, answers, isMissing = false, isAsking = games.some(needsDecision)) {
  const refused = games.find((game) => game.refused)?.refused;
  const texts = [];
  if (isMissing) texts.push(sentence("not_kept"));
  if (games.some((game) => game.gone)) texts.push(sentence("gone"));
  if (refused) texts.push(sentence(refused.n ? "refused" : "game_refused", refused));
  else if (isAsking) texts.push(sentence("restored"));
  else if (games.some(hasConflict)) texts.push(sentence("choose_first"));
  if (isUnsaved() && games.some(unsentCount)) texts.push(sentence("unsaved"));
  if (answers === false) texts.push(sentence("alone"));
  else if (typeof answers === "string") texts.push(answers);
  return fragment(intersperse(texts, " "));
}

/**
 * Return the status line with the number of unsent rounds, or null if there is nothing to say.
 * `isAsking` is whether a decision about rounds that a restored server lacks is due elsewhere.
 */
export function statusLine(games, answers, isMissing = false, isAsking = games.some(needsDecision)) {
  const isAlone = isUnsaved() && games.some(unsentCount); // and would be lost with this page
  const isStuck = isAlone || games.some((game) => game.gone || game.refused);
  const sent = games.filter((game) => !game.gone && !needsDecision(game));
  const n = sent.reduce((sum, game) => sum + unsentCount(game), 0);
  const begun = games.length === 1 && games[0].begin && !games[0].rounds.length;
  const texts = [serverStatus(games, answers, isMissing, isAsking)].filter((one) => one.textContent);
  if (n) texts.push(begun ? sentence("game_waits") : sentence("waits", { n }));
  if (!texts.length) return null;
  const isSilent = answers === false || typeof answers === "string";
  const piece = render("line", {
    what: fragment(intersperse(texts, " ")),
    save: isStuck && games.length === 1,
    try: isSilent || games.some((game) => game.refused),
  });
  if (isStuck || isAsking || games.some(hasConflict)) piece.querySelector("#line").className = "message tie";
  return piece;
}
