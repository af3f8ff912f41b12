// The winner: the screen opens in the colour of the side from its column, with its shape, its name and its score,
// which counts up from the last total, and confetti behind them; then it shrinks to the band of the page.

import { winningSeats } from "./announcement.js";
import { lay, tagged } from "./overlay.js";
import { shapesOf } from "./scoreboard.js";
import { faceOf } from "../model/facts.js";
import { minus, text } from "../draw/phrases.js";

const WINNER_LASTS = 3200; // ms
const FEW_CORES = 4; // of a slow phone
const [FEW_PIECES, MANY_PIECES] = [40, 90];
const CONFETTI_BEGINS = 600; // ms
const CONFETTI_LASTS = 2000; // ms
const PULL = 1100; // px/s² downwards
const PAPER = ["#fff", "#f3d67c", "#c4c2fb", "#9fe0b9", "#eeb3dd", "#9fd2f2", "#f7c884"];

/** Show who has won a game that is over. */
export function showWinner(game, { outcome, sides, standing, rounds, rules }) {
  const [band, title, lead] = [".winner-band", "#winner", ".winner-with > span"].map((one) => document.querySelector(one));
  const column = document.querySelector(`#side-${outcome.winner}`);
  if (!band || !title || !column) return;
  const seats = winningSeats({ outcome, sides });
  const total = standing.totals[outcome.winner];
  const sheet = tagged("canvas", "win-confetti");
  const score = tagged("b", "win-score", minus(total, rules.shown_as));
  if (rules.shown_as !== "tenths") score.dataset.counts = "";
  const name = tagged("p", `win-name${title.textContent.length > 18 ? " long" : ""}`, title.textContent);
  const margin = tagged("p", "win-lead", lead?.textContent ?? "");
  const hint = tagged("p", "win-hint", text("see_game"));
  const said = tagged("div", "win-in", tagged("div", "win-ring", ...shapesOf(game, seats)), name, score, margin, hint);
  const cover = tagged("div", `win-cover over tint-${faceOf(game, seats[0]).color}`, sheet, said);
  const win = tagged("div", "moment-win", cover);
  const { left, top, width, height } = column.getBoundingClientRect();
  const places = { "--x": `${left + width / 2}px`, "--y": `${top + height / 2}px`, "--end": `${band.getBoundingClientRect().bottom}px` };
  const figures = { "--from": rounds.at(-1).before.totals[outcome.winner], "--to": total };
  for (const [property, value] of Object.entries({ ...places, ...figures })) win.style.setProperty(property, value);
  lay("winner", [[document.body, win]], WINNER_LASTS);
  throwConfetti(sheet);
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
