// The page of a past round in the app: how it was scored, and the form to correct it.

import { possibleBids } from "../rules/engine.js";
import { namesOf, reasonLines } from "./scoreboard.js";
import { bdi, bidWord, element, minus, render, setAttributes, shape, signed, text } from "../offline/phrases.js";

/** Return the page of a round: how it was scored, and the form to correct it. */
export function roundPage(game, state, n, typed, error) {
  const round = state.rounds[n - 1];
  const scores = state.sides.map((seats, side) =>
    render("score-card", {
      names: namesOf(game, seats),
      points: signed(round.scores[side].points, state.rules.shown_as),
      lines: reasonLines(state, round, side),
      total: minus(round.after.totals[side], state.rules.shown_as),
    }),
  );
  const rows = game.names.map((_name, seat) => correctRow(game, state, round, seat, typed));
  return render("past", { n, error, scores, rows });
}

function correctRow(game, state, round, seat, typed) {
  const name = game.names[seat];
  const bids = possibleBids(state.rules).map((bid) => [`${bid}`, bidWord(bid)]);
  const counts = Array.from({ length: state.rules.tricks + 1 }, (_, n) => [`${n}`, `${n}`]);
  const field = (what, choices, now) => {
    const key = `${what}-${seat + 1}`;
    const label = text(what === "bid" ? "bid_of" : "tricks_of", { name });
    return select(key, label, choices, typed?.get(key) ?? `${now}`);
  };
  return render("correct-row", {
    shape: shape(seat),
    name: bdi(name),
    bid: round.bids[seat] === null ? "–" : field("bid", bids, round.bids[seat]),
    tricks: field("tricks", counts, round.tricks[seat]),
  });
}

function select(name, label, choices, chosen) {
  const field = setAttributes(element("select"), { name, "aria-label": label });
  for (const [value, shown] of choices) field.add(new Option(shown, value, false, value === chosen));
  return field;
}
