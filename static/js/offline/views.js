// The views beside a game that is played, sent as one file apart from those that it needs at once.

import { keepUpToDate } from "./background.js";
import { saveCsv } from "./csv.js";
import { gameListPage, newGamePage } from "./home.js";
import { gameFromForm, rematch } from "./new-game.js";
import { roundPage } from "./round-page.js";
import { rulesPage } from "./rules-page.js";
import { summary } from "./summary.js";

export {
  gameFromForm, gameListPage, keepUpToDate, newGamePage, rematch, roundPage, rulesPage,
  saveCsv, summary,
};
