// The menu of a game: the forms for a penalty, points, notes and seats, and what it says of undo and redo.

import { winningSeats } from "./announcement.js";
import { entryStep } from "./app.js";
import { namesOf, shapesOf } from "./scoreboard.js";
import { plainDigits } from "./setup.js";
import { countsOf, emptyRound, enter, faceOf, namesIn, roundOf, scoredKey, stateOf } from "../model/facts.js";
import { bdi, bidWord, fragment, minus, part, phraseData, piece, render, sentence, text } from "../draw/phrases.js";
import { knownSpelling } from "../players/names.js";
import { roundRules } from "../rules/bidding.js";
import { notesOf } from "../rules/game.js";
import {
  callLastRound, cardsRange, checkRemarks, dealCards, endingNow, endNow, givePenalty, misdeal, sizesOf, swapSeats, takeSeat,
} from "../rules/notes.js";
import { winnersOf } from "../rules/outcome.js";
import { seatsIn, takenSeats } from "../rules/seating.js";

const OFFERED_AFTER = 2; // rounds, sounds are
const MOST_SHOWN = 12; // names to tap

/** Return the name of a rule book as it is said here, that of own rules as it is. */
export const bookName = ({ name }) => phraseData.book_names?.[name] ?? name;

/** Return the parts of the menu; `values` are those of every form, `menu` and `known` as in gamePage. */
export function menuList(game, state, values, { menu, known }) {
  const isOver = state.phase === "over";
  return piece("menu-list", {
    ...values,
    can_redo: game.redo.length > 0 || game.can_redo,
    ...(menu && stepTexts(game)),
    can_misdeal: !isOver && game.rounds.length >= state.number,
    is_own: !game.kept,
    live: text(game.shared ? "on" : "off"),
    rules_name: bookName(game.rules),
    from_paper: roundOf(game, 1).start?.length > 0,
    can_call_last: !isOver && !state.open.last_round,
    has_acts: !isOver || game.redo.length > 0 || game.can_redo,
    can_penalize: !isOver,
    offers_sound: game.rounds.length >= OFFERED_AFTER,
    again: !isOver && state.rounds.length > 0 && text("round_again", { n: state.rounds.at(-1).number }),
    ...endAsked(game, state, values),
    ...menuForms(game, state, values, known),
  });
}

// Who wins if the game ends with what is scored, where it can, and what is asked before that.
function endAsked(game, state, values) {
  const ending = endingNow(state);
  if (!ending) return {};
  const line = () => fragment([endText(game, ending), ...dropped(ending).flatMap((one) => [" ", one])]);
  const rows = () => endRows(game, ending.state);
  const asked = { ...values, last: state.rounds.length, line: line(), rows: rows() };
  return { ends_now: line(), end_asked: piece("end-asked", asked, () => ({ line: line(), rows: rows() })) };
}

function endText(game, { state }) {
  const seats = winningSeats(state);
  const total = minus(state.standing.totals[state.outcome.winner], state.rules.shown_as);
  return sentence("wins_with", { names: namesOf(game, seats), n: seats.length, total });
}

function dropped({ state, bids, drops }) {
  if (bids) return [sentence("drops_bids", { n: bids })];
  return drops ? [sentence("drops_round", { n: state.number + 1 })] : [];
}

const endRows = (game, { places, sides, standing, outcome, rules }) =>
  [...sides.keys()].sort((one, other) => places[one] - places[other]).map((side) =>
    render("end-row", {
      place: places[side],
      color: faceOf(game, sides[side][0]).color,
      faces: shapesOf(game, sides[side]),
      names: namesOf(game, sides[side]),
      total: minus(standing.totals[side], rules.shown_as),
      wins: winnersOf(outcome).includes(side),
    }),
  );

/**
 * Return the forms of the menu, with the `values` of every form; after the end of a game only those for
 * notes. The names of the table can be tapped, once they are `known`.
 */
