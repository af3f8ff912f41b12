// Names: which are those of one player, and fields in which a tap selects the name, so that what is typed replaces it.

// What only a keyboard tells apart, as the server has it in free_text.py: the first of each stands for all.
const ALIKE = [
  "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u1ffe\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\ua78b\ua78c\uff07\uff40",
  '"\u00ab\u00bb\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u301d\u301e\u301f\uff02',
  "-\u02d7\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d",
  "\u064a\u0649\u06cc",
  "\u0643\u06a9\u06aa",
  "\u0647\u06c1",
  "\u0219\u015f",
  "\u021b\u0163",
  ...Array.from("0123456789", (digit, n) => digit + String.fromCharCode(0x660 + n, 0x6f0 + n, 0x966 + n)),
];
const FORMS = new Map([["\u0640", ""], ...ALIKE.flatMap(([first, ...others]) => others.map((one) => [one, first]))]);
const UNSEEN = /[\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

const inOneForm = (text) => Array.from(text, (one) => FORMS.get(one) ?? one).join("");
// Without a dot, the Turkish i is a letter of its own.
const caseless = (text) => Array.from(text, (one) => (one === "\u0131" ? one : one.toLowerCase().toUpperCase().toLowerCase())).join("");

/** Return the key by which names are compared: equal for all spellings that a reader takes for the same. */
export function nameKey(name) {
  const plain = caseless(inOneForm(name).normalize("NFKC")).normalize("NFKC");
  return inOneForm(plain).replace(UNSEEN, "").trim().replace(/\s+/g, " ");
}

/** Return a name as one of those known spells it, or as it is typed. */
export const knownSpelling = (known, typed) =>
  known.includes(typed) ? typed : (known.find((one) => nameKey(one) === nameKey(typed)) ?? typed);

/** Select the name in each field below `root` that gets the focus; another tap places the cursor. */
export function selectNames(root) {
  let focused; // when the tap began
  const select = (field, when) => when && field.matches("input[dir=auto]") && field.select();
  root.addEventListener("focusin", ({ target }) => select(target, true));
  root.addEventListener("pointerdown", () => (focused = document.activeElement));
  // A tap places the cursor once the field has the focus. Who marks a part of the name keeps that.
  root.addEventListener("click", ({ target }) =>
    select(target, target !== focused && target.selectionStart === target.selectionEnd),
  );
}

// On pages where players are renamed, which load this script by itself.
if (document.querySelector("script[data-names]")) selectNames(document);
