// The form of a new game, with a server or without: names with one tap, as many seats as play, and what
// is missing. Everything but the recent names works without this script too.

import { selectNames } from "../players/names.js";

const isSameName = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Let a form of a new game respond to taps. */
export const setUp = (form) => new Setup(form).listen();

class Setup {
  constructor(form) {
    this.form = form;
    this.inputs = [...form.querySelectorAll(".place input")];
    this.counts = [...form.querySelectorAll("[name=seats]")];
    this.recent = form.querySelector(".recent");
    this.chips = [...form.querySelectorAll(".chip")];
    this.start = form.querySelector("#start");
    this.startText = this.start.textContent;
    this.wanted = this.count; // the number of seats chosen last
    this.active = null; // the seat that had the focus last
    this.typed = null; // the seat that is being typed into
  }

  listen() {
    for (const input of this.inputs) this.listenToSeat(input);
    selectNames(this.form);
    for (const button of this.form.querySelectorAll("[data-step]")) button.hidden = false;
    // A name that is tapped goes to the seat that has the focus.
    this.recent?.addEventListener("mousedown", (event) => event.preventDefault());
    this.form.addEventListener("click", (event) => this.onClick(event));
    this.form.addEventListener("input", () => this.show());
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
  }

  onClick(event) {
    const button = event.target.closest("button");
    if (button?.matches(".chip")) this.fill(button.value);
    if (button?.dataset.step) this.stepUp(button.parentElement.querySelector("input"), Number(button.dataset.step));
    if (button?.name === "move") this.move(button.value);
    const isUnfinished = button?.matches("#start, [name=next]") && this.firstEmpty;
    if (isUnfinished || button?.name === "move") event.preventDefault();
    if (isUnfinished) this.firstEmpty.focus();
  }

  onChange({ name }) {
    if (name === "seats") this.wanted = this.count;
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

  show() {
    const next = this.firstEmpty;
    for (const input of this.inputs) {
      const place = input.closest(".place");
      place.classList.toggle("next", input === next);
      place.classList.toggle("deals", input === this.dealer);
      // With "next", a phone's keyboard would go on to the field below.
      input.enterKeyHint = input === this.seats.at(-1) ? "done" : "next";
    }
    this.showChips();
    for (const one of this.form.querySelectorAll(".dealers [name=first_dealer]")) {
      const input = this.inputs[one.value - 1];
      if (input) one.parentElement.querySelector("small").textContent = nameAt(input);
    }
    const missing = next && this.inputs.indexOf(next) + 1;
    this.start.textContent = missing
      ? this.start.dataset.missing.replace("#", missing)
      : this.startText;
    this.start.classList.toggle("strong", !missing);
    this.showOptions();
  }

  // The names that have no seat, or while one is typed those that begin so.
  showChips() {
    const begun = this.typed?.value.trim().toLowerCase();
    const taken = this.seats.map(({ value }) => value);
    for (const chip of this.chips) {
      chip.hidden = begun
        ? !chip.value.toLowerCase().startsWith(begun)
        : taken.some((name) => isSameName(name, chip.value));
    }
    // Never hidden again, as what follows would move away from under a finger.
    if (begun || this.chips.some(({ hidden }) => !hidden)) this.recent?.removeAttribute("hidden");
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
    const [amount, time] = ["stake", "minutes"].map((name) => this.form.elements[name].value.trim());
    const deals = this.dealer ? dealer.replace("#", () => nameAt(this.dealer)) : draw;
    const pays = amount ? stake.replace("#", () => amount) : noStake;
    summary.textContent = [deals, pays, ...(time ? [minutes.replace("#", () => time)] : [])].join(" · ");
  }
}

// The name on a seat, or the number of the seat while it has none.
const nameAt = ({ value, placeholder }) => value.trim() || placeholder;

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
