// What the page says: announcements of what has just happened and who is next, for screen readers and
// speech, and the line about the connection. Announcements stand in a live region outside of what is
// rendered again, as only changes within one are announced.

import { activeSeat, askedName, countedText, countsSoFar } from "./keypad.js";
import { views } from "./loading.js";
import { namesOf, tieText } from "./scoreboard.js";
import { unsaved } from "../model/db.js";
import {
  BASE, emptyRound, hasConflict, isSame, needsDecision, stateOf, unsentCount,
} from "../model/facts.js";
import {
  bdi, bidWord, element, fragment, intersperse, minus, phraseData, render, sentence, series, setAttributes, text,
} from "../draw/phrases.js";
import { contract, highestTotal, roundRules } from "../rules/bidding.js";
import { askedSeats, notesOf } from "../rules/game.js";
import { playingSides, winnersOf } from "../rules/outcome.js";

let lastAnswers; // whether the server had answered then
let lastAnnounced; // the last announcement, and the game or page it was about

/** Return the live region, created if need be. */
export function liveRegion() {
  const found = document.getElementById("news") ?? document.createElement("p");
  Object.assign(found, { id: "news", className: "visually-hidden", role: "status", translate: false });
  if (!found.isConnected) document.body.prepend(found);
  return found;
}

/** Announce what has changed in a view since the last call, of a game or, where it is undefined, of `games`. */
export function announceView(view, game, games, answers) {
  const isGame = game && view.name === "game";
  const isPlayed = isGame && !hasConflict(game) && !needsDecision(game);
  const news = isPlayed ? announcementFor(game, stateOf(game), view.chosen ?? null) : {};
  const status = serverStatus(game ? [game] : games, answers, Boolean(view.id) && !game);
  const line = isGame && !status.textContent ? besideText(game) : status;
  const isBack = answers === true && lastAnswers === false && "back_online" in phraseData.words;
  lastAnswers = answers;
  announce(isGame ? game.id : view.name, news, isBack && !line.textContent ? sentence("back_online") : line);
}

// What another phone has done to the seat or to an entry of this one; the views bring the words for that.
function besideText(game) {
  const { own_seat: seat, taken_by: phone, names } = game;
  if (phone) return sentence("taken_over", { own: bdi(names[seat]), phone: bdi(phone) });
  const [conflict] = conflictsElsewhere(game);
  return conflict && "other_entry" in phraseData.words ? conflictLine(conflict) : fragment([]);
}

// Nothing is announced when a page is shown for the first time.
function announce(about, { said = null, news = "" }, line) {
  const now = { about, said: said?.textContent ?? "", line: line.textContent };
  const hasChanged = (what) => lastAnnounced && now[what] && now[what] !== lastAnnounced[what];
  const isSame = lastAnnounced?.about === about;
  const pieces = [isSame && hasChanged("said") && said, hasChanged("line") && line].filter(Boolean);
  lastAnnounced = now;
  liveRegion().dataset.news = news;
  if (pieces.length) liveRegion().replaceChildren(...intersperse(pieces, " "));
}

/**
 * Return the announcement of a game as `{said, news}`; news is "winner", "penalty" or nothing. What takes longer to
 * find is `told` by the views.
 */
export function announcementFor(game, state, chosen, told = views) {
  const active = activeSeat(state, chosen);
  if (active === null && state.phase !== "over") return { said: sentences(countedText(game, state)) };
  if (active === null)
    return { said: sentences(winnerText(game, state), ...scoredTexts(game, state)), news: "winner" };
  const misdeal = misdealLine(game, state);
  if (misdeal) return { said: sentences(misdeal) };
  const before = beforeEntry(game, state);
  const notes = newNotes(game, state, before);
  if (state.phase === "playing" || notes.length || !state.rounds.length || state.open.bids.some((bid) => bid !== null)) {
    const next = (state.phase === "playing" ? trickText : biddingText)(game, state, active, before, told);
    const isPenalty = (before?.penalties ?? []).length < state.open.penalties.length && before;
    return { said: fragment(intersperse([...notes, next], " · ")), news: isPenalty ? "penalty" : "" };
  }
  const names = { dealer: bdi(game.names[state.dealer]), name: bdi(askedName(game, state, active)) };
  const scored = [...scoredTexts(game, state), newLeadText(game, state)];
  const said = [...scored, tieText(game, state), sentence("bids_first", names)];
  const isPaid = state.rounds.at(-1).scores.some(({ bag_penalty }) => bag_penalty);
  return { said: sentences(...said.filter(Boolean)), news: isPaid ? "penalty" : "" };
}

const sentences = (...all) => fragment(intersperse(all, " "));

/** Return the seats of all who have won. */
export const winningSeats = ({ outcome, sides }) => winnersOf(outcome).flatMap((side) => sides[side]);

