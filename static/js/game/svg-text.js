// Text in SVG images: estimated width, truncation, and placement of labels.

const [LETTER, CAPITAL, NARROW, WIDE] = [0.6, 0.72, 0.38, 1.09]; // of the font size
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
// East Asian Wide and Fullwidth characters; regular expressions have no property for them.
const IS_WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[WMmw@%—…]/u;
const BETWEEN = " · "; // names of partners
const IS_NARROW = /[iljI.,:;'|! ]/;

/** Return the estimated width of a text at a font size. */
export const width = (text, size) => size * [...text].reduce((all, one) => all + letter(one), 0);

function letter(character) {
  if (NO_WIDTH.test(character)) return 0;
  if (IS_WIDE.test(character)) return WIDE;
  if (IS_NARROW.test(character)) return NARROW;
  return /\p{Uppercase}/u.test(character) ? CAPITAL : LETTER;
}

/**
 * Return the names of partners truncated to `room`, the longer one first, and isolated for mixed
 * writing directions.
 */
export function cutNames(names, room, size) {
  let free = room - width(BETWEEN, size) * (names.length - 1);
  const shown = [...names];
  const shortestFirst = [...names.keys()].sort((one, other) => width(names[one], size) - width(names[other], size));
  shortestFirst.forEach((n, done) => {
    shown[n] = truncated(names[n], free / (names.length - done), size);
    free -= width(shown[n], size);
  });
  return `\u2068${shown.join(BETWEEN)}\u2069`;
}

function truncated(text, room, size) {
  if (width(text, size) <= room) return text;
  const letters = [...text];
  const shown = letters.findIndex((_, n) => width(`${letters.slice(0, n + 1).join("")}…`, size) > room);
  return `${letters.slice(0, shown).join("")}…`;
}

/** Return label positions moved apart, in their order, so that no label covers another. */
export function apart(heights, line, top, bottom) {
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
