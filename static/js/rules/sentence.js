// Sentences of the rules as codes with values, their texts, and what the rules refuse.

/** Format points, whole or in tenths; `signed` also writes the plus sign. */
export function formatPoints(points, shownAs = "points") {
  const size = Math.abs(points);
  const text = shownAs === "tenths" ? `${Math.floor(size / 10)}.${size % 10}` : `${size}`;
  return points < 0 ? `\u2212${text}` : text;
}

export const formatSigned = (points, shownAs) => (points > 0 ? "+" : "") + formatPoints(points, shownAs);

/** Return a sentence as text; phrases with plurals have a form for each plural category. */
export function translate(phrases, { code, values }, lang) {
  const phrase = phrases[code] ?? ""; // while it is not loaded
  const text = typeof phrase === "string" ? phrase : formOf(phrase, values.n, lang);
  const shownAt = (value) => (value?.code ? translate(phrases, value, lang) : isolateSign(value, lang));
  return text.replace(/\{(\w+)\}/g, (_, name) => shownAt(values[name]));
}

const RIGHT_TO_LEFT = ["ar"];
const COMMA_LANGUAGES = ["de", "es", "fr"]; // 3,2 instead of 3.2
const TENTHS = /^[+\u2212]?[0-9]+\.[0-9]$/;

/**
 * Keep a sign before its number, and a suit behind its card, in right-to-left text; write tenths with
 * the separator of the language.
 */
export function isolateSign(value, lang) {
  if (COMMA_LANGUAGES.includes(lang) && TENTHS.test(value)) return value.replace(".", ",");
  const isTurned = RIGHT_TO_LEFT.includes(lang) && /^[+\u2212]|[♣♦♥♠]/.test(value);
  return isTurned ? `\u2066${value}\u2069` : value;
}

const plurals = {}; // by language, as one takes long to make

function formOf(forms, n, lang) {
  if (typeof n === "string") return forms.other; // points in tenths
  return forms[(plurals[lang] ??= new Intl.PluralRules(lang)).select(n)] ?? forms.other;
}

/** Thrown for an illegal entry; `refusals` has one item for each seat at fault. */
export class Refused extends Error {
  constructor(refusals) {
    super(refusals.map(({ code }) => code).join(" "));
    this.refusals = refusals;
  }
}

/** Return a refusal; `seat` is null where it is about the whole round. */
export const refuse = (seat, code, values = {}) => ({ seat, code, values });
