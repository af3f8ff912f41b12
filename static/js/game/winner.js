// The winner: from the column of the side its colour opens over the page that was counted, with its shape, its name
// and its score, which counts up from the last total, and confetti behind them; then it shrinks to the band of the page
// of the result.

import { winningSeats } from "./announcement.js";
import { vanish } from "./felt.js";
import { rectOf } from "./leaving.js";
import { shapesOf } from "./scoreboard.js";
import { isStill, openStage, pageTimes, putAt, tagged } from "./stage.js";
import { faceOf } from "../model/facts.js";
import { minus, text } from "../draw/phrases.js";

const [WINNER_LASTS, WINNER_STANDS] = [3000, 1200]; // ms, moving and still
const OPENS = 420; // ms
const SHRINKS = 360; // ms
const FADES = 120; // ms
const GLIDES = "cubic-bezier(.2, .8, .2, 1)";
const FEW_CORES = 4; // of a slow phone
const [FEW_PIECES, MANY_PIECES] = [40, 90];
const CONFETTI_BEGINS = 600; // ms
const CONFETTI_LASTS = 2000; // ms
const PULL = 1100; // px/s² downwards
const PAPER = ["#fff", "#f3d67c", "#c4c2fb", "#9fe0b9", "#eeb3dd", "#9fd2f2", "#f7c884"];

/** Show who has won a game that is over, over the page that was `held` before. */
export function showWinner(game, { outcome, sides, standing, rounds, rules }, held) {
  const [title, lead] = ["#winner", ".winner-with > span"].map((one) => document.querySelector(one));
  if (!title) return;
  const seats = winningSeats({ outcome, sides });
  const total = standing.totals[outcome.winner];
  const sheet = tagged("canvas", "win-confetti");
  const score = tagged("b", "win-score", minus(total, rules.shown_as));
  if (rules.shown_as !== "tenths" && !isStill()) score.dataset.counts = "";
  const name = tagged("p", `win-name${title.textContent.length > 18 ? " long" : ""}`, title.textContent);
  const margin = tagged("p", "win-lead", lead?.textContent ?? "");
  const hint = tagged("p", "win-hint", text("see_game"));
  const said = tagged("div", "win-in", tagged("div", "win-ring", ...shapesOf(game, seats)), name, score, margin, hint);
  const circle = tagged("div", "win-circle");
  const cover = tagged("div", "win-cover", circle, sheet, said);
  const win = tagged("div", `moment-win over tint-${faceOf(game, seats[0]).color}`, cover);
  const figures = { "--from": rounds.at(-1).before.totals[outcome.winner], "--to": total };
  for (const [property, value] of Object.entries(figures)) win.style.setProperty(property, value);
  const from = putCircle(circle, held.places, outcome.winner);
  const ms = isStill() ? WINNER_STANDS : WINNER_LASTS;
  openStage("winner", isStill() ? [win] : [held.still, win], { ms, leave: isStill() ? undefined : () => shrink(win) });
  if (isStill()) return;
  flyFrom(from, said.firstElementChild);
  held.copy.classList.add("held-whole");
  vanish(held.still, OPENS * pageTimes());
  throwConfetti(sheet);
}

// A circle around the middle of the column that covers the screen; returns that middle.
function putCircle(circle, { columns, main }, side) {
  const place = columns[side]?.width ? columns[side] : main;
  const [x, y] = [place.left + place.width / 2, place.top + Math.min(place.height, 90) / 2];
  const far = 1.1 * Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y));
  putAt(circle, { left: x - far, top: y - far, width: 2 * far, height: 2 * far });
  return [x, y];
}

// Its shapes fly from there to their place.
function flyFrom([x, y], ring) {
  ring.style.setProperty("--x", `${x - ring.offsetLeft - ring.offsetWidth / 2}px`);
  ring.style.setProperty("--y", `${y - ring.offsetTop - ring.offsetHeight / 2}px`);
}

