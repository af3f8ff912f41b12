// The page of a game on the phone, and the line that says how things stand with the server.

import { conflict } from "./conflict.js";
import { clashes, boardOf, howMany } from "./facts.js";
import { awarded, raceCard } from "./summary.js";
import { isUnsaved } from "./db.js";
import { activeSeat, entry } from "./keypad.js";
import { had, rounds } from "./rounds.js";
import { asks, note, question } from "./restored.js";
import { strip, tie, winner } from "./scoreboard.js";
import { bdi, between, joined, mark, part, sentence } from "./phrases.js";

/** The page of a game. */
export function screenOf(kept, view, line) {
  const board = boardOf(kept);
  const over = board.phase === "over";
  const active = activeSeat(board, view.chosen ?? null);
  const page = document.createDocumentFragment();
  const head = part("game", {
    title: !over && title(kept, board),
    book: over && kept.rules.name,
    "can-undo": kept.undo.length > 0,
    "can-redo": kept.redo.length > 0,
    "can-misdeal": !over && kept.rounds.length >= board.number,
    line: isClash(kept) && !kept.refused ? null : line,
    error: view.error,
    tie: tie(kept, board),
    middle: true,
  });
  const steps = kept.undo.length;
  const play = () => [strip(kept, board), entry(kept, board, active, steps)];
  const dock = () => part("winner-dock", { "can-undo": steps > 0 });
  const end = () => [winner(kept, board), strip(kept, board), raceCard(kept, board), dock()];
  const choice = () => {
    const [entries, buttons] = conflict(kept);
    return [entries, strip(kept, board), buttons];
  };
  const asked = () => [strip(kept, board), question(kept)];
  const settled = () => (isClash(kept) ? choice() : over ? end() : play());
  const middle = asks(kept) ? asked() : settled();
  mark(head.querySelector("[data-act=rules]"), { href: `/games/${kept.id}/rules` });
  head.querySelector(".middle").replaceWith(...middle);
  page.append(head, note(kept) ?? "", had(kept) ?? "", over ? awarded(kept, board) : "");
  if (board.rounds.length) page.append(rounds(kept, board));
  return page;
}

function title(kept, board) {
  const small = document.createElement("small");
  const who = sentence("deals", { name: bdi(kept.names[board.dealer]) });
  small.append("· ", board.phase === "bidding" ? who : sentence("tricks_word"));
  return [sentence("round", { n: board.number }), " ", small];
}

const isClash = (kept) => clashes(kept).length > 0;

/**
 * How things stand with the server, but for what waits: no answer, or why it does not take what is
 * sent (`answers` is then its sentence), and what was refused. Nothing where all is well.
 */
export function standing(games, answers, isMissing = false, isAsking = games.some(asks)) {
  const refused = games.find((kept) => kept.refused)?.refused;
  const said = [];
  if (isMissing) said.push(sentence("not_kept"));
  if (games.some((kept) => kept.gone)) said.push(sentence("gone"));
  if (refused) said.push(sentence(refused.n ? "refused" : "game_refused", refused));
  else if (isAsking) said.push(sentence("restored"));
  else if (games.some(isClash)) said.push(sentence("choose_first"));
  if (isUnsaved() && games.some(howMany)) said.push(sentence("unsaved"));
  if (answers === false) said.push(sentence("alone"));
  else if (typeof answers === "string") said.push(answers);
  return joined(between(said, " "));
}

/**
 * The line that says how things stand, and how much waits; `isAsking` is whether the table is to
 * choose elsewhere what happens to rounds that a restored server lacks.
 */
export function lineOf(games, answers, isMissing = false, isAsking = games.some(asks)) {
  const isAlone = isUnsaved() && games.some(howMany); // and would go with this page
  const isStuck = isAlone || games.some((kept) => kept.gone || kept.refused);
  const sent = games.filter((kept) => !kept.gone && !asks(kept));
  const n = sent.reduce((sum, kept) => sum + howMany(kept), 0);
  const begun = games.length === 1 && games[0].begin && !games[0].rounds.length;
  const said = [standing(games, answers, isMissing, isAsking)].filter((one) => one.textContent);
  if (n) said.push(begun ? sentence("game_waits") : sentence("waits", { n }));
  if (!said.length) return null;
  const isSilent = answers === false || typeof answers === "string";
  const piece = part("line", {
    what: joined(between(said, " ")),
    save: isStuck && games.length === 1,
    try: isSilent || games.some((kept) => kept.refused),
  });
  if (isStuck || isAsking || games.some(isClash)) piece.querySelector("#line").className = "message tie";
  return piece;
}
