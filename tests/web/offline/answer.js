// Answers the questions that the tests put to both engines.

import { awards } from "/js/offline/awards.js";
import { winner } from "/js/offline/new-game.js";
import { race } from "/js/offline/chart.js";
import { csvOf } from "/js/offline/csv.js";
import { width } from "/js/offline/svg-text.js";
import { boardOf } from "/js/offline/facts.js";
import { newsOf } from "/js/offline/announcement.js";
import { workedExamples } from "/js/offline/rule-examples.js";
import { preparation, readings, sizesOf } from "/js/offline/rule-text.js";
import { dayOf as shownDay, decimal as shownDecimal, learn, signed, text } from "/js/offline/phrases.js";
import * as rules from "/js/rules/engine.js";

function entry(board, [step, number, ...rest]) {
  try {
    return rules[step](...(step === "misdeal" ? [] : [board, number]), ...rest);
  } catch (error) {
    if (error instanceof rules.Refused) return { refused: error.refusals };
    throw error;
  }
}

function explained({ rules: values, sides, rounds }) {
  return rounds.map(({ bids, tricks, scores, before }) =>
    sides.map((seats, side) => {
      const [called, taken] = [bids, tricks].map((list) => seats.map((seat) => list[seat]));
      return rules.explain(values, called, taken, scores[side], before.bags[side]);
    }),
  );
}

export function game({ rules: values, players, first_dealer: dealer, rounds, entries, tally }) {
  const board = rules.fold(values, players, dealer, rounds);
  return {
    board,
    calls: rules.calls(values),
    warnings: board.sides.map((_, side) => rules.warnings(board, side)),
    explained: explained(board),
    preview: rules.preview(board, tally),
    entries: entries.map((one) => entry(board, one)),
  };
}

export function call([name, ...rest]) {
  try {
    return rules[name](...rest);
  } catch (error) {
    if (error instanceof RangeError) return "RangeError";
    throw error;
  }
}

export const csv = ([kept]) => csvOf(kept);

export const nextDealer = (facts) => winner(rules.fold(...facts));

export const ruleText = (values) => ({
  decks: sizesOf(values).map((players) => [players, preparation(values, players)]),
  readings: readings(values),
  examples: workedExamples(values),
});

export const say = ([phrases, said, language]) => rules.say(phrases, said, language);

const learnWords = (words) =>
  learn({ getElementById: () => ({ textContent: JSON.stringify(words) }) });

export function dayOf([words, day]) {
  learnWords(words);
  return shownDay(day);
}

export function decimal([words, number]) {
  learnWords(words);
  return shownDecimal(number);
}

export function news([words, kept, chosen]) {
  learnWords(words);
  const { said, news: kind = "" } = newsOf(kept, boardOf(kept), chosen);
  return [said.textContent, kind];
}

export function drawnRace([words, kept]) {
  learnWords(words);
  return new XMLSerializer().serializeToString(race(kept, boardOf(kept)));
}

export function prizes([words, kept]) {
  learnWords(words);
  return awards(boardOf(kept)).map(({ code, sides, n }) => ({
    title: text(`award_${code}`),
    sides,
    why: text(`award_${code}_for`, { n, points: signed(n) }),
  }));
}

export const widthOf = (text) => width(text, 1);

// JSON cannot say some of what a wrong sum may be.
export const plain = (_, value) =>
  Object.is(value, -0) || value === undefined || Number.isNaN(value) ? "no number" : value;
