// New games made offline, each with the form that creates it on the server later.

import { stateOf } from "../model/facts.js";
import { creationForm } from "../model/merge.js";
import { phrase, phraseData, text } from "../draw/phrases.js";
import { winningSeats } from "../game/announcement.js";
import { plainDigits } from "../game/setup.js";
import { knownSpelling, nameKey } from "../players/names.js";
import { biddingOrder, sidesOf } from "../rules/bidding.js";
import { takenSeats } from "../rules/seating.js";
import { refuse } from "../rules/sentence.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const KEY_LENGTH = 26;
const MOST_MINUTES = 600;
const MOST_POINTS = 1000000;

/** Return a uniformly distributed integer below `most`. */
function randomBelow(most) {
  const limit = 2 ** 32 - (2 ** 32 % most);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < limit ? drawn % most : randomBelow(most);
}

const randomKey = () => Array.from({ length: KEY_LENGTH }, () => LETTERS[randomBelow(32)]).join("");

/** Return the game that a form describes as `{game}`, or `{error}` with a sentence. */
export function gameFromForm(table, typed) {
  const book = table.books[Number(typed.get("rules"))];
  const { sizes, named, last, group, ...values } = book;
  const count = Number(typed.get("seats"));
  const seats = Array.from({ length: count }, (_, at) => at + 1).filter((n) => typed.get(`player-${n}`)?.trim());
  const names = seats.map((n) => typed.get(`player-${n}`).trim().replace(/\s+/g, " ")).map((name) => knownSpelling(table.names, name));
  const distinct = new Set(names.map(nameKey));
  if (!sizes.includes(names.length)) return { error: refusedSize(book, names.length) };
  const { rules, house } = forPlayers(values, names.length);
  if (distinct.size < names.length) return { error: text("same_name") };
  const wished = typed.get("first_dealer");
  const isDrawn = wished === "draw" || (!wished && rules.first_dealer === "random");
  const chosen = wished ? seats.indexOf(Number(wished)) : names.length - 1;
  const dealer = isDrawn ? randomBelow(names.length) : chosen;
  if (dealer < 0) return { error: text("choose_dealer") };
  const stake = stakeOf(plainDigits(typed.get("stake")));
  if (stake === undefined) return { error: text("stake_amount") };
  const timed = withMinutes({ rules, house }, plainDigits(typed.get("minutes").trim()));
  if (!timed) {
    const [[, name]] = phraseData.value_names.filter(([value]) => value === "minutes");
    return { error: text("number_or_off", { name: `“${name}”`, low: 1, high: MOST_MINUTES }) };
  }
  const start = startOnPaper(timed.rules, seats, typed);
  if (start.error) return start;
  const faces = Object.fromEntries(table.names.map((name, at) => [name, table.faces?.[at]]));
  return { game: createGame(table.owner, { ...timed, stake, faces }, names, dealer, start) };
}

// Returns why rules cannot be played by so many: they are more than the deck has cards for, or others.
function refusedSize({ name, players, sizes, tricks, cards, pack }, n) {
  const isTooMuch = players.includes(n) && !cards && n * tricks > pack;
  return isTooMuch ? text("full_deck", { tricks, players: n }) : text("players_needed", { rules: name, n: numberRange(sizes) });
}

// Returns numbers as "2 to 7", or one by one where they are few or some are missing.
function numberRange(numbers) {
  const [first, last] = [numbers[0], numbers.at(-1)];
  const isWhole = numbers.length > 2 && last - first === numbers.length - 1;
  return isWhole ? text("from_to", { first, last }) : numbers.join(", ");
}

// Returns a rule book and its house rules, with fewer cards each where the pack is not enough for one of its sizes.
function forPlayers({ house, ...rules }, players) {
  const most = Math.floor(rules.pack / players);
  if (rules.cards || most >= rules.tricks) return { rules, house };
  return { rules: { ...rules, tricks: most }, house: { ...house, tricks: `${most}` } };
}

/** Return a rule book with minutes as typed, `off` or nothing; undefined for anything else. */
function withMinutes({ rules, house }, typed) {
  if (!typed) return { rules, house };
  const isNumber = /^[0-9]{1,8}$/.test(typed) && typed >= 1 && typed <= MOST_MINUTES;
  const isOff = ["off", text("off").toLowerCase()].includes(typed.toLowerCase());
  if (!isNumber && !isOff) return undefined;
  const minutes = isNumber ? Number(typed) : null;
  return { rules: { ...rules, minutes }, house: { ...house, minutes: `${minutes ?? "off"}` } };
}