function winnerText(game, state) {
  const seats = winningSeats(state);
  const total = minus(state.standing.totals[state.outcome.winner], state.rules.shown_as);
  return sentence("wins_with", { names: namesOf(game, seats), n: seats.length, total });
}

function scoredTexts(game, state) {
  if (!state.rounds.length) return [];
  const totals = playingSides(state.standing).map((side) =>
    fragment([namesOf(game, state.sides[side]), " ", minus(state.standing.totals[side], state.rules.shown_as)]),
  );
  const { number, scores } = state.rounds.at(-1);
  const costs = state.sides.flatMap((seats, side) => {
    const n = 0 - scores[side].bag_penalty;
    return n ? [sentence("bags_cost", { names: namesOf(game, seats), n })] : [];
  });
  return [sentence("is_scored", { n: number, totals: series(totals) }), ...costs];
}

/** Return the sides that lead since the newest round; none where the same led before it, or nobody could. */
export function newLeaders({ rounds }) {
  if (rounds.length < 2) return [];
  const [before, after] = [rounds.at(-1).before, rounds.at(-1).after].map(leaders);
  return `${before}` === `${after}` ? [] : after;
}

function leaders({ totals, seats: { empty } }) {
  const best = highestTotal(totals, empty);
  return [...totals.keys()].filter((side) => totals[side] === best && !empty.includes(side));
}

/** Return who has taken the lead in the newest round, as a sentence; null where nobody has. */
export function newLeadText(game, state) {
  const sides = newLeaders(state);
  if (!sides.length || !("takes_lead" in phraseData.words)) return null; // the words come with the views
  const seats = sides.flatMap((side) => state.sides[side]);
  const values = { names: namesOf(game, seats), n: seats.length };
  return sentence(sides.length > 1 ? "share_lead" : "takes_lead", values);
}

// The open round before the newest entry, if that was made in it.
function beforeEntry(game, { number }) {
  const [n, round] = game.undo?.at(-1) ?? [];
  return n === number ? (round ?? emptyRound(game)) : null;
}

// What the newest entry has noted or taken back; the views bring the words for that.
function newNotes(game, { open, number }, before) {
  if (!before || !views) return [];
  const linesOf = (round) => [
    ...(round.last_round ? [sentence("is_last_round")] : []),
    ...views.roundLines(game, number, { substitutes: [], ...round }).map(({ line }) => line),
  ];
  const [known, now] = [before, open].map(linesOf);
  const without = (lines, others) => lines.filter((line) => !others.some(({ textContent }) => textContent === line.textContent));
  const added = without(now, known);
  return added.length ? added : without(known, now).map((what) => sentence("taken_back", { what }));
}

// The seat with the newest of some bids or counts, or null; one more trick for a seat leaves the others at 0.
function changedSeat(before, after) {
  const seats = [...(after ?? []).keys()];
  const old = (seat) => before?.[seat] ?? null;
  const changed = seats.filter((seat) => after[seat] !== null && after[seat] !== old(seat));
  const more = changed.length > 1 ? changed.filter((seat) => after[seat] || old(seat)) : changed;
  return more.length === 1 ? more[0] : null;
}

// Who bids, and the newest bid, or the one before it in the usual order.
function biddingText(game, state, active, before) {
  const name = bdi(askedName(game, state, active));
  const asked = askedSeats(state);
  const made = asked.slice(0, asked.indexOf(active));
  const { bids } = state.open;
  const areMade = made.every((seat) => bids[seat] !== null);
  const last = (before && changedSeat(before.bids, bids)) ?? (areMade ? made.at(-1) : undefined);
  if (last === undefined || bids[active] !== null) return sentence("bids_now", { n: state.number, name });
  return sentence("bid_next", { last: bdi(askedName(game, state, last)), bid: bidWord(bids[last]), name });
}

// The newest bid or count, then what it takes to win, and whose tricks are asked.
function trickText(game, state, active, before, told) {
  const name = bdi(askedName(game, state, active));
  const { tally } = state.open;
  const [code, old, cells] = tally ? ["took_of_name", before?.tally, tally] : ["bid_of_name", before?.bids, state.open.bids];
  const last = before && changedSeat(old, cells);
  const isTold = last !== null && code in phraseData.words;
  const entered = () => sentence(code, { name: bdi(askedName(game, state, last)), new: tally ? tally[last] : bidWord(cells[last]) });
  const takes = !tally && told?.takesText(game, state);
  const withEntry = (line) => fragment(intersperse([...(isTold ? [entered()] : []), ...(takes ? [takes] : []), line], " · "));
  const counted = () => withEntry(countedText(game, state));
  if (countsSoFar(state).isComplete) return sentence("can_score", { n: state.number, counted: counted() });
  if (state.open.tally || state.bids_itself)
    return sentence("counted_next", { counted: counted(), name });
  return withEntry(sentence("bids_add_up", { n: contract(state.open.bids), tricks: roundRules(state).tricks, name }));
}

