// Entry point of the app, by the page it runs on: a game as the server has drawn it, the shell that the
// service worker shows where the server does not answer, or any other page.

import { mount } from "../game/app.js";
import { loadExtras, loadViews } from "../game/loading.js";
import { takeOverPage } from "../game/page.js";
import { route } from "../game/route.js";

const facts = document.getElementById("game-facts");
if (facts) {
  takeOverPage(JSON.parse(facts.textContent), facts.dataset.pieces);
} else if (document.getElementById("phone-words")) {
  const start = () => mount(document.getElementById("game"), route(location));
  loadViews().then(start, start);
  loadExtras();
} else {
  import("./views.js").then(({ keepUpToDate }) => keepUpToDate(mount), () => {});
}