function menuForms(game, state, values, known = []) {
  const note = noteForms(game, values);
  if (state.phase === "over") return { note };
  const scored = [scoredKey(game, state), state.standing.seats];
  return {
    penalty: form("penalty", "penalty", scored, () => penaltyForm(state, values)),
    points: form("points", "points", scored, () => render("points", { ...values, players: playersIn(state.standing) })),
    seats: [
      form("seats", "seats", [scored, known], () => seatsForm(game, state, values, known)),
      form("seats", "swap", scored, () => render("swap", { ...values, players: playersIn(state.standing, "swap-player") })),
    ],
    note,
    ...(state.rules.cards && { cards: cardsForm(state, values) }),
  };
}

const keys = {}; // of the forms that are shown

// A form of a group of the menu, built anew once what its key holds has changed; but while somebody types in the
// group, it stays.
function form(group, kind, key, build) {
  const isInUse = document.querySelector(`#menu[open] #${group} :focus`);
  if (!isInUse || !keys[kind]) keys[kind] = `${kind} ${JSON.stringify(key)}`;
  return part(keys[kind], () => build().querySelector("form"));
}

function cardsForm(state, values) {
  const dealt = { ...values, cards: roundRules(state).tricks, ...cardsRange(state.rules, state.players) };
  return form("cards", "cards", dealt, () => render("cards-form", dealt));
}

// One for the round that is played, or was the last, and one for the game, whose note is in round 1.
function noteForms(game, values) {
  const { number: n } = values;
  const of = (number, label, field) => {
    const written = notesOf(roundOf(game, number))[field];
    return form("note", field, [game.id, number, written], () =>
      render("note-form", { ...values, number, label, field, text: written }),
    );
  };
  return [of(n, text("note_of_round", { n }), "remark"), of(1, text("note_of_game"), "game_remark")];
}

const playersIn = ({ seats }, piece = "penalty-player") =>
  takenSeats(seats).map((seat) => render(piece, { n: seat + 1, name: seats.names[seat] }));

function penaltyForm({ rules, standing }, values) {
  const { totals_by: by, partnerships } = rules;
  return render("penalty", {
    ...values,
    players: playersIn(standing),
    to_others: by === "side" && partnerships,
    takes_books: by === "side",
  });
}

function seatsForm({ names }, { rules, standing }, values, known) {
  const taken = takenSeats(standing.seats);
  const isLeft = standing.seats.empty.length > 0;
  const seated = taken.map((seat) => names[seat]);
  const others = known.slice(0, MOST_SHOWN + names.length).filter((name) => !seated.includes(name));
  const shown = (name, seat) => (taken.includes(seat) ? name : text("has_left", { name }));
  return render("seats", {
    ...values,
    players: names.map((name, seat) => render("penalty-player", { n: seat + 1, name: shown(name, seat) })),
    known: others.slice(0, MOST_SHOWN).map((name) => render("known-player", { name })),
    can_leave: sizesOf(rules).includes(taken.length - 1),
    joins_at_zero: isLeft && rules.joins_at !== "lowest",
    joins_at_lowest: isLeft && rules.joins_at === "lowest",
  });
}

/** Return the step that a request for a misdeal, a penalty, the last round, a seat or a note asks for, or null. */
export function noteStep(action, body) {
  const [, round, what] = /\/rounds\/(\d+)\/(misdeal|penalties|last|end|seats|swap|note|cards)$/.exec(action) ?? [];
  const n = Number(round);
  const field = (name) => body.get(name);
  if (what === "penalties")
    return entryStep(n, (state, round) => givePenalty(state, round, penaltyFrom(field, state.rules)));
  if (what === "misdeal") return entryStep(n, (_, round) => misdeal(round), "misdeal");
  if (what === "cards")
    return entryStep(n, (state, round) => dealCards(state, n, round, Number(plainDigits(field("cards")))));
  if (what === "last") {
    const call = entryStep(n, (_, round) => callLastRound(round));
    return (game) => call({ ...game, ended: 0 });
  }
  if (what === "end")
    return (game) => {
      const last = endNow(stateOf(game), n - 1, roundOf(game, n - 1));
      return enter({ ...game, ended: n - 1, keeps: false }, n - 1, last, "end");
    };
  if (what === "seats")
    return entryStep(n, (state, round, game) => replacePlayer(state, game, n, round, field));
  if (what === "swap") {
    const seats = body.getAll("seat").map((seat) => seat - 1);
    const swap = entryStep(n, (state, round, game) => swapSeats(state, seatsIn(game, n - 1), round, seats));
    return (game) => withOwnSeat(swap(game), seats);
  }
  if (what === "note") return (game) => enter(game, n, withRemarks(roundOf(game, n), field));
  return null;
}

