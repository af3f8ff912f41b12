// Entry point of the app, by the page it runs on: a game as the server has drawn it, the shell that the
// service worker shows where the server does not answer, or any other page.

import { mount, route } from "../game/app.js";
import { takeOverPage } from "../game/page.js";
import { loadShell } from "./shell.js";

const facts = document.getElementById("game-facts");
if (facts) {
  takeOverPage(JSON.parse(facts.textContent), facts.dataset.pieces);
} else if (document.getElementById("phone-words")) {
  loadShell();
  mount(document.getElementById("game"), route(location));
  import("../table/settings.js").catch(() => {});
  import("../game/motion.js").catch(() => {});
} else {
  import("./views.js").then(({ keepUpToDate }) => keepUpToDate(), () => {});
}
