// Page of a new game: see setup.js. House rules that the server filled in belong to their rule book:
// choosing another book removes them, choosing it again restores them. Without this script the server
// leaves them out and asks.

import { setUp } from "./setup.js";

const form = document.getElementById("new-game");
const { rendered_for: renderedFor, filled_in: filledIn } = form.elements;
const ruleFields = [...form.querySelectorAll(".house :is(input, select)")];
const initialValues = new Map(
  ruleFields.map((field) => [field, field.value]).filter(([, value]) => value),
);
const [initialBook, initialFilledIn] = [renderedFor.value, filledIn.value];
const removed = new Map(); // removed house rules, as text by field

form.addEventListener("change", ({ target }) => {
  if (target.name !== "rules") return;
  const isFirst = target.value === initialBook;
  for (const [field, value] of initialValues) {
    if (isFirst && removed.has(field)) field.value ||= value;
    else if (!isFirst && field.value === value) {
      removed.set(field, describe(field));
      field.value = "";
    }
  }
  if (isFirst) removed.clear();
  renderedFor.value = target.value;
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
  const first = form.querySelector(`[name=rules][value="${initialBook}"]`)?.closest("label");
  label.textContent = label.dataset.label.replace("{book}", () => first?.querySelector("b").textContent);
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

setUp(form); // last, as it shows what is left of the house rules
