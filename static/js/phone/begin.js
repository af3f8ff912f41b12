// A new game on the phone: what is typed becomes a game to be kept, and a form to be sent later.

import { text } from "./words.js";

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
  return { kept: begun(table.owner, rules, house, names, dealer) };
}

/** The same players and rules once more. */
export function again(last, owner) {
  const { rules, house, names } = last;
  const dealer = rules.first_dealer === "random" ? draw(names.length) : names.length - 1;
  return begun(owner, rules, house, names, dealer);
}

function begun(owner, rules, house, names, dealer) {
  const key = randomKey();
  const players = Object.fromEntries(names.map((name, seat) => [`player-${seat + 1}`, name]));
  const chosen = { rules: rules.key, rules_name: rules.name, first_dealer: dealer + 1, request_key: key };
  return {
    id: `new-${key}`,
    owner,
    rules,
    house,
    names,
    first_dealer: dealer,
    stake: null,
    day: new Date().toISOString().slice(0, 10),
    changed: new Date().toISOString(),
    version: 0,
    base: [],
    rounds: [],
    tried: {},
    theirs: {},
    undo: [],
    redo: [],
    begin: { ...house, ...players, ...chosen },
    refused: null,
    gone: false,
  };
}
