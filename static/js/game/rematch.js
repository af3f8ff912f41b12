// What is chosen for the rematch of a game: the seats of each way, on felt above the button that starts it, and what is
// asked where the same players have another game running.

import { liveRegion } from "./announcement.js";
import { namesOf } from "./scoreboard.js";
import { formatWhen } from "../draw/home.js";
import { bdi, fragment, intersperse, minus, render, sentence, series, text } from "../draw/phrases.js";
import { faceOf, stateOf } from "../model/facts.js";
import { rematchSeating, shuffled } from "../offline/new-game.js";
import { nameKey } from "../players/names.js";
import { biddingOrder } from "../rules/bidding.js";
import { takenSeats } from "../rules/seating.js";

const SEATS_SLIDE = 240; // ms
const RUNS_FOR = 864e5; // ms that a game which nobody touches counts as running

let shownRematch; // {game, state} that the page shows
let chosenSeats = {}; // {id, way, order} of the game for which somebody has chosen

/** Return the form that starts the rematch of a game which is over. */
export function rematchForm(game, state) {
  shownRematch = { game, state };
  if (chosenSeats.id !== game.id) chosenSeats = { id: game.id, way: "same", order: [] };
  return rematchParts(game, state);
}

function rematchParts(game, state) {
  const { way, order } = chosenSeats;
  const [same, winner] = ["same", "winner"].map((one) => rematchSeating(game, state, one));
  const drawn = order.length ? rematchSeating(game, state, "draw", order) : undefined;
  const form = render("rematch", {
    game_id: game.id,
    is_same: way === "same", is_winner: way === "winner", is_draw: way === "draw",
    same: seatsInTurn(game, same), same_deals: dealsWords(game, same),
    winner: seatsInTurn(game, winner), winner_name: bdi(dealerOf(game, winner)),
    order: order.map((seat) => seat + 1).join(" "),
    drawn: drawn ? seatsInTurn(game, drawn) : [], drawn_deals: drawn && dealsWords(game, drawn), undrawn: !drawn,
  });
  form.querySelector(`#way-${way}`).checked = true; // in the template the last one is
  return form;
}

// In the order of the bids.
function seatsInTurn(game, { seats, dealer }) {
  const turns = dealer === null ? [...seats.keys()] : biddingOrder(seats.length, dealer, game.rules.clockwise);
  return turns.map((at, turn) =>
    render("rematch-seat", {
      ...faceOf(game, seats[at]), name: game.names[seats[at]], begins: turn === 0 && dealer !== null, deals: at === dealer,
    }),
  );
}

const dealerOf = ({ names }, { seats, dealer }) => (dealer === null ? "" : names[seats[dealer]]);

function dealsWords(game, seating) {
  const name = dealerOf(game, seating);
  return name && sentence("deals", { name: bdi(name) });
}

// Each tap on "Shuffle" draws anew.
function chooseWay(way) {
  const { game, state } = shownRematch;
  const order = way === "draw" ? shuffled(takenSeats(state.standing.seats)) : chosenSeats.order;
  chosenSeats = { id: game.id, way, order };
  const [form, drawn] = [document.getElementById("rematch"), rematchParts(game, state).querySelector("form")];
  const before = placesOfSeats(form);
  for (const [name, attribute] of [["way", "checked"], ["order", "value"]])
    form.querySelectorAll(`[name=${name}]`).forEach((one, at) => copyAttribute(drawn.querySelectorAll(`[name=${name}]`)[at], one, attribute));
  for (const part of [".seatings", "button"])
    form.querySelector(part).replaceChildren(...drawn.querySelector(part).childNodes);
  slideSeats(form, before);
  const seating = rematchSeating(game, state, way, order);
  if (seating.dealer !== null) saySeating(game, seating);
}

function copyAttribute(from, to, name) {
  if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name));
  else to.removeAttribute(name);
}

function saySeating(game, { seats, dealer }) {
  const [first] = biddingOrder(seats.length, dealer, game.rules.clockwise);
  const [name, deals] = [first, dealer].map((at) => bdi(game.names[seats[at]]));
  liveRegion().replaceChildren(sentence("bids_first", { dealer: deals, name }));
}

const shownSeats = (form) => [...form.querySelectorAll(".seating > li")].filter((one) => one.offsetParent);
const placesOfSeats = (form) => new Map(shownSeats(form).map((one) => [one.querySelector("bdi").textContent, one.offsetLeft]));

// Players slide to their new places.
function slideSeats(form, before) {
  if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
  const now = placesOfSeats(form);
  for (const one of shownSeats(form)) {
    const name = one.querySelector("bdi").textContent;
    const from = (before.get(name) ?? now.get(name)) - now.get(name);
    if (from) one.animate({ transform: [`translateX(${from}px)`, "none"] }, { duration: SEATS_SLIDE, easing: "ease-out" });
  }
}

/** Show the seats of a way once it is tapped. */
export function watchWays() {
  document.addEventListener("click", ({ target }) => {
    if (target.matches("#rematch > [name=way]")) chooseWay(target.value);
  });
}

const playersOf = (game, { standing }) =>
  takenSeats(standing.seats).map((seat) => nameKey(game.names[seat])).sort().join("\n");

/** Return the newest other game of the same players that is played: within a day, and not over. */
export function runningGame(last, games) {
  const players = playersOf(last, stateOf(last));
  const since = Date.now() - RUNS_FOR;
  return games
    .filter((game) => game.id !== last.id && game.rounds.length && !game.gone && !game.match && new Date(game.changed) >= since)
    .sort((one, other) => new Date(other.changed) - new Date(one.changed))
    .find((game) => stateOf(game).phase !== "over" && playersOf(game, stateOf(game)) === players);
}

/** Ask whether a rematch is to be begun beside a game of the same players; `fields` say which rematch. */
export function askRematch(game, running, fields) {
  const state = stateOf(running);
  const [way, order] = [fields.get("way") ?? "same", fields.get("order") ?? ""];
  const scores = state.sides.map((seats, side) =>
    fragment([namesOf(running, seats), ` ${minus(state.standing.totals[side], running.rules.shown_as)}`]),
  );
  const parts = [formatWhen(running), sentence("round", { n: state.number }), series(scores)];
  const dialog = render("rematch-asked", {
    game_id: game.id, running: running.id, number: state.number, way, order,
    line: fragment(intersperse(parts, " · ")), how: howSeated(game, way, order),
  }).querySelector("dialog");
  document.getElementById("rematch-asked")?.remove();
  document.getElementById("game").append(dialog);
  dialog.showModal();
}

function howSeated(game, way, order) {
  const drawn = order.split(" ").filter(Boolean).map((n) => n - 1);
  const seating = way === "draw" && !drawn.length ? { dealer: null } : rematchSeating(game, stateOf(game), way, drawn);
  const who = way === "winner" ? bdi(dealerOf(game, seating)) : dealsWords(game, seating);
  const parts = [text(`rematch_${way}`), who, text("other_stays_open")].filter(Boolean);
  return fragment(intersperse(parts, " · "));
}
