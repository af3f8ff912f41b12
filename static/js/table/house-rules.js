// Fields of house rules: numbers with a minus and a plus, and a switch where they may be off; and on the page
// of house rules their help texts, which the server renders again while values are typed. Without this script
// numbers are typed, "off" too, and a button shows the texts.

const LARGE = 50; // from here on in steps of five
const TYPING_PAUSE = 250; // ms after the last key until the request

function button(sign, step) {
  const found = Object.assign(document.createElement("button"), { type: "button", textContent: sign, tabIndex: -1 });
  found.ariaHidden = "true"; // keyboards have the arrow keys
  found.addEventListener("click", step);
  return found;
}

function change(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function step(field, sign) {
  const value = Number(field.value);
  if (!Number.isInteger(value)) return;
  const by = Math.abs(value) >= LARGE ? 5 : 1;
  change(field, value + sign * by);
}

function addStepper(field) {
  const stepper = Object.assign(document.createElement("span"), { className: "number-stepper" });
  field.replaceWith(stepper);
  stepper.append(button("−", () => step(field, -1)), field, button("+", () => step(field, 1)));
  field.addEventListener("keydown", (event) => {
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    step(field, sign);
  });
  return stepper;
}

function addSwitch(field, stepper) {
  const { on, off } = field.dataset;
  const name = document.querySelector(`label[for="${field.id}"]`).firstChild.textContent.trim();
  const given = { type: "checkbox", id: `${field.id}-on`, ariaLabel: name, checked: field.value !== off };
  const box = Object.assign(document.createElement("input"), given);
  box.setAttribute("role", "switch");
  let last = given.checked ? field.value : on;
  box.addEventListener("input", (event) => event.stopPropagation());
  box.addEventListener("change", () => {
    if (!box.checked) last = field.value;
    change(field, box.checked ? last : off);
  });
  const show = () => {
    box.checked = field.value !== off;
    stepper.hidden = !box.checked;
  };
  field.addEventListener("input", show);
  stepper.before(box);
  show();
}

const form = document.getElementById("house-rules");
const showButton = document.getElementById("show"); // used where this script does not run
let timer;
let pending;

async function refreshHelp() {
  pending?.abort();
  pending = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  query.delete("csrf_token");
  try {
    const { signal } = pending;
    const response = await fetch(`${form.dataset.show}?part=1&${query}`, { signal });
    if (response.ok) updateHelp(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch (error) {
    if (error.name !== "AbortError") showButton.hidden = false;
  }
}

function updateHelp(page) {
  for (const help of form.querySelectorAll("[id$='-help']")) {
    const fresh = page.getElementById(help.id);
    if (!fresh) continue;
    const field = document.getElementById(help.id.slice(0, -"-help".length));
    if (fresh.querySelector(".error")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (help.innerHTML !== fresh.innerHTML) help.replaceChildren(...fresh.childNodes);
  }
}

function refreshWhileTyping() {
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    // Another rule book has other fields.
    if (event.target === form.elements.rules) showButton.querySelector("button").click();
    else if (event.target.name !== "name") timer = setTimeout(refreshHelp, TYPING_PAUSE);
  });
  showButton.hidden = true;
  if ([...form.elements].some(hasChanged)) refreshHelp(); // typed before this script was loaded
}

const hasChanged = ({ value, defaultValue, checked, defaultChecked }) =>
  value !== (defaultValue ?? value) || checked !== defaultChecked;

if (form) refreshWhileTyping();
for (const field of document.querySelectorAll(".topic-fold input[inputmode], .topic-fold input[data-on]")) {
  const stepper = addStepper(field);
  if (field.dataset.on) addSwitch(field, stepper);
}
