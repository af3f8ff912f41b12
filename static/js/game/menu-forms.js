// The forms in the menu of a game that give a penalty and a seat, and the steps that forms for the notes
// of a round ask for.

import { namesIn } from "../offline/facts.js";
import { render } from "../offline/phrases.js";
import { callLastRound, givePenalty, takeSeat } from "../rules/notes.js";
import { entryStep } from "./steps.js";

const MOST_SHOWN = 12; // names to tap

/**
 * Return the forms of the menu, with the `values` of every form. The names of the table that are
 * `known` can be tapped, or those that are on the page until they are fetched.
 */
export function menuForms(game, state, values, known = namesShown()) {
  return { penalty: penaltyForm(game, state, values), seats: seatsForm(game, values, known) };
}

const namesShown = () => [...document.querySelectorAll("#seats .chip")].map(({ value }) => value);

function penaltyForm(game, { rules }, values) {
  const { totals_by: by, partnerships } = rules;
  return render("penalty", {
    ...values,
    players: game.names.map((name, seat) => render("penalty-player", { n: seat + 1, name })),
    to_others: by === "side" && partnerships,
    takes_books: by === "side",
  });
}

function seatsForm({ names }, values, known) {
  const others = known.slice(0, MOST_SHOWN + names.length).filter((name) => !names.includes(name));
  return render("seats", {
    ...values,
    players: names.map((name, seat) => render("penalty-player", { n: seat + 1, name })),
    known: others.slice(0, MOST_SHOWN).map((name) => render("known-player", { name })),
  });
}

/** Return the step that a request for a penalty, the last round or a seat asks for, or null. */
export function noteStep(action, body) {
  const [, round, what] = /\/rounds\/(\d+)\/(penalties|last|seats)$/.exec(action) ?? [];
  const n = Number(round);
  const field = (name) => body.get(name);
  if (what === "penalties")
    return entryStep(n, (state, round) => givePenalty(state, round, penaltyFrom(field, state.rules)));
  if (what === "last") return entryStep(n, (_, round) => callLastRound(round));
  if (what === "seats")
    return entryStep(n, (_, round, game) => replacePlayer(game, n, round, field));
  return null;
}

// The penalty of a form; points are typed as people see them.
function penaltyFrom(field, { shown_as: shownAs }) {
  const [kind, to] = field("what").split(":");
  const factor = kind === "points" && shownAs === "tenths" ? 10 : 1;
  const size = ["set", "lost"].includes(kind) ? 1 : (Number(field("size")) || 0) * factor;
  return { seat: field("seat") - 1, kind, size, to, reason: field("reason") };
}

function replacePlayer(game, n, round, field) {
  const player = spelling(game, field("player") || field("name"));
  return takeSeat(namesIn(game, n - 1), round, field("seat") - 1, player);
}

// The name of a player as this game spells it, if it knows the player.
function spelling({ starters, names, rounds }, typed) {
  const later = rounds.flatMap(({ substitutes = [] }) => substitutes.map(({ player }) => player));
  const known = [...(starters ?? names), ...later];
  const name = typed.trim().replace(/\s+/g, " ");
  const key = (text) => text.normalize("NFKC").toLowerCase();
  return known.find((one) => key(one) === key(name)) ?? name;
}
