// The views beside a game that is played, sent as one file apart from those that it needs at once. The
// styles of some of them come with the server's pages of their kind, or from here.

import { keepUpToDate } from "./background.js";
import { gameListPage, newGamePage } from "./home.js";
import { decisionForm, restoredNote } from "./restored-form.js";
import { useWordsOf } from "./words.js";
import { correctRound, runAction, startGame, startRematch } from "../game/actions.js";
import { clock } from "../game/clock.js";
import { conflictForm, gameNotes } from "../game/conflict.js";
import { startCountdown } from "../game/countdown.js";
import { deckNote } from "../game/deck-note.js";
import { ending } from "../game/ending.js";
import { explanations, sideHints } from "../game/explanations.js";
import { menuForms, noteStep } from "../game/menu-forms.js";
import { stepTexts } from "../game/menu-texts.js";
import { roundPage } from "../game/round-page.js";
import { replacedNote, roundsTable } from "../game/rounds.js";
import { rulesPage } from "../rules/rules-page.js";

export {
  clock, conflictForm, correctRound, decisionForm, deckNote, ending, explanations, gameListPage, gameNotes,
  keepUpToDate, menuForms, newGamePage, noteStep, replacedNote, restoredNote,
  roundPage, roundsTable, rulesPage, runAction, sideHints, startGame, startRematch, stepTexts, useWordsOf,
};

const isHere = (id) => document.getElementById(id);

function linkStyles(...names) {
  for (const name of names) {
    const href = new URL(`../../css/${name}.css`, import.meta.url);
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  }
}

linkStyles("clock");
if (!isHere("start-style")) {
  if (!isHere("page-style")) linkStyles("pages", "end");
  linkStyles("cards", "home", "new-game");
}
startCountdown();
