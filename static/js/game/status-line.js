// The line that tells how the connection to the server is, and what is not saved.

import { unsaved } from "../offline/db.js";
import { hasConflict } from "../offline/entries.js";
import { needsDecision, unsentCount } from "../offline/facts.js";
import { fragment, intersperse, render, sentence } from "../offline/phrases.js";

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
  if (isAtRisk(games, answers)) texts.push(sentence("unsaved"));
  if (answers === false) texts.push(sentence("alone"));
  else if (typeof answers === "string") texts.push(answers);
  return fragment(intersperse(texts, " "));
}

// Whether anything would be lost with this page, and is not on its way to the server.
const isAtRisk = (games, answers) => unsaved.size > 0 && isSilent(answers) && games.some(unsentCount);
const isSilent = (answers) => answers === false || typeof answers === "string";

/**
 * Return the status line with the number of unsent rounds, or null if there is nothing to say, as
 * while what is unsent is on its way.
 * `isAsking` is whether a decision about rounds that a restored server lacks is due elsewhere.
 */
export function statusLine(games, answers, isMissing = false, isAsking = games.some(needsDecision)) {
  const isStuck = isAtRisk(games, answers) || games.some((game) => game.gone || game.refused);
  const sent = games.filter((game) => !game.gone && !needsDecision(game));
  const n = sent.reduce((sum, game) => sum + unsentCount(game), 0);
  const begun = games.length === 1 && games[0].begin && !games[0].rounds.length;
  const texts = [serverStatus(games, answers, isMissing, isAsking)].filter((one) => one.textContent);
  if (!texts.length) return null;
  if (n) texts.push(begun ? sentence("game_waits") : sentence("waits", { n }));
  return render("line", {
    urgent: isStuck || isAsking || games.some(hasConflict),
    what: fragment(intersperse(texts, " ")),
    save: isStuck && games.length === 1,
    retry: isSilent(answers) || games.some((game) => game.refused),
  });
}
