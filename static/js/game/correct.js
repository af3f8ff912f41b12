// The form that corrects a round, with the rows and keys of the table in place of its selects: a tap on a
// cell, then on a key. After each the server tells what the correction changes. Without this script the
// selects and the button work as they are.

const [FIVE, FOUR] = [10, 13]; // the most tricks with as many keys in the lower rows; beyond, six

const form = document.getElementById("round");
const table = form.querySelector("table");
const dock = document.getElementById("dock");
const save = dock.querySelector("button");
const label = save.textContent;
const selects = [...table.querySelectorAll("select")];
const most = Math.max(...selects.flatMap((select) => [...select.options].map(({ value }) => Number(value) || 0)));
const keys = document.createElement("div");
let active = selects[0];
let newest = 0;

// A button in place of a select.
function cellOf(select) {
  const cell = Object.assign(document.createElement("button"), { type: "button", className: "cell" });
  cell.addEventListener("click", () => choose(select));
  select.hidden = true;
  select.before(cell);
  return cell;
}

const shown = (select, value) => [...select.options].find((option) => option.value === value)?.text ?? "";

function showCell(select) {
  const cell = select.previousElementSibling;
  const { was } = select.dataset;
  const isChanged = select.value !== was;
  const old = Object.assign(document.createElement("s"), { textContent: shown(select, was) });
  cell.replaceChildren(...(isChanged ? [old] : []), shown(select, select.value));
  cell.classList.toggle("changed", isChanged);
  cell.ariaPressed = select === active;
  cell.ariaLabel = `${shown(select, select.value)}: ${select.ariaLabel}`;
}

function keyOf(option) {
  const isChosen = option.value === active.value;
  const key = Object.assign(document.createElement("button"), { type: "button", className: isChosen ? "key chosen" : "key" });
  key.append(Object.assign(document.createElement("span"), { textContent: option.text }));
  key.classList.toggle("word", Number.isNaN(Number(option.text)));
  key.ariaPressed = isChosen;
  key.addEventListener("click", () => enter(option.value));
  return key;
}

// The keys as they stand when a round is entered: Nil has the place of 0, and blind bids come last.
function keysOf({ options }) {
  const places = Array.from({ length: most + 1 }, () => document.createElement("i"));
  for (const option of options) {
    const at = option.value === "nil" ? 0 : Number(option.value);
    if (places[at]?.localName === "i") places[at] = keyOf(option);
    else places.push(keyOf(option));
  }
  return places;
}

function choose(select) {
  active = select;
  for (const one of selects) showCell(one);
  keys.replaceChildren(...keysOf(select));
  keys.ariaLabel = select.ariaLabel;
}

async function enter(value) {
  active.value = value;
  choose(active);
  keys.querySelector(".chosen").focus({ preventScroll: true });
  await preview();
}

function fields() {
  const data = new FormData(form);
  data.delete("csrf_token");
  return data;
}

// What the server says of the newest entry; where it cannot be reached the form is sent as it is.
async function preview() {
  newest += 1;
  const mine = newest;
  showSave(true);
  try {
    const response = await fetch(`${form.dataset.preview}?${new URLSearchParams(fields())}`);
    if (response.ok) show(mine, new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    // No network.
  }
}

function show(mine, page) {
  if (mine !== newest) return;
  document.getElementById("after").replaceWith(page.getElementById("after"));
  const [from, to] = [page.getElementById("effect"), document.getElementById("effect")];
  const said = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  said.textContent = `${active.ariaLabel}: ${shown(active, active.value)}`;
  to.replaceChildren(said, ...from.childNodes); // the same element, whose changes are read out
  to.className = from.className;
  to.hidden = from.hidden;
  showSave(!to.matches(".wrong"));
}

function showSave(isRight) {
  const isChanged = selects.some((select) => select.value !== select.dataset.was);
  save.textContent = isChanged ? label : save.dataset.same;
  if (isChanged && isRight) save.removeAttribute("aria-disabled");
  else save.ariaDisabled = "true";
}

form.addEventListener("submit", (event) => {
  if (save.ariaDisabled === "true") event.preventDefault();
});

if (selects.length) {
  const original = form.elements.original.value.split(",").slice(1);
  const half = original.length / 2;
  for (const select of selects) {
    const [what, n] = select.name.split("-");
    select.dataset.was = original[Number(n) - 1 + (what === "tricks" ? half : 0)];
    cellOf(select);
  }
  keys.className = `pad by-${most > FOUR ? 6 : most > FIVE ? 4 : 5}`;
  keys.role = "group";
  dock.prepend(keys);
  table.classList.add("keyed");
  form.parentElement.classList.add("keyed-half");
  choose(selects.find((select) => select.getAttribute("aria-invalid")) ?? active);
  preview();
}
