// Numbers of house rules with a minus and a plus, and a switch where they may be off. Without this script
// numbers are typed, and "off" too.

const LARGE = 50; // from here on in steps of five

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

for (const field of document.querySelectorAll(".topic-fold input[inputmode], .topic-fold input[data-on]")) {
  const stepper = addStepper(field);
  if (field.dataset.on) addSwitch(field, stepper);
}