/** Return, until the next bid, that the cards are dealt again and undo brings the bids back; else null. */
export function misdealLine(game, { open, number, dealer, phase }) {
  const [n, before] = game.undo?.at(-1) ?? [];
  const isMisdeal =
    phase === "bidding" &&
    n === number &&
    open.bids.every((bid) => bid === null) &&
    before?.bids.some((bid) => bid !== null) &&
    JSON.stringify(notesOf(before)) === JSON.stringify(notesOf(open));
  const isLoaded = "misdealt" in phraseData.words; // as an announcement comes sooner than the views
  return isMisdeal && isLoaded ? sentence("misdealt", { name: bdi(game.names[dealer]) }) : null;
}

/** Return the conflicts that other phones wait with, each with the round as it is `saved`. */
export function conflictsElsewhere(game) {
  const withSaved = (one) => ({ ...one, saved: game.base[one.n - 1] ?? emptyRound(game) });
  const waiting = (game.conflicts ?? []).filter(({ own }) => !own).map(withSaved);
  return waiting.filter(({ saved, round }) => !isSame(saved, round));
}

/** Return what a conflict is: the phone that waits with it, and the round. */
export const conflictLine = ({ phone, n }) => sentence("other_entry", { phone: bdi(phone), n });

/**
 * Return the status of the connection, without the number of unsent rounds; empty if all is well.
 * `answers` is whether the server answered last, or its sentence why it takes no requests.
 */
function serverStatus(games, answers, isMissing = false, isAsking = games.some(needsDecision)) {
  const refused = games.find((game) => game.refused)?.refused;
  const texts = [];
  if (isMissing) texts.push(sentence("not_kept"));
  if (games.some((game) => game.gone)) texts.push(sentence("gone"));
  if (refused) texts.push(sentence(refused.n ? "refused" : "game_refused", refused));
  else if (isAsking) texts.push(sentence("restored"));
  else if (games.some(hasConflict)) texts.push(sentence("choose_first"));
  if (isAtRisk(games, answers)) texts.push(sentence("unsaved"));
  if (answers === false) texts.push(sentence("alone"));
  else if (typeof answers === "string") texts.push(answers);
  return fragment(intersperse(texts, " "));
}

/** Return what is said instead of offline where something in front of the server answers; its words may not be here. */
export const signInText = () => phraseData.words?.sign_in && text("sign_in");

// Past the service worker, which shows what this phone has in place of pages that are not the server's.
function signInLink() {
  const back = encodeURIComponent(location.pathname + location.search + location.hash);
  return setAttributes(element("a", text("sign_in_link")), { href: `${BASE}/sign-in?back=${back}`, class: "button strong sign-in" });
}

// Whether anything would be lost with this page, and is not on its way to the server.
const isAtRisk = (games, answers) => unsaved.size > 0 && isSilent(answers) && games.some(unsentCount);
const isSilent = (answers) => answers === false || typeof answers === "string";

/** Mark whether something is not saved yet, which style sheets show after a moment; the mark always has its place. */
export function markUnsaved(root, isUnsaved) {
  const said = text("not_saved");
  const mark =
    root.querySelector("#unsaved") ??
    setAttributes(element("span"), { id: "unsaved", class: "unsaved", role: "img", title: said, "aria-label": said });
  if (!mark.isConnected) root.querySelector(".bar-title")?.after(mark);
  mark.classList.toggle("on", isUnsaved);
}

/**
 * Return the status line with the number of unsent rounds, or null if there is nothing to say, as
 * while what is unsent is on its way.
 * `isAsking` is whether a decision about rounds that a restored server lacks is due elsewhere.
 */
export function statusLine(games, answers, isMissing = false, isAsking = games.some(needsDecision)) {
  const isStuck = isAtRisk(games, answers) || games.some((game) => game.gone || game.refused);
  const sent = games.filter((game) => !game.gone && !needsDecision(game));
  const n = sent.reduce((sum, game) => sum + unsentCount(game), 0);
  const begun = games.length === 1 && games[0].begin && !games[0].rounds.length;
  const texts = [serverStatus(games, answers, isMissing, isAsking)].filter((one) => one.textContent);
  if (!texts.length) return null;
  if (n) texts.push(begun ? sentence("game_waits") : sentence("waits", { n }));
  const mustSignIn = Boolean(answers) && answers === signInText();
  const save = isStuck && games.length === 1;
  const retry = (isSilent(answers) && !mustSignIn) || games.some((game) => game.refused);
  const line = render("line", {
    urgent: mustSignIn || isStuck || isAsking || games.some(hasConflict),
    what: fragment(intersperse(texts, " ")),
    save,
    retry,
    is_long: save && retry,
  });
  if (mustSignIn) line.querySelector(".foot").append(signInLink());
  return line;
}
