// Form of a new game. Enter in a name moves the focus to the next empty seat, or closes the phone's
// keyboard after the last one; without this script it starts the game.
// House rules that the server filled in belong to their rule book: choosing another book removes
// them, choosing it again restores them. Without this script the server leaves them out and asks.

const names = [...document.querySelectorAll(".seats-typed input")];

for (const [seat, field] of names.entries()) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !field.value.trim()) return;
    event.preventDefault();
    const next = names.slice(seat + 1).find((other) => !other.value.trim());
    if (next) next.focus();
    else field.blur();
  });
}

const form = document.getElementById("new-game");
const { rules: book, drawn_for: drawnFor, filled_in: filledIn } = form.elements;
const ruleFields = [...form.querySelectorAll(".house :is(input, select)")];
const initialValues = new Map(
  ruleFields.map((field) => [field, field.value]).filter(([, value]) => value),
);
const [initialBook, initialFilledIn] = [drawnFor.value, filledIn.value];
const removed = new Map(); // removed house rules, as text by field

book.addEventListener("change", () => {
  const isFirst = book.value === initialBook;
  for (const [field, value] of initialValues) {
    if (isFirst && removed.has(field)) field.value ||= value;
    else if (!isFirst && field.value === value) {
      removed.set(field, describe(field));
      field.value = "";
    }
  }
  if (isFirst) removed.clear();
  drawnFor.value = book.value;
  filledIn.value = isFirst ? initialFilledIn : "";
  showRemoved();
});

form.addEventListener("change", () => {
  const kept = ruleFields.filter(({ value }) => value.trim()).map(describe);
  showRules(document.getElementById("house-kept"), kept);
});

function showRemoved() {
  const place = document.getElementById("house-left");
  const label = place.querySelector("b");
  const first = book.querySelector(`option[value="${initialBook}"]`);
  label.textContent = label.dataset.label.replace("{book}", () => first?.label);
  showRules(place, [...removed.values()]);
}

function showRules(place, rules) {
  place.hidden = rules.length === 0;
  place.querySelector("span").textContent = rules.join(" · ");
}

function describe(field) {
  const value = field.selectedOptions?.[0].label ?? field.value.trim();
  return `${field.labels[0].textContent.trim()}: ${value}`;
}
