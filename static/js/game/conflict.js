// What the players decide: between two entries for a round, and about rounds that a restored server lacks.

import { conflictLine, conflictsElsewhere } from "./announcement.js";
import { roundLines, roundNotes } from "./notes.js";
import { entriesLine, entryLines, entryText } from "./rounds.js";
import { namesOf, shapesOf } from "./scoreboard.js";
import {
  conflicts, emptyRound, isSame, namesIn, needsDecision, normalize, replaceRound, roundOf, stateOf,
  unsentRounds,
} from "../model/facts.js";
import { isReopened } from "../model/merge.js";
import {
  bdi, element, fragment, intersperse, listed, minus, render, sentence, text,
} from "../draw/phrases.js";
import { notesOf } from "../rules/game.js";

/** Return the table of the first conflict, and the buttons to choose between both entries. */
export function conflictForm(played) {
  const [n] = conflicts(played);
  const rounds = [played.theirs[n], roundOf(played, n)];
  const game = { ...played, names: namesIn(played, haveSameSeats(rounds) ? n : n - 1) };
  const totals = [false, true].map((ours) => stateOf(resolveConflict(game, n, ours)).standing.totals);
  const rows = entryRows(game, n, rounds, totals);
  const names = rows.filter((row) => row.isOther).map((row) => game.names[row.seats[0]]);
  const piece = render("choose", {
    n,
    lead: differText(names),
    entries: render("two-entries", { ...entryHeads(game, n), rows: rows.map((row) => renderRow(game, row)) }),
  });
  const changed = rows.filter((row) => row.totals && row.totals[0] !== row.totals[1]);
  const dock = render("choose-dock", {
    n,
    theirs: changed.map((row) => totalLine(row, 0)),
    ours: changed.map((row) => totalLine(row, 1)),
    can_enter: Boolean(rounds[0].tricks),
  });
  return [piece, dock];
}

/** Return the notes of the round that is played, and of conflicts that other phones wait with. */
export function gameNotes(game, state) {
  return [...roundNotes(game, state), ...conflictsElsewhere(game).map((one) => conflictNote(game, one))];
}

function conflictNote(game, { phone, n, saved, round }) {
  const [ours, theirs] = [saved, round].map((entry) => entryLines(game, n, entry));
  return render("conflict", {
    said: conflictLine({ phone, n }),
    saved: sentence("saved_entries", { entries: otherLines(ours, theirs) }),
    theirs: sentence("unsaved_entries", { entries: otherLines(theirs, ours) }),
  });
}

function otherLines(lines, others) {
  const known = others.map((line) => line.textContent);
  return fragment(intersperse(lines.filter((line) => !known.includes(line.textContent)), " · "));
}

function differText(names) {
  const differ = names.length && sentence("clash_names", { names: listed(names) });
  const texts = [sentence("clash"), differ, sentence("clash_choose")];
  return intersperse(texts.filter(Boolean), " ");
}

function entryHeads(game, n) {
  const { phone, at } = game.entries?.[n] ?? {};
  const code = isSame(game.theirs[n], emptyRound(game)) ? "taken_back_at" : "recorded_at";
  const own = game.entered?.[n];
  return {
    phone: phone ?? text("other_phone"),
    recorded: at && sentence(code, { time: formatTime(at) }),
    sent: own && sentence("entered_at", { time: formatTime(own) }),
  };
}

const haveSameSeats = ([theirs, ours]) =>
  JSON.stringify(notesOf(theirs).substitutes) === JSON.stringify(notesOf(ours).substitutes);

