// The views beside a game that is played, sent as one file apart from those that it needs at once. The
// styles of some of them come with the server's pages of their kind, or from here.

import { keepUpToDate } from "./background.js";
import { saveCsv } from "./csv.js";
import { gameListPage, newGamePage } from "./home.js";
import { gameFromForm, rematch } from "./new-game.js";
import { roundPage } from "../game/round-page.js";
import { rulesPage } from "../rules/rules-page.js";
import { summary } from "../game/summary.js";

export {
  gameFromForm, gameListPage, keepUpToDate, newGamePage, rematch, roundPage, rulesPage,
  saveCsv, summary,
};

const STYLES = ["cards", "home", "new-game"];

for (const name of document.getElementById("start-style") ? [] : STYLES) {
  const href = new URL(`../../css/${name}.css`, import.meta.url);
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}