// Returns the totals and bags on paper as facts of round 1, nothing where all are empty, or what is wrong with them.
function startOnPaper(rules, seats, typed) {
  const sides = sidesOf(rules, seats.length).length;
  const own = rules.totals_by === "seat" ? seats.length : sides;
  const read = (name, count, shownAs) => seats.slice(0, count).map((n) => pointsTyped(typed.get(`${name}-${n}`) ?? "", shownAs));
  const [start, bags] = [read("start", own, rules.shown_as), read("bags", sides, "points")];
  if ([...start, ...bags].includes(undefined)) return { error: text("start_numbers") };
  if (start.some((points) => Math.abs(points) > MOST_POINTS)) return { error: phrase(refuse(null, "start_points", { most: MOST_POINTS })) };
  const most = (rules.bag_limit ?? 1) - 1;
  if (bags.some((n) => n < 0 || n > most)) return { error: phrase(refuse(null, "start_bags", { most })) };
  return [...start, ...bags].some(Boolean) ? { start, start_bags: bags.some(Boolean) ? bags : [] } : {};
}

// Returns the points that are typed; undefined for anything else.
function pointsTyped(typed, shownAs) {
  const points = plainDigits(typed).trim().replace("\u2212", "-").replace(",", ".") || "0";
  const isNumber = (shownAs === "tenths" ? /^[+-]?[0-9]{1,7}(\.[0-9])?$/ : /^[+-]?[0-9]{1,7}$/).test(points);
  return isNumber ? Math.round(points * (shownAs === "tenths" ? 10 : 1)) + 0 : undefined;
}

/** Return a stake in hundredths; null for none, undefined if it is not an amount. */
function stakeOf(typed) {
  const amount = typed.trim();
  if (!amount) return null;
  if (!/^[0-9]{1,5}([.,][0-9]{1,2})?$/.test(amount)) return undefined;
  return Math.round(100 * amount.replace(",", ".")) || null;
}

/**
 * Return the next game of the same players: in the "same" seats, "winner" deals, or "draw" seats, which may be drawn in
 * some `order` already.
 */
export function rematch(last, owner, way = "same", order = []) {
  const { seats, dealer } = rematchSeating(last, stateOf(last), way, order);
  const names = seats.map((seat) => last.names[seat]);
  return createGame(owner, last, names, dealer ?? randomBelow(names.length));
}

/** Return the `seats` of a game in the order of the next one, and the place of its `dealer`, null for one by chance. */
export function rematchSeating({ rules }, state, way, order = []) {
  const seats = takenSeats(state.standing.seats);
  if (way === "draw") return { seats: order.length ? order : shuffled(seats), dealer: seats.length - 1 };
  const dealer = way === "winner" ? winnerSeat(state, rules) : nextDealer(state, rules);
  return { seats, dealer: dealer === null ? null : seats.indexOf(dealer) };
}

/** Return who deals first in the next game in the same seats, or null if that is drawn. */
export function nextDealer(state, rules) {
  if (rules.rematch_dealer === "next") return dealTurns(state, rules)[0];
  return rules.first_dealer === "random" ? null : takenSeats(state.standing.seats).at(-1);
}

/** Return some seats in an order by chance. */
export function shuffled(seats) {
  const left = [...seats];
  return seats.map(() => left.splice(randomBelow(left.length), 1)[0]);
}

/** Return the seat of the winner; of partners or several winners the one who would have dealt sooner. */
export function winnerSeat(state, rules) {
  const turns = dealTurns(state, rules);
  return turns.find((seat) => winningSeats(state).includes(seat)) ?? turns[0];
}

// Returns the seats in the order in which they would have dealt after the last round.
function dealTurns({ dealer, players, phase, standing }, { clockwise }) {
  const taken = takenSeats(standing.seats);
  const after = biddingOrder(players, dealer, clockwise).filter((seat) => taken.includes(seat));
  return phase === "over" ? after : [dealer, ...after.slice(0, -1)];
}

function createGame(owner, { rules, house, stake, faces }, names, dealer, start = {}) {
  const key = randomKey();
  const game = { rules, house, starters: names, names, faces, first_dealer: dealer, stake };
  const here = new Date();
  const now = here.toISOString();
  return {
    ...game,
    id: `new-${key}`,
    owner,
    day: new Date(here - here.getTimezoneOffset() * 60000).toISOString().slice(0, 10),
    started: now,
    changed: now,
    version: 0,
    base: [],
    rounds: start.start ? [{ bids: names.map(() => null), tricks: null, tally: null, ...start }] : [],
    tried: {},
    theirs: {},
    undo: [],
    redo: [],
    begin: { ...creationForm(game), request_key: key },
    refused: null,
    gone: false,
  };
}
