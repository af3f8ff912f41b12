// Between the app of a table and the server: sending what was tapped, and leaving the app for pages of
// the server. `app` is the object of app.js.

import {
  initConnection, isSyncing, retry, serverAnswers, sync, syncBriefly,
} from "./connection.js";
import { getAll, unsaved, update } from "./db.js";
import { extendTimeout, register, reloadOnUpdate } from "./install.js";
import { enqueue } from "../game/input.js";
import { route } from "../game/route.js";

/** Begin to send what is unsent. `isServed` is whether this page has just come from the server. */
export async function connect(app, isServed) {
  const changed = () => onAttempt(app);
  const polled = () => app.view.name !== "game";
  initConnection({ changed, polled, isServed });
  await enqueue(app.draw);
  sync();
  // Nothing is being edited, read or sent, or in memory only.
  register(() => !isSyncing() && !app.isEditing() && !unsaved.size);
  reloadOnUpdate();
}

async function onAttempt(app) {
  await app.draw();
  if (serverAnswers() === true) await leaveWhatIsServed(app);
}

// Lists and missing games of this phone give way to the server's pages.
async function leaveWhatIsServed(app) {
  const { view } = app;
  if (app.isEditing() || (view.name === "game" && (await app.current()))) return;
  if (view.name === "list" && location.pathname !== "/phone") {
    extendTimeout();
    location.replace("/");
  } else if (view.name === "game") {
    extendTimeout();
    location.reload();
  }
}

/**
 * Leave for another page of the server once nothing is unsent; without a server show what the phone has
 * of that page.
 */
export async function openPage(app, href) {
  const url = new URL(href, location);
  const next = route(url);
  if (app.hasUnsent || serverAnswers() !== true) await syncBriefly();
  if (href.endsWith(".csv") && !(await app.isServed()))
    return (await app.views()).runAction(app, "save", {});
  const hasView = next.id ? next.name !== "game" : url.pathname === "/";
  if (hasView && !(await app.isServed())) return app.show(next, href);
  return location.assign(href);
}

/** Send again what was refused too, and end the wait that the server asked for. */
export async function retryRefused() {
  for (const { id } of (await getAll("game/")).filter((game) => game.refused))
    await update(`game/${id}`, (game) => ({ ...game, refused: null }));
  await retry();
}
