// Runs the phone's engine: each exported function answers one kind of question that the
// tests also put to the server's engine.

import { parsePage } from "./dom.js";
import { toCsv } from "/js/game/actions.js";
import { announcementFor } from "/js/game/announcement.js";
import { race, width } from "/js/game/chart.js";
import { conflictForm, decisionForm, gameNotes, restoredNote } from "/js/game/conflict.js";
import { ending } from "/js/game/ending.js";
import { bookName, menuList } from "/js/game/menu.js";
import { openButton } from "/js/game/panel.js";
import { clock, deckNote, explanations, partnersLine, rowNotes, takesText } from "/js/game/notes.js";
import { replacedNote, roundsTable } from "/js/game/rounds.js";
import { countsSoFar } from "/js/game/keypad.js";
import { drawGame, gamePage } from "/js/game/screen.js";
import { plainDigits } from "/js/game/setup.js";
import { stateOf } from "/js/model/facts.js";
import { bookLine, formatDay, resultCard, standingsCard } from "/js/draw/home.js";
import { gameFromForm, nextDealer, winnerSeat } from "/js/offline/new-game.js";
import { element, formatDecimal, loadPhrases, piece, setAttributes, signed, text } from "/js/draw/phrases.js";
import { nameKey } from "/js/players/names.js";
import { roundReasons } from "/js/rules/explain.js";
import { fold } from "/js/rules/game.js";
import { hints } from "/js/rules/hints.js";
import { preparation, sizesOf } from "/js/rules/notes.js";
import { alternatives, asSeated, awards, payments, stakeBalances } from "/js/rules/result.js";
import { scoreSide } from "/js/rules/scoring.js";
import { faceAt, takenSeats } from "/js/rules/seating.js";
import { Refused } from "/js/rules/sentence.js";
import { whatItTakes } from "/js/rules/what-it-takes.js";
import * as bidding from "/js/rules/bidding.js";
import * as entering from "/js/rules/entry.js";
import * as notes from "/js/rules/notes.js";
import * as sentences from "/js/rules/sentence.js";

const steps = { ...entering, ...notes };
const functions = { ...bidding, ...sentences, fold, hints, scoreSide, whatItTakes };

function entry(state, [step, number, ...rest]) {
  try {
    const ofRound = { misdeal: [], callLastRound: [], givePenalty: [state], takeSeat: [state], swapSeats: [state] };
    return steps[step](...(ofRound[step] ?? [state, number]), ...rest);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusals };
    throw error;
  }
}

const explained = ({ rules: values, sides, rounds }) =>
  rounds.map((round) => sides.map((_, side) => roundReasons(values, round, side)));

export const faces = (own) => own.map((_, seat) => faceAt(own, seat));

export function game({ rules: values, players, first_dealer: dealer, rounds, entries, tally, starters }) {
  const state = fold(values, players, dealer, rounds, starters);
  return {
    state,
    shown: asSeated(state).rounds,
    bids: bidding.possibleBids(values),
    hints: state.sides.map((_, side) => hints(state, side)),
    explained: explained(state),
    preview: entering.preview(state, tally),
    entries: entries.map((one) => entry(state, one)),
  };
}

export function call([name, ...rest]) {
  try {
    return functions[name](...rest);
  } catch (error) {
    if (error instanceof RangeError) return "RangeError";
    throw error;
  }
}

export function csv([game, lang = "en"]) {
  load({ lang });
  return toCsv(game);
}

export const nameKeys = nameKey;
export const digits = plainDigits;

// Returns the cards that a new game is dealt by each form, or why it is refused.
export function dealt([words, table, forms]) {
  load(words);
  return forms.map((fields) => {
    const { game, error } = gameFromForm(table, new URLSearchParams(fields));
    return game ? game.rules.tricks : error;
  });
}

export const nextDealers = (facts) => {
  const state = fold(...facts);
  const [book] = facts;
  const seats = takenSeats(state.standing.seats);
  const passes = { ...book, rematch_dealer: "next" };
  return [seats.indexOf(winnerSeat(state, book)), nextDealer(state, passes), nextDealer(state, book)];
};

export const decks = (values) => sizesOf(values).map((players) => [players, preparation(values, players)]);

export const translate = ([phrases, said, language]) => sentences.translate(phrases, said, language);

let pieces; // the page of the pieces that was loaded last, as it takes long to parse

function load(words) {
  pieces = null;
  loadPhrases({ getElementById: () => ({ textContent: JSON.stringify(words) }) });
}

export function dayOf([words, day]) {
  load(words);
  return formatDay(new Date(day));
}

export function decimal([words, number]) {
  load(words);
  return formatDecimal(number);
}

export function news([words, stored, chosen]) {
  load(words);
  const { said, news: kind = "" } = announcementFor(stored, stateOf(stored), chosen, { takesText });
  return [said.textContent, kind];
}

export function drawnRace([words, stored]) {
  load(words);
  return new XMLSerializer().serializeToString(race(stored, stateOf(stored)));
}

export function prizes([words, stored]) {
  load(words);
  const state = stateOf(stored);
  return awards(state).map(({ code, seats, n }) => ({
    title: text(`award_${code}`),
    seats,
    why: text(`award_${code}_for`, { n, points: signed(n, state.rules.shown_as) }),
  }));
}

const views = {
  bookName,
  conflictForm, decisionForm, deckNote, ending, explanations, gameNotes, partnersLine, replacedNote, restoredNote,
  roundsTable, rowNotes, openButton,
};
/** Return the children of the game page as HTML, as it is at the time `view.at`. */
export function gamePageOf([page, game, view]) {
  if (pieces !== page) loadPhrases(parsePage(page));
  pieces = page;
  const clockThen = (...given) => clock(...given, view.at);
  // Without scripts these forms are on the page of a round.
  const menuWithout = (...given) => {
    const found = menuList(...given).values();
    return piece("menu-list", { ...found, penalty: "", points: "", note: "", cards: "", seats: "", can_penalize: false, offers_sound: false });
  };
  const takesLine = (...given) => {
    const said = !countsSoFar(given[1]).isComplete && takesText(...given);
    return said ? setAttributes(element("p", said), { class: "message tie takes", id: "takes" }) : "";
  };
  const all = { ...views, clock: clockThen, menuList: menuWithout, takesLine };
  const main = document.createElement("main");
  drawGame(main, gamePage(game, { ...view, menu: true, views: all }, null));
  return main.childNodes.map((node) => new XMLSerializer().serializeToString(node)).join("");
}

/** Return the card of the standings of a game, if it goes on, and its card in a list as HTML. */
export function cardsOf([page, game]) {
  if (pieces !== page) loadPhrases(parsePage(page));
  pieces = page;
  const cards = [...(stateOf(game).phase === "over" ? [] : [standingsCard(game)]), resultCard(game)];
  return cards.map((card) => new XMLSerializer().serializeToString(card)).join("");
}

export function bookLines([words, book]) {
  load(words);
  return bookLine(book);
}

export function stakes([stored, stake]) {
  const balances = stakeBalances(stateOf(stored), stake);
  return [balances, payments(balances)];
}

export const turns = (stored) => alternatives(stateOf(stored));

export const widthOf = (text) => width(text, 1);

// JSON has no word for some of the values that a faulty sum may have.
export const plain = (_, value) =>
  Object.is(value, -0) || value === undefined || Number.isNaN(value) ? "no number" : value;
