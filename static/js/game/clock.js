// The clock of a game with a time limit, and the proposal to make the round the last one.

import { isShort, isUp, MINUTE, minutesLeft, serverTime, WARNING } from "./countdown.js";
import { render, text } from "../offline/phrases.js";

/** Return the clock and the proposal, in which `form` is the form, at a time; empty without a clock. */
export function clock({ begin, started, rules }, { open, phase }, form, now = serverTime()) {
  if (!rules.minutes || phase === "over") return ["", ""];
  const own = Date.parse(started);
  // A game that the server does not have was begun by the clock of this phone. One of the future began
  // before a clock was set back.
  const end = Math.min(begin ? serverTime(own) : own, now) + rules.minutes * MINUTE;
  const left = minutesLeft(end, now);
  const shown = left > 0 ? text("minutes_left", { n: left }) : isUp(left) && text("time_up");
  const warning = text("minutes_warning", { n: WARNING });
  const values = { ...form, time_is_left: !isUp(left) };
  return [
    render("clock", { end, shown, warning, is_short: isShort(left) }),
    open.last_round ? "" : render("time-up", values),
  ];
}
