// The end of a game on the phone: the race as a picture, and the awards.

import { awards } from "./awards.js";
import { race } from "./chart.js";
import { namesOf } from "./scoreboard.js";
import { part, series, signed, text } from "./phrases.js";

export const raceCard = (kept, board) => part("race", { race: race(kept, board) });

/** The awards of a game, or nothing where there are none. */
export function awarded(kept, board) {
  const given = awards(board).map(({ code, sides, n }) =>
    part("award", {
      title: text(`award_${code}`),
      names: series(sides.map((side) => namesOf(kept, board.sides[side]))),
      why: text(`award_${code}_for`, { n, points: signed(n) }),
    }),
  );
  return given.length ? part("awards", { given }) : "";
}
