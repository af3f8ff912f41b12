// Rounds that were played, on the phone: the sheet, one round with its correction.

import { calls } from "../rules/engine.js";
import { race as drawRace } from "./chart.js";
import { lines, namesOf, pastPath } from "./scoreboard.js";
import { bdi, between, bidWord, joined, mark, minus, part, sentence, shape, signed, text } from "./phrases.js";

/** The sheet of all rounds, the newest on top. */
export function rounds(kept, board) {
  const head = (name, seat) => part("head", { shape: shape(seat), name: bdi(name) });
  const rows = board.rounds.map((round) => row(kept, board, round)).reverse();
  const race = board.phase !== "over" && drawRace(kept, board);
  return part("rounds", { heads: [part("corner"), ...kept.names.map(head)], race, rows });
}

function row(kept, board, round) {
  const piece = part("row", { n: `${round.number}` });
  mark(piece.querySelector("a"), {
    href: pastPath(kept, round.number),
    "data-round": round.number,
    "aria-label": text("correct_round", { n: round.number }),
  });
  kept.names.forEach((_, seat) => {
    const side = board.sides.findIndex((seats) => seats.includes(seat));
    const isFirst = board.sides[side][0] === seat;
    const cell = part("cell", {
      bid: bidWord(round.bids[seat]) || "·",
      took: `${round.tricks[seat]}`,
      total: isFirst && minus(round.after.totals[side]),
    });
    piece.querySelector("tr").append(cell);
  });
  return piece;
}

/** One round: why each number, and the form to correct it. */
export function past(kept, board, n, typed, error) {
  const round = board.rounds[n - 1];
  const explained = board.sides.map((seats, side) =>
    part("explained", {
      names: namesOf(kept, seats),
      points: signed(round.scores[side].points),
      lines: [...lines(board, round, side), total(round, side)],
    }),
  );
  const rows = kept.names.map((_name, seat) => correctRow(kept, board, round, seat, typed));
  const piece = part("past", { title: sentence("round", { n }), error, explained, rows });
  mark(piece.querySelector("form"), { "data-round": n });
  return piece;
}

const total = (round, side) => sentence("total", { total: minus(round.after.totals[side]) });

function correctRow(kept, board, round, seat, typed) {
  const name = kept.names[seat];
  const bids = calls(board.rules).map((bid) => [`${bid}`, bidWord(bid)]);
  const counts = Array.from({ length: board.rules.tricks + 1 }, (_, n) => [`${n}`, `${n}`]);
  const field = (what, choices, now) => {
    const key = `${what}-${seat + 1}`;
    const label = text(what === "bid" ? "bid_of" : "tricks_of", { name });
    return select(key, label, choices, typed?.get(key) ?? `${now}`);
  };
  return part("correct-row", {
    shape: shape(seat),
    name: bdi(name),
    bid: round.bids[seat] === null ? "–" : field("bid", bids, round.bids[seat]),
    tricks: field("tricks", counts, round.tricks[seat]),
  });
}

export function select(name, label, choices, chosen) {
  const field = mark(document.createElement("select"), { name, "aria-label": label });
  for (const [value, shown] of choices) field.add(new Option(shown, value, false, value === chosen));
  return field;
}

/** What this phone had of rounds for which another entry was taken, until somebody removes it. */
export function had(kept) {
  if (!kept.had?.length) return null;
  const rounds = kept.had.map(({ n, round }) => {
    const line = document.createElement("p");
    const seats = kept.names.map((name, seat) => joined([bdi(name), " ", both(round, seat)]));
    line.append(sentence("had", { n, entries: joined(between(seats, " · ")) }));
    return line;
  });
  return part("had", { rounds });
}

export const forgetHad = (kept) => ({ ...kept, had: [] });

/** What a seat bid and took. */
export function both(round, seat) {
  const [bid, n] = [bidWord(round.bids[seat]), (round.tricks ?? round.tally)?.[seat] ?? null];
  if (bid && n !== null) return sentence("bid_took", { bid, n });
  if (n !== null) return sentence("took", { n });
  return bid ? sentence("bid", { bid }) : "–";
}
