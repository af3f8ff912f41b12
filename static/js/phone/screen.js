// The page of a game on the phone, and the line that says how things stand with the server.

import { clashes, boardOf, howMany } from "./facts.js";
import { activeSeat, entry } from "./pad.js";
import { choose, rounds } from "./past.js";
import { said, strip, tie, winner } from "./score.js";
import { bdi, between, joined, part, sentence } from "./words.js";

/** The page of a game. */
export function screenOf(kept, view, line) {
  const board = boardOf(kept);
  const over = board.phase === "over";
  const isClash = clashes(kept).length > 0;
  const active = activeSeat(board, view.chosen ?? null);
  const page = document.createDocumentFragment();
  const head = part("game", {
    title: !over && title(kept, board),
    book: over && kept.rules.name,
    "can-undo": kept.undo.length > 0,
    "can-redo": kept.redo.length > 0,
    "can-misdeal": !over && kept.rounds.length >= board.number,
    said: said(kept, board, active),
    line,
    error: view.error,
    tie: tie(kept, board),
    middle: true,
  });
  const steps = kept.undo.length;
  const play = () => [strip(kept, board), entry(kept, board, active, steps)];
  const dock = () => part("winner-dock", { "can-undo": steps > 0 });
  const end = () => [winner(kept, board), strip(kept, board), dock()];
  const middle = isClash ? [choose(kept)] : over ? end() : play();
  head.querySelector(".middle").replaceWith(...middle);
  page.append(head);
  if (board.rounds.length) page.append(rounds(kept, board));
  return page;
}

function title(kept, board) {
  const small = document.createElement("small");
  const who = sentence("deals", { name: bdi(kept.names[board.dealer]) });
  small.append("· ", board.phase === "bidding" ? who : sentence("tricks_word"));
  return [sentence("round", { n: board.number }), " ", small];
}

/** How things stand: no answer, what waits, what was refused; nothing where all is well. */
export function lineOf(games, answers, isMissing = false) {
  const gone = games.some((kept) => kept.gone);
  const refused = games.find((kept) => kept.refused)?.refused;
  const n = games.filter((kept) => !kept.gone).reduce((sum, kept) => sum + howMany(kept), 0);
  const begun = games.length === 1 && games[0].begin && !games[0].rounds.length;
  const said = [];
  if (isMissing) said.push(sentence("not_kept"));
  if (gone) said.push(sentence("gone"));
  if (refused) said.push(sentence(refused.n ? "refused" : "game_refused", refused));
  else if (games.some((kept) => clashes(kept).length)) said.push(sentence("choose_first"));
  if (answers === false) said.push(sentence("alone"));
  if (n) said.push(begun ? sentence("game_waits") : sentence("waits", { n }));
  if (!said.length) return null;
  const isPressing = gone || refused || games.some((kept) => clashes(kept).length);
  const save = (gone || refused) && games.length === 1;
  const piece = part("line", { what: joined(between(said, " ")), save, try: answers === false });
  if (isPressing) piece.querySelector("#line").className = "message tie";
  return piece;
}