// The cover rises to the band of the page below, while shapes, name and score go to their places in it; then it fades.
function shrink(win) {
  const band = document.querySelector(".winner-band")?.getBoundingClientRect();
  if (!band?.height) return win.animate({ opacity: [1, 0] }, { duration: SHRINKS, fill: "forwards" }).finished; // the board
  const timing = { duration: SHRINKS, easing: GLIDES, fill: "forwards" };
  const up = band.bottom - innerHeight;
  const [cover, circle, ring] = [".win-cover", ".win-circle", ".win-ring"].map((one) => win.querySelector(one));
  circle.hidden = true;
  const moves = [
    [ring, shapesBox(ring), shapesBox(document.querySelector(".winner-shapes"))],
    ...[[".win-name", "#winner"], [".win-score", ".winner-total"]].map((pair) => wordsOf(win, pair)),
  ].map(([one, from, to]) => [one, wayTo(one, from, to, up)]); // looked up before anything moves
  for (const one of win.querySelectorAll(".win-lead, .win-hint, .win-confetti"))
    one.animate({ opacity: 0 }, { ...timing, duration: SHRINKS / 3 });
  ring.animate({ opacity: 0 }, { ...timing, pseudoElement: "::before" });
  for (const [one, transform] of moves) one.animate({ transform: ["none", transform] }, timing);
  cover.animate({ transform: ["none", `translateY(${up}px)`] }, timing);
  return win.animate({ opacity: [1, 0] }, { duration: FADES, delay: SHRINKS - FADES / 2, fill: "forwards" }).finished;
}

// What shapes of an element cover together.
function shapesBox(one) {
  const boxes = [...one.querySelectorAll(".shape")].map(rectOf);
  const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])));
  return { left, top, width: right - left, height: bottom - top };
}

// An element with words, what they cover, and what they do in their place, where their lines may break elsewhere.
function wordsOf(win, pair) {
  const [one, target] = [win.querySelector(pair[0]), document.querySelector(pair[1])];
  const [from, to] = [one, target].map((each) => {
    const range = new Range();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  return [one, from, to];
}

// Within what moves by `up` itself: to the middle of its place, as large as there.
function wayTo(one, from, to, up) {
  const box = one.getBoundingClientRect();
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const middle = (each, side, size) => each[side] + each[size] / 2;
  const [left, top] = [["left", "width"], ["top", "height"]].map(([side, size]) => {
    const off = middle(from, side, size) - middle(box, side, size); // which is scaled around the middle of the box
    return middle(to, side, size) - middle(box, side, size) - off * scale;
  });
  return `translate(${left}px, ${top - up}px) scale(${scale})`;
}

// The shapes of five seats, 2 units wide.
const OUTLINES = [
  (pen) => pen.arc(0, 0, 1, 0, 2 * Math.PI),
  (pen) => pen.rect(-0.9, -0.9, 1.8, 1.8),
  (pen) => polygon(pen, 3),
  (pen) => polygon(pen, 4),
  (pen) => polygon(pen, 10, 0.5),
];

function polygon(pen, corners, inner = 1) {
  for (let n = 0; n < corners; n += 1) {
    const [angle, far] = [(2 * Math.PI * n) / corners - Math.PI / 2, n % 2 ? inner : 1];
    pen.lineTo(far * Math.cos(angle), far * Math.sin(angle));
  }
}

// Pieces fly up from both lower corners and fall, as long as the sheet is shown.
function throwConfetti(sheet) {
  const [width, height] = [sheet.clientWidth, sheet.clientHeight];
  [sheet.width, sheet.height] = [width, height];
  const pen = sheet.getContext("2d");
  const isSlow = (navigator.hardwareConcurrency ?? FEW_CORES) <= FEW_CORES;
  const pieces = Array.from({ length: isSlow ? FEW_PIECES : MANY_PIECES }, (_, n) => thrownPiece(n, width, height));
  let began;
  const draw = (now) => {
    began ??= now + CONFETTI_BEGINS;
    const age = (now - began) / 1000;
    pen.clearRect(0, 0, width, height);
    if (!sheet.isConnected || age * 1000 > CONFETTI_LASTS) return;
    if (age > 0) for (const one of pieces) drawPiece(pen, one, age);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

function thrownPiece(n, width, height) {
  const isLeft = n % 2 === 0;
  const rise = Math.sqrt(2 * PULL * height * (0.2 + 0.75 * Math.random()));
  const drift = (isLeft ? 1 : -1) * width * (0.05 + 0.6 * Math.random());
  const look = { size: 5 + 5 * Math.random(), turn: 12 * Math.random() - 6, paper: PAPER[n % PAPER.length] };
  return { x: isLeft ? 0 : width, y: height, rise, drift, outline: OUTLINES[n % OUTLINES.length], ...look };
}

function drawPiece(pen, { x, y, rise, drift, outline, size, turn, paper }, age) {
  pen.setTransform(1, 0, 0, 1, x + drift * age, y - rise * age + (PULL * age * age) / 2);
  pen.rotate(turn * age);
  pen.scale(size, size);
  pen.globalAlpha = Math.min(1, Math.max(0, (CONFETTI_LASTS / 1000 - age) * 2.5));
  pen.fillStyle = paper;
  pen.beginPath();
  outline(pen);
  pen.fill();
  pen.resetTransform();
}
