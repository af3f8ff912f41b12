// The form of a new game, with a server or without: names with one tap, as many seats as play, and what
// is missing. Everything but the recent names works without this script too.

const STEP = 1; // of the stake
const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Let a form of a new game respond to taps. */
export function setUp(form) {
  const inputs = [...form.querySelectorAll(".place input")];
  const counts = [...form.querySelectorAll("[name=seats]")];
  const chips = [...form.querySelectorAll(".chip")];
  const start = form.querySelector("#start");
  const startText = start.textContent;
  let wanted = count(); // the number of seats chosen last
  let active; // the name that was typed or tapped last

  function count() {
    return Number(counts.find(({ checked }) => checked)?.value ?? inputs.length);
  }
  const shown = () => inputs.slice(0, count());
  const firstEmpty = () => shown().find(({ value }) => !value.trim());
  const sizes = () => form.querySelector("[name=rules]:checked").dataset.sizes.split(" ");

  function choose(n) {
    for (const one of counts) one.checked = Number(one.value) === n;
  }

  function followBook() {
    for (const one of counts) one.disabled = !sizes().includes(one.value);
    const open = counts.filter(({ disabled }) => !disabled).map(({ value }) => Number(value));
    if (open.length) choose(open.includes(wanted) ? wanted : open.at(-1));
  }

  function seat(name) {
    const isFull = !firstEmpty();
    if (isFull && !active && sizes().includes(`${count() + 1}`)) choose((wanted = count() + 1));
    const isEmpty = active && !active.value.trim();
    const place = (isEmpty ? active : firstEmpty()) ?? active ?? shown().at(-1);
    place.value = name;
    document.activeElement?.blur();
    active = null;
    show();
  }

  function permute(seats, order) {
    const names = seats.map(({ value }) => value);
    for (const [at, place] of seats.entries()) place.value = names[order[at]];
    show();
  }

  function move(way) {
    if (way === "shuffle") {
      const taken = shown().filter(({ value }) => value.trim());
      return permute(taken, shuffled(taken.length));
    }
    const n = Number.parseInt(way, 10);
    return permute([inputs[n - 2], inputs[n - 1]], [1, 0]);
  }

  function show() {
    const names = shown().map(({ value }) => value);
    const next = firstEmpty();
    for (const input of inputs) input.closest(".place").classList.toggle("next", input === next);
    for (const chip of chips) chip.hidden = names.some((name) => same(name, chip.value));
    const recent = form.querySelector(".recent");
    if (recent) recent.hidden = chips.every(({ hidden }) => hidden);
    for (const one of form.querySelectorAll(".dealers [name=first_dealer]")) {
      const at = Number(one.value) - 1;
      if (at >= 0) one.parentElement.querySelector("small").textContent = inputs[at].value;
    }
    const missing = next && inputs.indexOf(next) + 1;
    start.textContent = missing ? start.dataset.missing.replace("{n}", missing) : startText;
    start.classList.toggle("strong", !missing);
    showOptions();
  }

  function showOptions() {
    const summary = form.querySelector("#options-chosen");
    const { stake, noStake, dealer, draw } = summary.dataset;
    const chosen = form.elements.first_dealer.value;
    const amount = form.elements.stake.value.trim();
    const parts = [amount ? stake.replace("{amount}", () => amount) : noStake];
    if (chosen === "draw") parts.unshift(draw);
    else if (chosen) parts.unshift(dealer.replace("{name}", () => inputs[chosen - 1].value));
    summary.textContent = parts.join(" · ");
  }

  for (const [at, input] of inputs.entries()) {
    input.addEventListener("focus", () => (active = input));
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || !input.value.trim()) return;
      event.preventDefault();
      const next = shown().slice(at + 1).find(({ value }) => !value.trim());
      if (next) next.focus();
      else input.blur();
    });
  }
  for (const one of form.querySelectorAll(".stepper button")) {
    one.hidden = false;
    one.addEventListener("click", () => {
      const { stake } = form.elements;
      const amount = (Number(stake.value.replace(",", ".")) || 0) + STEP * one.dataset.step;
      stake.value = amount > 0 ? amount : "";
      show();
    });
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.matches(".chip")) seat(button.value);
    if (button?.name === "move") {
      event.preventDefault();
      move(button.value);
    }
    if (button === start && firstEmpty()) {
      event.preventDefault();
      firstEmpty().focus();
    }
  });
  form.addEventListener("input", show);
  form.addEventListener("change", ({ target }) => {
    if (target.name === "seats") wanted = count();
    if (target.name === "rules") followBook();
    if (["rules", "seats"].includes(target.name)) active = null;
    show();
  });
  followBook();
  show();
}

function shuffled(n) {
  const left = [...Array(n).keys()];
  return [...left].map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}