// A row for each player; totals stand in it, or for partners in a row of their own.
function entryRows(game, n, rounds, totals) {
  const notes = rounds.map((round) => roundLines(game, n, round));
  return stateOf(game).sides.flatMap((seats, side) => {
    const both = totals.map((all) => minus(all[side], game.rules.shown_as));
    const own = seats.length === 1 ? both : null;
    const rows = seats.map((seat) => {
      const entries = rounds.map((round, at) => {
        const own = notes[at].filter((note) => note.seat === seat);
        return fragment([entryText(round, seat), ...own.map(({ line }) => element("div", line))]);
      });
      const isOther = entries[0].textContent !== entries[1].textContent;
      return { seats: [seat], names: bdi(game.names[seat]), entries, isOther, totals: own };
    });
    return own ? rows : [...rows, { seats, names: namesOf(game, seats), totals: both }];
  });
}

function renderRow(game, { seats, names, entries, isOther, totals }) {
  const differs = Boolean(isOther || (totals && totals[0] !== totals[1]));
  const cells = [0, 1].map((at) =>
    render("entry-cell", { entry: entries?.[at], total: totals?.[at], differs }),
  );
  return render("entry-row", { faces: entries && shapesOf(game, seats), names: names.cloneNode(true), cells });
}

function totalLine({ names, totals }, at) {
  return element("span", names.cloneNode(true), " ", element("b", totals[at]));
}

// Local time, preceded by the date unless that is today.
function formatTime(at) {
  const [then, now] = [new Date(at), new Date()];
  const two = (number) => `${number}`.padStart(2, "0");
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

/** Resolve the conflict of a round in favour of this phone's entry (`ours`) or the server's. */
export function resolveConflict(game, n, ours) {
  const { [n]: now, ...theirs } = game.theirs;
  const base = [...game.base];
  while (base.length < n) base.push(emptyRound(game));
  base[n - 1] = now;
  const resolved = { ...game, base, theirs, queue: null, refused: null, tag: "" }; // fetch what followed it, too
  if (ours) return normalize(resolved);
  resolved.had = [...(game.had ?? []), { n, round: roundOf(game, n) }];
  if (isSame(now, emptyRound(game))) {
    // The server removed the round: later rounds of this phone move up.
    const rounds = game.rounds.filter((_, at) => at !== n - 1);
    return normalize({ ...resolved, rounds, undo: [], redo: [] });
  }
  if (isReopened(game.base[n - 1] ?? now, now)) return takeReopened(resolved, n, now);
  const isLast = n >= game.rounds.length;
  const taken = isLast || now.tricks ? now : fillRound(now, roundOf(game, n));
  return { ...replaceRound(resolved, n, taken), undo: [...game.undo, [n, roundOf(game, n)]], redo: [] };
}

// Rounds that this phone played on from the reopened one are replaced with it.
function takeReopened(game, n, now) {
  const later = game.rounds.slice(n).map((round, at) => ({ n: n + 1 + at, round }));
  const had = [...game.had, ...later.filter(({ round }) => !isSame(round, emptyRound(game)))];
  const rounds = [...game.rounds.slice(0, n - 1), now];
  return normalize({ ...game, rounds, theirs: {}, had, undo: [], redo: [] });
}

const fillRound = (now, own) => ({
  bids: now.bids.map((bid, seat) => bid ?? own.bids[seat]),
  tricks: own.tricks,
  tally: null,
  ...notesOf(now),
});

/** Return the form in which the players decide what happens to the rounds that the server lacks, shown instead of the keypad. */
export function decisionForm(game) {
  const numbers = unsentRounds(game).filter((n) => n <= game.rounds.length);
  const said = game.begin ? sentence("game_lost") : sentence("rounds_lost", { n: numbers.length });
  return render("restored", {
    said,
    rules: game.restored.rules && sentence("rules_restored"),
    rounds: numbers.map((n) => entriesLine(game, n, roundOf(game, n))),
    keep: !game.begin,
    remove: Boolean(game.begin),
  });
}

/** Return a note of the restored server, or null if there is none or a decision is due. */
export function restoredNote(game) {
  if (!game.restored || needsDecision(game)) return null;
  return render("restored-note", { rules: game.restored.rules && sentence("rules_restored") });
}
