// Enter in a name goes on to the next empty seat, as the phone's keyboard promises; after the last
// one it closes the keyboard. Without this script Enter starts the game.
// House rules that were filled in belong to their rule book: they go when another one is chosen, and
// come back with it. Without this script the server leaves them out, and asks before it deals.

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
const rulesTyped = [...form.querySelectorAll(".house :is(input, select)")];
const filled = new Map(rulesTyped.map((field) => [field, field.value]).filter(([, value]) => value));
const [firstBook, firstFilledIn] = [drawnFor.value, filledIn.value];
const left = new Map(); // house rules of the first book that were taken out, by their fields

book.addEventListener("change", () => {
  const isFirst = book.value === firstBook;
  for (const [field, value] of filled) {
    if (isFirst && left.has(field)) field.value ||= value;
    else if (!isFirst && field.value === value) {
      left.set(field, shown(field));
      field.value = "";
    }
  }
  if (isFirst) left.clear();
  drawnFor.value = book.value;
  filledIn.value = isFirst ? firstFilledIn : "";
  tellLeft();
});

form.addEventListener("change", () => {
  const kept = rulesTyped.filter(({ value }) => value.trim()).map(shown);
  fill(document.getElementById("house-kept"), kept);
});

function tellLeft() {
  const place = document.getElementById("house-left");
  const label = place.querySelector("b");
  const first = book.querySelector(`option[value="${firstBook}"]`);
  label.textContent = label.dataset.label.replace("{book}", () => first?.label);
  fill(place, [...left.values()]);
}

function fill(place, rules) {
  place.hidden = rules.length === 0;
  place.querySelector("span").textContent = rules.join(" · ");
}

function shown(field) {
  const value = field.selectedOptions?.[0].label ?? field.value.trim();
  return `${field.labels[0].textContent.trim()}: ${value}`;
}
