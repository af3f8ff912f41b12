// A new game on the phone: what is typed becomes a game to be kept, and a form to be sent later.

import { boardOf } from "./facts.js";
import { text } from "./phrases.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const KEY_LENGTH = 26;

/** A number below `most`, each as likely as the others. */
function draw(most) {
  const limit = 2 ** 32 - (2 ** 32 % most);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < limit ? drawn % most : draw(most);
}

const randomKey = () => Array.from({ length: KEY_LENGTH }, () => LETTERS[draw(32)]).join("");

/** The game a form describes, `{kept}`, or `{error}`: a sentence. */
export function gameOf(table, typed) {
  const book = table.books[Number(typed.get("rules"))];
  const { sizes, house, named, last, ...rules } = book;
  const seats = [1, 2, 3, 4, 5].filter((n) => typed.get(`player-${n}`).trim());
  const names = seats.map((n) => typed.get(`player-${n}`).trim().replace(/\s+/g, " "));
  const alike = new Set(names.map((name) => name.normalize("NFKC").toLowerCase()));
  if (!sizes.includes(names.length))
    return { error: text("players_needed", { rules: rules.name, n: sizes.join(", ") }) };
  if (alike.size < names.length) return { error: text("same_name") };
  const wished = typed.get("first_dealer");
  const isDrawn = wished === "draw" || (!wished && rules.first_dealer === "random");
  const chosen = wished ? seats.indexOf(Number(wished)) : names.length - 1;
  const dealer = isDrawn ? draw(names.length) : chosen;
  if (dealer < 0) return { error: text("choose_dealer") };
  const stake = stakeOf(typed.get("stake"));
  if (stake === undefined) return { error: text("stake_amount") };
  return { kept: begun(table.owner, { rules, house, stake }, names, dealer) };
}

/** A stake in hundredths; null for none, undefined for what is no amount. */
function stakeOf(typed) {
  const amount = typed.trim();
  if (!amount) return null;
  if (!/^[0-9]{1,5}([.,][0-9]{1,2})?$/.test(amount)) return undefined;
  return Math.round(100 * amount.replace(",", ".")) || null;
}

/** The next game of the same players: in the `same` seats, the `winner` deals, or `draw` seats. */
export function again(last, owner, way = "same") {
  const players = last.names.length;
  const byTheBook = last.rules.first_dealer === "random" ? draw(players) : players - 1;
  const dealer = way === "winner" ? winner(boardOf(last)) : byTheBook;
  return begun(owner, last, way === "draw" ? shuffled(last.names) : last.names, dealer);
}

function shuffled(names) {
  const left = [...names];
  return names.map(() => left.splice(draw(left.length), 1)[0]);
}

/** The seat of the winner; of partners the one whose deal would have come sooner. */
export function winner({ dealer, players, phase, outcome, sides }) {
  const next = phase === "over" ? dealer + 1 : dealer;
  const turns = Array.from({ length: players }, (_, step) => (next + step) % players);
  return turns.find((seat) => sides[outcome?.winner]?.includes(seat)) ?? turns[0];
}

function begun(owner, { rules, house, stake }, names, dealer) {
  const key = randomKey();
  const players = Object.fromEntries(names.map((name, seat) => [`player-${seat + 1}`, name]));
  // The field `first_dealer` is a seat of this game, not the house rule of that name.
  const { first_dealer: rule = "", ...values } = house;
  const chosen = { rules: rules.key, rules_name: rules.name, first_dealer: dealer + 1 };
  const more = { first_dealer_rule: rule, stake: stake ? (stake / 100).toFixed(2) : "" };
  return {
    id: `new-${key}`,
    owner,
    rules,
    house,
    names,
    first_dealer: dealer,
    stake,
    day: new Date().toISOString().slice(0, 10),
    changed: new Date().toISOString(),
    version: 0,
    base: [],
    rounds: [],
    tried: {},
    theirs: {},
    undo: [],
    redo: [],
    begin: { ...values, ...players, ...chosen, ...more, request_key: key },
    refused: null,
    gone: false,
  };
}
