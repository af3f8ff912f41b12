// End of a game: the chart of the totals, and the awards.

import { awards } from "./awards.js";
import { race } from "./chart.js";
import { namesOf } from "./scoreboard.js";
import { render, series, signed, text } from "./phrases.js";

export const raceCard = (game, state) => render("race-card", { race: race(game, state) });

/** Return the section of awards, or "" if there are none. */
export function awardsSection(game, state) {
  const given = awards(state).map(({ code, sides, n }) =>
    render("award", {
      title: text(`award_${code}`),
      names: series(sides.map((side) => namesOf(game, state.sides[side]))),
      why: text(`award_${code}_for`, { n, points: signed(n) }),
    }),
  );
  return given.length ? render("awards", { awards: given }) : "";
}
