// Taps and forms of the offline pages, handled one after the other.

import { isBounce } from "../game/debounce.js";
import { actionAt } from "./targets.js";

let queue = Promise.resolve();

/**
 * Call `onTap(action, data)` for each tap on an element with `data-action`, and
 * `onSubmit(action, fields, data)` for each form, once those before are done. `data.on` is the
 * generation of the entries that were shown when the tap was made.
 */
export function listen(root, { onTap, onSubmit }) {
  root.addEventListener("click", (event) => {
    const { button, action, data } = actionAt(event.target) ?? {};
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (event.isTrusted && isBounce(event, targetOf(button, action, data))) return;
    if (button.ariaDisabled === "true" && !button.title) return;
    const on = root.dataset.generation;
    enqueue(() => onTap(action, { ...data, on, value: button.value }));
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const { action, ...data } = event.target.dataset;
    const fields = new FormData(event.target);
    const on = root.dataset.generation;
    enqueue(() => onSubmit(action, fields, { ...data, on }));
  });
  root.addEventListener("keydown", (event) => {
    if (event.repeat && actionAt(event.target)) event.preventDefault();
  });
}

/** Run a step once those before are done. */
export function enqueue(step) {
  queue = queue.then(step, step);
  return queue;
}

const targetOf = ({ value }, action, { seat }) => `${action} ${seat} ${value}`;
