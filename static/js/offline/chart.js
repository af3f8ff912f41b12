// Chart of the totals by round, as SVG: the same lines and labels as the server's game/charts.py.

import * as rules from "../rules/engine.js";
import { apart, cut, width } from "./svg-text.js";
import { namesOf } from "./scoreboard.js";
import { fragment, intersperse, minus, sentence, series, setAttributes } from "./phrases.js";

const [WIDTH, HEIGHT] = [390, 210]; // units of the view box
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 112, 14, 14];
const SIZE = 12; // font size of labels
const LINE = 15; // least distance of labels
const NEAR = 4; // least distance of points
const SPACE = "http://www.w3.org/2000/svg";

/** Return the chart as an image whose title names the totals. */
export function race(game, state) {
  const totals = [state.sides.map(() => 0), ...state.rounds.map(({ after }) => after.totals)];
  const frame = frameOf(state, totals);
  const scores = state.sides.map((seats, side) =>
    fragment([namesOf(game, seats), " ", minus(totals.at(-1)[side])]),
  );
  const title = sentence("race_after", { n: state.rounds.length, scores: series(scores) });
  const picture = svg("svg", { class: "race", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  // Left to right in any language, as labels begin at the ends of their lines.
  setAttributes(picture, { role: "img", direction: "ltr" });
  picture.append(
    svg("title", {}, title.textContent),
    horizontalLine(frame, 0, "zero"),
    horizontalLine(frame, state.rules.target, "target"),
    svg("text", { class: "axis", x: LEFT, y: fixed(frame.y(state.rules.target) - 4) }, state.rules.target),
    ...state.sides.map((seats, side) => sideLine(frame, seats, totals, side)),
    ...labels(game, state, frame, totals.at(-1)),
  );
  return picture;
}

const fixed = (units) => units.toFixed(1);

function frameOf({ rules: { target } }, totals) {
  const low = Math.min(0, ...totals.flat());
  const high = Math.max(target, ...totals.flat());
  const right = WIDTH - RIGHT;
  const [across, down] = [right - LEFT, HEIGHT - BOTTOM - TOP];
  return {
    right,
    x: (n) => LEFT + (across * n) / Math.max(1, totals.length - 1),
    y: (figure) => TOP + (high - figure) * (down / Math.max(1, high - low)),
  };
}

function horizontalLine({ right, y }, figure, kind) {
  const at = fixed(y(figure));
  return svg("line", { class: kind, x1: LEFT, x2: right, y1: at, y2: at });
}

// Leaves out rounds where points would be closer than NEAR, but never the last.
function sideLine({ right, x, y }, [first], totals, side) {
  const last = totals.length - 1;
  const step = Math.max(1, Math.round((NEAR * last) / (right - LEFT)));
  const shown = totals.flatMap((row, n) =>
    n === last || n % step === 0 ? [`${fixed(x(n))},${fixed(y(row[side]))}`] : [],
  );
  return svg("polyline", { class: `line-${first + 1} seat-${first + 1}`, points: shown.join(" ") });
}

function labels(game, state, { right, y }, figures) {
  const heights = apart(figures.map(y), LINE, TOP, HEIGHT - LINE / 2);
  return state.sides.map((seats, side) => {
    const shown = rules.minus(figures[side]);
    const names = intersperse(seats.map((seat) => game.names[seat]), " · ").join("");
    const room = RIGHT - 8 - width(` ${shown}`, SIZE);
    const place = { class: `seat-${seats[0] + 1}`, x: right + 8, y: fixed(heights[side] + 4) };
    return svg("text", place, `${cut(names, room, SIZE)} ${shown}`);
  });
}

function svg(name, attributes, text = "") {
  const element = setAttributes(document.createElementNS(SPACE, name), attributes);
  element.textContent = text;
  return element;
}
