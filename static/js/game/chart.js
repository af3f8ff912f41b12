// Charts of a game with one line a side, as SVG: the totals by round, and the bags. The same lines and
// labels as the server's game/charts.py.

import { namesOf } from "./scoreboard.js";
import { faceOf } from "../model/facts.js";
import { fragment, minus, sentence, series, setAttributes } from "../draw/phrases.js";
import { winnersOf } from "../rules/outcome.js";
import { asSeated } from "../rules/result.js";
import { formatPoints } from "../rules/sentence.js";

const [WIDTH, HEIGHT] = [390, 210]; // units of the view box
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 112, 14, 14];
const PARTNERS = 124; // in place of RIGHT, where sides have several names
const AXIS = 12; // below a chart of totals, for the numbers of rounds
const MOST_NUMBERS = 16;
const SIZE = 12; // font size of labels
const LINE = 15; // least distance of labels
const MARK = 11; // size of a shape
const APART = 3; // distance of lines that coincide
const MAX_MARKED = 15; // rounds; in longer games the shapes would cover the lines
const MIN_DISTANCE = 4; // least distance of points

/** Return the chart of the totals as an image whose title names them; `turn` is the round that is marked, if any. */
export function race(game, played, turn = 0) {
  const state = asSeated(played);
  const start = state.rounds[0]?.before ?? state.standing;
  const totals = [start.totals, ...state.rounds.map(({ after }) => after.totals)];
  const { target } = state.rules;
  const high = Math.max(target || 1, ...totals.flat());
  const frame = frameOf(Math.min(0, ...totals.flat()), high, state, AXIS);
  const lines = spread(state.sides.map((_, side) => linePoints(frame, totals.map((row) => row[side]))));
  const isMarked = state.rounds.length <= MAX_MARKED;
  const parts = [...ruled(frame, target), ...roundNumbers(frame, state, turn), ...sideLines(game, state, lines, isMarked)];
  const shownAs = state.rules.shown_as;
  return picture("race_after", "scores", game, state, frame, parts, totals.at(-1), shownAs);
}

/**
 * Return the chart of bags; null where there are none, or where they cost nothing. A line that reaches
 * the limit is marked with its seat's shape and falls to the bags left.
 */
export function bagsChart(game, played) {
  const state = asSeated(played);
  const { bag_limit: limit } = state.rules;
  const isTaken = state.rounds.some(({ scores }) => scores.some(({ overtricks }) => overtricks));
  if (limit === null || !isTaken) return null;
  const frame = frameOf(0, limit, state);
  const lines = state.rounds[0].before.bags.map((n) => [[frame.x(0), frame.y(n)]]);
  const marks = [];
  for (const { number, scores } of state.rounds) {
    const x = frame.x(number);
    let beside = 0;
    scores.forEach(({ bags, bag_penalty: penalty }, side) => {
      if (penalty) {
        lines[side].push([x, frame.y(limit)]);
        marks.push(seatMark(faceOf(game, state.sides[side][0]), x - MARK * beside, frame.y(limit)));
        beside += 1;
      }
      lines[side].push([x, frame.y(bags)]);
    });
  }
  const parts = [...ruled(frame, limit), ...sideLines(game, state, lines), ...marks];
  return picture("bags_after", "bags", game, state, frame, parts, state.standing.bags);
}

