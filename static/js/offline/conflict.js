// Two entries for a round, side by side, with the totals either way: the table chooses.

import { boardOf, choose, clashes, nothing, roundOf, same } from "./facts.js";
import { both } from "./rounds.js";
import { namesOf } from "./scoreboard.js";
import { bdi, between, joined, listed, mark, minus, part, sentence, shape, text } from "./phrases.js";

/** The first round of which there are two entries, and what to choose between. */
export function conflict(kept) {
  const [n] = clashes(kept);
  const found = [kept.theirs[n], roundOf(kept, n)];
  const totals = [false, true].map((ours) => boardOf(choose(kept, n, ours)).standing.totals);
  const rows = rowsOf(kept, found, totals);
  const names = rows.filter((row) => row.isOther).map((row) => kept.names[row.seats[0]]);
  const piece = part("choose", {
    title: sentence("two_entries", { n }),
    lead: leadOf(names),
    ...headOf(kept, n),
    rows: rows.map(draw),
  });
  const changed = rows.filter((row) => row.totals && row.totals[0] !== row.totals[1]);
  const dock = part("choose-dock", {
    theirs: changed.map((row) => told(row, 0)),
    ours: changed.map((row) => told(row, 1)),
    "can-enter": Boolean(found[0].tricks),
  });
  for (const button of dock.querySelectorAll("button")) mark(button, { "data-round": n });
  return [piece, dock];
}

function leadOf(names) {
  const differ = names.length && sentence("clash_names", { names: listed(names) });
  const said = [sentence("clash"), differ, sentence("clash_choose")];
  return between(said.filter(Boolean), " ");
}

function headOf(kept, n) {
  const { phone, at } = kept.entries?.[n] ?? {};
  const code = same(kept.theirs[n], nothing(kept)) ? "taken_back_at" : "recorded_at";
  const own = kept.entered?.[n];
  return {
    phone: phone ?? text("other_phone"),
    recorded: at && sentence(code, { time: moment(at) }),
    entered: own && sentence("entered_at", { time: moment(own) }),
  };
}

// Each player's two entries with the totals of a player alone; those of partners in a row of their own.
function rowsOf(kept, found, totals) {
  return boardOf(kept).sides.flatMap((seats, side) => {
    const either = totals.map((all) => minus(all[side]));
    const own = seats.length === 1 ? either : null;
    const rows = seats.map((seat) => {
      const entries = found.map((round) => joined([both(round, seat)]));
      const isOther = entries[0].textContent !== entries[1].textContent;
      return { seats: [seat], names: bdi(kept.names[seat]), entries, isOther, totals: own };
    });
    return own ? rows : [...rows, { seats, names: namesOf(kept, seats), totals: either }];
  });
}

function draw({ seats, names, entries, isOther, totals }) {
  const isDifferent = isOther || (totals && totals[0] !== totals[1]);
  const [theirs, ours] = [0, 1].map((at) => {
    const piece = part("choose-cell", {
      differs: isDifferent ? part("differs") : "",
      entry: entries?.[at] ?? "",
      total: totals ? sentence("total", { total: bold(totals[at]) }) : "",
    });
    piece.firstElementChild.classList.toggle("different", Boolean(isDifferent));
    return piece;
  });
  const shapes = entries ? seats.map(shape) : [];
  return part("choose-row", { shapes, names: names.cloneNode(true), theirs, ours });
}

function told({ names, totals }, at) {
  const one = document.createElement("span");
  one.append(names.cloneNode(true), " ", bold(totals[at]));
  return one;
}

function bold(what) {
  const element = document.createElement("b");
  element.append(what);
  return element;
}

// The time of day, with the day unless that is today.
function moment(at) {
  const [then, now] = [new Date(at), new Date()];
  const two = (number) => `${number}`.padStart(2, "0");
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}