// This phone goes with the player for whom it plays.
function withOwnSeat(game, [one, other]) {
  const moved = { [one]: other, [other]: one }[game.own_seat];
  return moved === undefined ? game : { ...game, own_seat: moved };
}

// The round with the note of a form, on it, on the game, or which suit is trump; it may be scored already.
function withRemarks(round, field) {
  const names = ["remark", "game_remark", "trump"].filter((name) => field(name) !== null);
  return checkRemarks({ ...round, ...Object.fromEntries(names.map((name) => [name, oneLine(field(name))])) });
}

// The penalty of a form; points are typed as people see them.
function penaltyFrom(field, { shown_as: shownAs }) {
  const [kind, to] = field("what").split(":");
  if (kind === "bonus") return bonusFrom(field, shownAs);
  const factor = kind === "points" && shownAs === "tenths" ? 10 : 1;
  const size = ["set", "lost"].includes(kind) ? 1 : (Number(plainDigits(field("size") ?? "")) || 0) * factor;
  return { seat: field("seat") - 1, kind, size, to, reason: field("reason") };
}

// Points by hand; a select or their own sign says which way.
function bonusFrom(field, shownAs) {
  const typed = plainDigits(field("size") ?? "").trim().replace("\u2212", "-").replace(",", ".");
  const n = Math.round(Math.abs(Number(typed) || 0) * (shownAs === "tenths" ? 10 : 1));
  const size = typed.startsWith("-") || field("sign") === "-" ? 0 - n : n;
  return { seat: field("seat") - 1, kind: "bonus", size, to: "nobody", reason: oneLine(field("reason") ?? "") };
}

// Characters that nobody sees, or that change the direction of the text around them, as the server has them.
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff\uffa0\ufff9-\ufffd\u{e0000}-\u{e007f}]/gu;

const oneLine = (text) => text.normalize("NFC").replace(HIDDEN, "").replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();

function replacePlayer(state, game, n, round, field) {
  const leaves = field("leaves") === "yes";
  const player = leaves ? null : spelling(game, field("player") || field("name"));
  return takeSeat(state, seatsIn(game, n - 1), round, field("seat") - 1, player);
}

// The name of a player as this game spells it, if it knows the player.
function spelling({ starters, names, rounds }, typed) {
  const later = rounds.flatMap(({ substitutes = [] }) => substitutes.map(({ player }) => player));
  const known = [...(starters ?? names), ...later].filter(Boolean);
  const name = typed.trim().replace(/\s+/g, " ");
  return knownSpelling(known, name);
}

// What undo would take back, and redo repeat.
function stepTexts(game) {
  const [undo, redo] = [game.undo.at(-1), game.redo.at(-1)];
  const found = ([n, round]) => [roundOf(game, n), round ?? emptyRound(game)];
  return {
    undoes: undo && stepText(game, undo[0], ...found(undo).reverse()),
    redoes: redo && stepText(game, redo[0], ...found(redo)),
  };
}

// A bid or a count, or else the round.
function stepText(game, n, before, after) {
  const names = namesIn(game, n);
  const [old, now] = [cellsOf(before), cellsOf(after)];
  const [at, ...others] = [...now.keys()].filter((cell) => now[cell] !== old[cell]);
  const value = now[at];
  if (others.length || (value ?? null) === null || at >= 2 * names.length) return sentence("round", { n });
  const name = bdi(names[at % names.length]);
  if (at < names.length) return sentence("bid_of_name", { name, new: bidWord(value) });
  return sentence("took_of_name", { name, new: value });
}

function cellsOf(round) {
  const { tricks, tally } = countsOf(round);
  const none = round.bids.map(() => null);
  return [...round.bids, ...(tally ?? none), ...(tricks ?? none), JSON.stringify(notesOf(round))];
}
