// The form of a new game, with a server or without: names with one tap, as many seats as play, and what
// is missing. Everything but the recent names works without this script too.

import { nameKey, selectNames } from "../players/names.js";
import { faceAt } from "../rules/seating.js";

const HELD = 500; // ms
const GLIDING = 280; // ms

const isSameName = (one, other) => nameKey(one) === nameKey(other);

/** Let a form of a new game respond to taps. */
export const setUp = (form) => new Setup(form).listen();

class Setup {
  constructor(form) {
    this.form = form;
    this.inputs = [...form.querySelectorAll(".place input")];
    this.counts = [...form.querySelectorAll("[name=seats]")];
    this.recent = form.querySelector(".recent");
    this.said = form.querySelector("#seats-said");
    this.heard = form.querySelector(".below-seats [role=status]");
    this.chips = [...form.querySelectorAll(".recent .chip")];
    this.symbols = [...form.querySelectorAll(`.shape:has([href^="${FACE}"])`)]
      .filter((symbol) => !this.recent.contains(symbol))
      .map((symbol) => ({ symbol, seat: shapeOf(symbol) - 1 }));
    this.newFaces = (form.dataset.newFaces ?? "").split(" ").filter(Boolean).map((one) => one.split("-").map(Number));
    this.start = form.querySelector("#start");
    this.startText = this.startShown = this.start.textContent;
    this.wanted = this.count; // the number of seats chosen last
    this.active = null; // the seat that had the focus last
    this.typed = null; // the seat that is being typed into
    this.picked = null; // the seat that changes places with the one tapped next
    this.isDealing = false; // whether the seat tapped next deals first
  }

  listen() {
    for (const input of this.inputs) this.listenToSeat(input);
    selectNames(this.form);
    for (const button of this.form.querySelectorAll("[data-step]")) button.hidden = false;
    // A name that is tapped goes to the seat that has the focus.
    this.recent.addEventListener("mousedown", (event) => event.preventDefault());
    this.form.addEventListener("click", (event) => this.onClick(event));
    this.form.addEventListener("input", () => this.show());
    this.form.querySelector(".below-seats").hidden = false;
    this.form.addEventListener("keydown", ({ key }) => key === "Escape" && this.putDown());
    this.form.addEventListener("change", ({ target }) => this.onChange(target));
    this.followBook();
    this.show();
  }

  get count() {
    return Number(this.counts.find(({ checked }) => checked)?.value ?? this.inputs.length);
  }

  set count(n) {
    for (const one of this.counts) one.checked = Number(one.value) === n;
  }

  get seats() {
    return this.inputs.slice(0, this.count);
  }

  get firstEmpty() {
    return this.seats.find(({ value }) => !value.trim());
  }

  get book() {
    return this.form.querySelector("[name=rules]:checked");
  }

  get sizes() {
    return this.book?.dataset.sizes.split(" ").map(Number) ?? [];
  }

  listenToSeat(input) {
    if (this.chips.length) input.removeAttribute("list");
    input.addEventListener("focus", () => (this.active = input));
    input.addEventListener("input", () => (this.typed = input.value.trim() ? input : null));
    input.addEventListener("blur", () => {
      this.typed = null;
      this.show();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      // After the last seat an empty one; else the keyboard goes, and nothing starts by itself.
      const next = this.seats[this.seats.indexOf(input) + 1] ?? this.firstEmpty;
      if (next) next.focus();
      else input.blur();
    });
    this.listenToTaps(input);
  }

  // A tap types a name; a second one picks it up, and one on another seat then swaps the two. A seat that
  // is held deals first.
  listenToTaps(input) {
    const place = input.closest(".place");
    let [again, held, timer] = [false, false, 0];
    place.addEventListener("pointerdown", () => {
      const isFocused = input === document.activeElement;
      again = isFocused && input !== this.typed && Boolean(input.value.trim());
      held = false;
      if (!isFocused) timer = setTimeout(() => this.deal(input, (held = true)), HELD);
    });
    for (const type of ["pointerup", "pointercancel", "pointerleave"])
      place.addEventListener(type, () => clearTimeout(timer));
    place.addEventListener("contextmenu", (event) => {
      if (input !== document.activeElement) event.preventDefault();
    });
    // No keyboard rises for a seat that is chosen.
    place.addEventListener("mousedown", (event) => {
      if (held || this.picked || this.isDealing || event.target.matches(".dealer")) event.preventDefault();
    });
    place.addEventListener("click", (event) => {
      const isBadge = event.target.matches(".dealer");
      if (!(held || this.picked || this.isDealing || isBadge || again)) return;
      event.preventDefault();
      event.stopPropagation(); // or the name would be selected
      if (held) held = false;
      else if (this.picked) this.swap(input);
      else if (this.isDealing) this.deal(input);
      else if (isBadge) this.askForDealer();
      else this.pickUp(input);
    });
  }

