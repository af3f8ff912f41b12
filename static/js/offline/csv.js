// Export of a game as CSV, with the columns that an import needs and the day of the game.

import { stateOf } from "./facts.js";
import { phraseData } from "./phrases.js";
import { takenSeats } from "../rules/seating.js";

const HEAD = [
  "game", "started", "rules", "house_rules", "round", "dealer", "seat", "player", "bid", "tricks", "notes", "date",
];
const SEMICOLON_LANGUAGES = ["de", "es", "fr", "ar"]; // as in the server's i18n.py
const BYTE_ORDER_MARK = "\ufeff"; // without it Excel does not read UTF-8

/** Return a game as CSV text that Excel opens in the language of the page. */
export function toCsv(game) {
  const house = Object.entries(game.house).map((pair) => pair.join("=")).join(";");
  const { phase, rounds, open, standing, ...now } = stateOf(game);
  const isLost = phase === "over" && rounds.length < now.number; // by a penalty, before the tricks
  const unplayed = isLost ? [{ ...open, number: now.number, dealer: now.dealer, after: standing }] : [];
  const written = [...rounds, ...unplayed];
  const started = game.begin ? "" : game.started; // the server will say when
  const rows = written.flatMap(({ number, dealer, bids, tricks, after, ...round }) => {
    const leaving = (written[number]?.substitutes ?? []).map(({ seat }) => seat); // before the next round
    return takenSeats(after.seats).map((seat) => {
      const name = escapeFormula(after.seats.names[seat]);
      const cells = [number, dealer + 1, seat + 1, name, bids[seat] ?? "", tricks?.[seat] ?? ""];
      const note = notes(round, seat, leaving.includes(seat));
      return [game.id, started, game.rules.key, house, ...cells, note, game.day];
    });
  });
  const separator = SEMICOLON_LANGUAGES.includes(phraseData.lang) ? ";" : ",";
  const lines = [HEAD, ...rows].map((row) => `${row.map(quote).join(separator)}\r\n`);
  return BYTE_ORDER_MARK + lines.join("");
}

function notes({ penalties = [], last_round: isLast }, own, leaves) {
  const texts = penalties
    .filter(({ seat }) => seat === own)
    .map(({ kind, size, to, reason }) => `penalty=${[kind, size, to, reason].join(":")}`);
  return [...texts, ...(isLast ? ["last_round=yes"] : []), ...(leaves ? ["left=yes"] : [])].join(";");
}

// Escapes what a spreadsheet would run as a formula, as the server's files/csv does; an import
// reverses it.
const FORMULA_START = /^(?=["'\u00a0]*[＝＋－＠])|[;,\t\r\n](?=["'\u00a0]*[=+\-@＝＋－＠])/g;

function escapeFormula(name) {
  const marked = name.replace(FORMULA_START, "$&'\u00a0");
  return /^'*[=+\-@\t\r\n]/.test(marked) ? `'${marked}` : marked;
}

function quote(cell) {
  const text = `${cell}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offer a game as a file to download. */
export function saveCsv(game) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv(game)], { type: "text/csv" }));
  link.download = `${game.rules.key}-${game.day}-${game.id}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // until the file is written
}
