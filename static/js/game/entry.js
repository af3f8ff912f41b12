// Forms of the game page: entries, undo and redo. `app` is the object of app.js.

import { stepFromRequest } from "./steps.js";
import { unsentCount } from "../offline/facts.js";

/**
 * Enter what a form of the game page says, by the path that it would be sent to without scripts. Forms
 * that this phone cannot handle by itself are sent to the server.
 */
export async function enterForm(app, path, fields, data) {
  const [, way] = /\/(undo|redo)$/.exec(path) ?? [];
  const step = stepFromRequest(path, fields);
  if (way && !(await app.current())[way].length) await sendForm(app, path);
  else if (step) await app.enter(step, data);
  else await enterLater(app, path, fields, data);
}

// What is loaded with the views.
async function enterLater(app, path, fields, data) {
  const { noteStep, startRematch } = await app.views();
  const step = noteStep(path, fields);
  if (step) await app.enter(step, data);
  else if (/\/again$/.test(path)) await startRematch(app, path, fields);
}

// A change of the rules is undone by the server, once it has everything.
async function sendForm(app, path) {
  await app.sync();
  const game = await app.current();
  const { post } = await app.online();
  if (!unsentCount(game)) await post(path, { version: game.revision });
  await app.refresh();
}