  pickUp(input) {
    this.picked = input;
    input.blur();
    this.say("picked", [nameAt(input)]);
    this.show();
  }

  putDown() {
    [this.picked, this.isDealing] = [null, false];
    this.show();
  }

  swap(input) {
    const { picked } = this;
    if (picked !== input) {
      permute([picked, input], [1, 0]);
      glide(picked, input);
      this.say("swapped", [nameAt(picked), nameAt(input)]);
    }
    this.putDown();
  }

  askForDealer() {
    this.isDealing = true;
    this.show();
  }

  deal(input) {
    const dealers = [...this.form.querySelectorAll(".dealers [name=first_dealer]")];
    dealers.find(({ value }) => this.inputs[value - 1] === input).checked = true;
    this.say("dealer", [nameAt(input)]);
    navigator.vibrate?.(10);
    this.putDown();
  }

  // Announces a sentence of the page.
  say(key, values) {
    const signs = ["#", "%"];
    this.heard.textContent = values.reduce(
      (text, value, at) => text.replace(signs[at], () => value),
      this.heard.dataset[key],
    );
  }

  onClick(event) {
    const button = event.target.closest("button");
    if (!event.target.closest(".place")) this.putDown();
    this.tellSizes(event.target.closest(".seat-counts label"));
    if (button?.matches(".chip")) this.fill(button.value);
    if (button?.dataset.step) this.stepUp(button.parentElement.querySelector("input"), Number(button.dataset.step));
    if (button?.name === "move") this.move(button.value);
    const isUnfinished = button?.matches("#start, [name=next]") && this.firstEmpty;
    if (isUnfinished || button?.name === "move") event.preventDefault();
    if (isUnfinished) this.firstEmpty.focus();
  }

  // Says of a number of players that the rules do not allow for which they are.
  tellSizes(label) {
    if (!label?.querySelector(":disabled")) return;
    const name = this.book.closest("label").querySelector("b").textContent;
    this.say("sizes", [name, this.sizes.join(", ")]);
    this.said.textContent = this.heard.textContent;
    this.form.querySelector(".below-seats").classList.add("says");
  }

  onChange({ name, value }) {
    if (name === "seats") this.wanted = this.count;
    if (name === "group") this.form.querySelector(`[data-group="${value}"] [name=rules]`).click();
    if (name === "rules") this.followBook();
    if (["rules", "seats"].includes(name)) this.active = null;
    this.show();
  }

  // Leaves the numbers of players that the rules allow.
  followBook() {
    for (const one of this.counts) one.disabled = !this.sizes.includes(Number(one.value));
    const free = this.counts.filter(({ disabled }) => !disabled).map(({ value }) => Number(value));
    if (free.length) this.count = free.includes(this.wanted) ? this.wanted : free.at(-1);
  }

  // Fills the seat that has the focus, else the next empty one, or one more where all are taken.
  fill(name) {
    const focused = this.inputs.find((input) => input === document.activeElement);
    const more = this.count + 1;
    if (!focused && !this.firstEmpty && this.sizes.includes(more)) this.count = this.wanted = more;
    const place = focused ?? this.firstEmpty ?? this.active ?? this.seats.at(-1);
    place.value = name;
    place.blur();
    this.active = null;
    this.show();
  }

  move(way) {
    const n = Number.parseInt(way, 10);
    const taken = this.seats.filter(({ value }) => value.trim());
    if (way === "shuffle") permute(taken, randomOrder(taken.length));
    else permute([this.inputs[n - 2], this.inputs[n - 1]], [1, 0]);
    this.show();
  }

  stepUp(field, step) {
    const amount = (Number(plainDigits(field.value).replace(",", ".")) || 0) + step;
    field.value = amount > 0 ? amount : "";
    this.show();
  }

  // The rule book and the number of players that are chosen, in the line that they fold into.
  showWhat() {
    const seats = this.counts.find(({ checked }) => checked)?.closest("label").querySelector("span");
    const [book, players] = this.form.querySelectorAll("#what > summary > *");
    const shown = [this.book?.closest("label").querySelector("b").textContent, seats && `${this.count} ${seats.lastChild.textContent}`];
    [book, players].forEach((one, at) => {
      if (shown[at] && one.textContent !== shown[at]) one.textContent = shown[at];
    });
  }

  show() {
    const next = this.firstEmpty;
    for (const input of this.inputs) {
      const place = input.closest(".place");
      place.classList.toggle("next", input === next);
      place.classList.toggle("deals", input === this.dealer);
      place.classList.toggle("picked", input === this.picked);
      // With "next", a phone's keyboard would go on to the field below.
      input.enterKeyHint = input === this.seats.at(-1) ? "done" : "next";
    }
    this.showWhat();
    this.showChips();
    this.showFaces();
    for (const one of this.form.querySelectorAll(".dealers [name=first_dealer]")) {
      const input = this.inputs[one.value - 1];
      if (input) one.parentElement.querySelector("small").textContent = nameAt(input);
    }
    const missing = next && this.inputs.indexOf(next) + 1;
    const text = missing
      ? this.start.dataset.missing.replace("#", missing)
      : this.startText;
    // A tap does not click what it touched once that is replaced, as in a translated page.
    if (text !== this.startShown) this.start.textContent = this.startShown = text;
    this.start.classList.toggle("strong", !missing);
    this.showOptions();
  }

