// The word for a bid, where this page shows other games than the one that it was opened for.

import { phraseData } from "./phrases.js";
import { loadShell } from "./shell.js";

/** Use the word of a game's rule book, or "bid" where no game is shown. */
export async function useWordsOf(game) {
  const word = game && phraseData.calls.includes(game.rules.key) ? "call" : "bid";
  if (word !== phraseData.bid) await loadShell(word).catch(() => {}); // else it is shown with the other
}