function picture(code, name, game, state, frame, parts, figures, shownAs = "points") {
  const shown = state.sides.map((seats, side) =>
    fragment([namesOf(game, seats), " ", minus(figures[side], shownAs)]),
  );
  const title = sentence(code, { n: state.rounds.length, [name]: series(shown) });
  const drawn = svg("svg", { class: "race", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  // Left to right in any language, as labels begin at the ends of their lines.
  setAttributes(drawn, { role: "img", direction: "ltr" });
  drawn.append(svg("title", {}, title.textContent), ...parts, ...labels(game, state, frame, figures, shownAs));
  return drawn;
}

// Rounds a half to the even digit, as the server does; only .25 and .75 are halves of a tenth.
const fixed = (units) => (units % 1 === 0.25 ? units - 0.05 : units).toFixed(1);

const mostNames = ({ sides }) => Math.max(...sides.map((seats) => seats.length));
const besideLines = (state) => (mostNames(state) === 1 ? RIGHT : PARTNERS);

function frameOf(low, high, state, axis = 0) {
  const { rounds } = state;
  const right = WIDTH - besideLines(state);
  const bottom = HEIGHT - BOTTOM - axis;
  const [across, down] = [right - LEFT, bottom - TOP];
  return {
    right,
    bottom,
    x: (n) => LEFT + (across * n) / Math.max(1, rounds.length),
    y: (figure) => TOP + (high - figure) * (down / Math.max(1, high - low)),
  };
}

// Horizontal lines at zero and at the target, with their values.
function ruled({ right, y }, target) {
  const line = (figure, kind) => {
    const at = fixed(y(figure));
    const value = svg("text", { class: "axis", x: LEFT, y: fixed(y(figure) - 4) }, figure);
    return [svg("line", { class: kind, x1: LEFT, x2: right, y1: at, y2: at }), value];
  };
  return target ? [...line(0, "zero"), ...line(target, "target")] : line(0, "zero");
}

// The numbers of the rounds below a chart, and a line through the one that is marked.
function roundNumbers({ x, bottom }, { rounds }, turn) {
  const step = Math.ceil(rounds.length / MOST_NUMBERS);
  const shownNumbers = rounds.map((_, at) => at + 1).filter((n) => n === turn || (n % step === 0 && !(n !== turn && Math.abs(n - turn) < step)));
  const numbers = shownNumbers.map((n) =>
    svg("text", { class: `axis${n === turn ? " turn" : ""}`, x: fixed(x(n)), y: HEIGHT - 4, "text-anchor": "middle" }, n),
  );
  if (!turn) return numbers;
  const at = fixed(x(turn));
  return [svg("line", { class: "turn", x1: at, x2: at, y1: TOP, y2: bottom }), ...numbers];
}

// Leaves out rounds where points would be closer than MIN_DISTANCE, but never the last.
function linePoints({ right, x, y }, figures) {
  const last = figures.length - 1;
  const step = Math.max(1, Math.round((MIN_DISTANCE * last) / (right - LEFT)));
  return figures.flatMap((figure, n) => (n === last || n % step === 0 ? [[x(n), y(figure)]] : []));
}

// Draws lines that share a height, and the one before or after it, side by side.
function spread(lines) {
  const isSame = (one, other, n) => one[n] && one[n][1] === other[n][1];
  return lines.map((line) =>
    line.map(([x, y], n) => {
      const mates = lines.filter(
        (one) => isSame(one, line, n) && (isSame(one, line, n - 1) || isSame(one, line, n + 1)),
      );
      return [x, y + (mates.length ? APART * (mates.indexOf(line) - (mates.length - 1) / 2) : 0)];
    }),
  );
}

const sideLines = (game, { sides, outcome, phase }, lines, isMarked) =>
  sides.flatMap(([first], side) => {
    const won = phase === "over" && winnersOf(outcome).includes(side) ? " strong-line" : "";
    const { shape, color } = faceOf(game, first);
    const n = first + 1;
    const points = lines[side].map((point) => point.map(fixed).join(",")).join(" ");
    const line = svg("polyline", { class: `line-${n} tint-${color}${won}`, points });
    if (!isMarked) return line;
    const mark = svg("marker", { id: `mark-${n}`, class: `seat-${color}`, overflow: "visible" });
    mark.append(svg("use", { href: `#seat-${shape}`, x: -2, y: -2, width: 4, height: 4 }));
    const url = `url(#mark-${n})`;
    return [mark, setAttributes(line, { "marker-mid": url, "marker-end": url })];
  });

function seatMark({ shape, color }, x, y) {
  const place = { x: fixed(x - MARK / 2), y: fixed(y - MARK / 2), width: MARK, height: MARK };
  return svg("use", { href: `#seat-${shape}`, class: `seat-${color}`, ...place });
}

// The names of each side, one a line, with its figure.
function labels(game, state, { right, y }, figures, shownAs) {
  const lines = mostNames(state);
  const heights = apart(figures.map(y), LINE * lines, TOP + (LINE * (lines - 1)) / 2, HEIGHT - (LINE * lines) / 2);
  return state.sides.flatMap((seats, side) =>
    seats.map((seat, at) => {
      const shown = at ? "" : ` ${formatPoints(figures[side], shownAs)}`;
      const room = besideLines(state) - 8 - width(shown, SIZE);
      const height = heights[side] + 4 + LINE * (at - (seats.length - 1) / 2);
      const place = { class: `seat-${faceOf(game, seats[0]).color}`, x: right + 8, y: fixed(height) };
      return svg("text", place, `\u2068${truncated(game.names[seat], room, SIZE)}\u2069${shown}`);
    }),
  );
}

const [LETTER, CAPITAL, NARROW, WIDE] = [0.6, 0.72, 0.38, 1.09]; // of the font size
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
// East Asian Wide and Fullwidth characters; regular expressions have no property for them.
const IS_WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[WMmw@%—…]/u;
const IS_NARROW = /[iljI.,:;'|! ]/;

/** Return the estimated width of a text at a font size. */
export const width = (text, size) => size * [...text].reduce((all, one) => all + letter(one), 0);

function letter(character) {
  if (NO_WIDTH.test(character)) return 0;
  if (IS_WIDE.test(character)) return WIDE;
  if (IS_NARROW.test(character)) return NARROW;
  return /\p{Uppercase}/u.test(character) ? CAPITAL : LETTER;
}

// Returns a name that fits a width.
function truncated(text, room, size) {
  if (width(text, size) <= room) return text;
  const letters = [...text];
  const shown = letters.findIndex((_, n) => width(`${letters.slice(0, n + 1).join("")}…`, size) > room);
  return `${letters.slice(0, shown).join("")}…`;
}

/** Return label positions moved apart, in their order, so that no label covers another. */
function apart(heights, line, top, bottom) {
  const placed = Array(heights.length).fill(0);
  let free = top;
  for (const n of [...heights.keys()].sort((one, other) => heights[one] - heights[other])) {
    placed[n] = Math.max(heights[n], free);
    free = placed[n] + line;
  }
  if (Math.max(...placed) <= bottom) return placed;
  // Move the lowest up, and those that it would cover.
  free = bottom;
  for (const n of [...heights.keys()].sort((one, other) => placed[other] - placed[one])) {
    placed[n] = Math.min(placed[n], free);
    free = placed[n] - line;
  }
  return placed;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Return a new SVG element. */
export function svg(name, attributes, text = "") {
  const element = setAttributes(document.createElementNS(NAMESPACE, name), attributes);
  element.textContent = text;
  return element;
}