  // The names that have no seat, or while one is typed those that begin so.
  showChips() {
    const begun = nameKey(this.typed?.value ?? "");
    const taken = this.seats.map(({ value }) => value);
    for (const chip of this.chips) {
      chip.hidden = begun
        ? !nameKey(chip.value).startsWith(begun)
        : taken.some((name) => isSameName(name, chip.value));
    }
    const { hint, swap, deal } = this.said.dataset;
    const asked = this.picked ? swap.replace("#", () => nameAt(this.picked)) : this.isDealing && deal;
    const says = asked || this.chips.every(({ hidden }) => hidden);
    this.said.textContent = asked || hint;
    this.said.parentElement.classList.toggle("says", Boolean(says));
  }

  // Everybody has the shape and color that the game will show: people whose names can be tapped their own,
  // and new ones the next that the server gives.
  showFaces() {
    const coming = this.newFaces.values();
    const own = this.seats.map(({ value }) => {
      const symbol = this.chips.find((chip) => isSameName(chip.value, value))?.querySelector(".shape");
      return symbol ? [shapeOf(symbol), colorOf(symbol)] : value.trim() && coming.next().value;
    });
    for (const { symbol, seat } of this.symbols) {
      const { shape, color } = seat < own.length ? faceAt(own, seat) : { shape: seat + 1, color: seat + 1 };
      symbol.firstElementChild.setAttribute("href", FACE + shape);
      recolor(symbol, "seat-", color);
      const place = symbol.closest(".place");
      if (place) recolor(place, "tint-", color);
    }
  }

  // By default the last seat deals, or one that is drawn, as the rules say.
  get dealer() {
    const chosen = this.form.elements.first_dealer.value;
    if (chosen) return this.inputs[chosen - 1];
    return this.book?.dataset.dealer === "last" ? this.seats.at(-1) : undefined;
  }

  showOptions() {
    const summary = this.form.querySelector("#options-chosen");
    const { stake, noStake, dealer, draw, minutes } = summary.dataset;
    const label = this.form.querySelector("[for=stake]");
    label.textContent = label.dataset[this.form.elements.stake_by?.value || this.book?.dataset.stake || "winner"];
    const [amount, time] = ["stake", "minutes"].map((name) => this.form.elements[name].value.trim());
    const deals = this.dealer ? dealer.replace("#", () => nameAt(this.dealer)) : draw;
    const pays = amount ? stake.replace("#", () => amount) : noStake;
    summary.textContent = [deals, pays, ...(time ? [minutes.replace("#", () => time)] : [])].join(" · ");
  }
}

const FACE = "#seat-";
const shapeOf = (symbol) => Number(symbol.firstElementChild.getAttribute("href").slice(FACE.length));
const colorOf = (symbol) => Number(/ seat-(\d+)/.exec(symbol.getAttribute("class"))[1]);

function recolor({ classList }, kind, color) {
  classList.remove(...[...classList].filter((name) => name.startsWith(kind)));
  classList.add(kind + color);
}

// The name on a seat, or the number of the seat while it has none.
const nameAt = ({ value, placeholder }) => value.trim() || placeholder;

// Two names go to each other's seats.
function glide(one, other) {
  if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
  const [from, to] = [one, other].map((input) => input.closest(".place").getBoundingClientRect());
  const [x, y] = [to.left - from.left, to.top - from.top];
  for (const [input, way] of [[one, 1], [other, -1]])
    input.closest(".place").animate(
      [
        { transform: `translate(${way * x}px, ${way * y}px)` },
        { transform: `translate(${(way * (x - y / 3)) / 2}px, ${(way * (y + x / 3)) / 2}px)` },
        { transform: "none" },
      ],
      { duration: GLIDING, easing: "ease-out" },
    );
}

function permute(seats, order) {
  const names = seats.map(({ value }) => value);
  for (const [at, place] of seats.entries()) place.value = names[order[at]];
}

function randomOrder(n) {
  const left = [...Array(n).keys()];
  return [...left].map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

const ZEROS = [0x966, 0x6f0, 0x660]; // Devanagari, Persian, Arabic; nine more digits follow each

/** Return a typed number with the digits 0 to 9. */
export function plainDigits(typed) {
  const plain = (digit) => digit.codePointAt() - ZEROS.find((zero) => zero <= digit.codePointAt());
  return typed.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, plain).replace("\u066b", ".");
}
