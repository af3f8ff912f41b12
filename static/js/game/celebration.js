// Confetti where a game ends on this page.

let unfinished; // the id of the game that was last shown, unless it was over

/** Celebrate the end of a game that is shown, if it was played when it was shown before. */
export function celebrateEnd({ id }) {
  const won = document.getElementById("won");
  if (won && unfinished === id)
    import("./confetti.js").then(({ celebrate }) => celebrate(won), () => {});
  unfinished = won ? null : id;
}
