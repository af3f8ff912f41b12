// The clock of a game with a time limit, and the proposal to make the round the last one.

import { isShort, isUp, minutesLeft, serverNow, WARNING } from "./countdown.js";
import { render, text } from "../offline/phrases.js";

const MINUTE = 60000; // ms

/** Return both as they are at a time, given `form` for the form; empty where there is none. */
export function clock({ started, rules }, { open, phase }, form, now = serverNow()) {
  if (!rules.minutes || phase === "over") return ["", ""];
  const end = Date.parse(started) + rules.minutes * MINUTE;
  const left = minutesLeft(end, now);
  const shown = left > 0 ? text("minutes_left", { n: left }) : isUp(left) && text("time_up");
  const warning = text("minutes_warning", { n: WARNING });
  const values = { ...form, time_is_left: !isUp(left) };
  return [
    render("clock", { end, shown, warning, is_short: isShort(left) }),
    open.last_round ? "" : render("time-up", values),
  ];
}
