// Taps and forms of the app, handled one after the other.

let queue = Promise.resolve();
let waiting = 0; // steps that are not done

const RELEASE = 300; // ms after a finger was lifted: a click that was meant has come by then
let pressed; // {done, release} while a finger is down

/** Return a promise that is resolved when the finger on the screen is lifted; undefined if there is none. */
export const released = () => pressed?.done;

const FRAME = 100; // ms after which a frame is not waited for, as of a page that is hidden
const { port1, port2 } = new MessageChannel(); // to tasks of their own, sooner than by a timer
const due = [];
port1.onmessage = () => due.shift()();

/** Return a promise that is resolved, in a task of its own, once what was drawn is seen. */
export const afterFrame = () =>
  new Promise((resolve) => {
    const end = () => due.push(resolve) && port2.postMessage(0);
    requestAnimationFrame(end);
    setTimeout(end, FRAME);
    const frame = new Animation(new KeyframeEffect(null, null, 1));
    frame.play();
    frame.finished.then(end);
  });

/**
 * Call these once those before are done: `onTap(action, data)` for a tap on an element with
 * `data-action`, `onSubmit(action, fields, data)` for a form with it, `onEntry(path, fields, data)` for
 * any other form, and `onLink(href)` for a link to a page of this server. `onMenu()` is called at once when
 * the menu is about to open. `data.on` is the generation
 * of the entries that were shown when the tap was made.
 */
export function listen(root, { onTap, onSubmit, onEntry, onLink, onMenu }) {
  ignoreSecondTaps(root);
  root.addEventListener("click", (event) => {
    if (event.target.closest("#menu:not([open]) > summary")) onMenu();
    const tapped = event.target.closest("button, a, [data-action]:not(form)");
    if (!tapped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { action, ...data } = tapped.dataset;
    if (!action && tapped.matches("a")) return openLink(event, tapped, onLink);
    if (!action) return undefined; // the button of a form
    event.preventDefault();
    const on = root.dataset.generation;
    return enqueueTap(() => onTap(action, { ...data, on, value: tapped.value }));
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target: form, submitter } = event;
    const { action, ...data } = form.dataset;
    const on = root.dataset.generation;
    if (!action) return enterInTurn(root, onEntry, { form, submitter, on });
    const fields = new FormData(form, submitter);
    return enqueueTap(() => onSubmit(action, fields, { ...data, on }));
  });
  root.addEventListener("keydown", (event) => {
    if (event.repeat && event.target.closest("button, a")) event.preventDefault();
  });
  document.addEventListener("pointerdown", () => {
    pressed?.release();
    pressed = press();
  });
  for (const end of ["click", "pointercancel", "keydown"])
    document.addEventListener(end, () => pressed?.release(), true);
  document.addEventListener("pointerup", () => {
    const lifted = pressed;
    setTimeout(() => lifted?.release(), RELEASE);
  });
}

// Enters a form once the taps before it are shown: then it is for the seat that is asked by then, so its
// fields are read again, and its button may have been enabled; if not, that says `why`. A form that is
// not shown any more is entered as one of an outdated page.
function enterInTurn(root, onEntry, { form, submitter, on }) {
  const action = form.getAttribute("action");
  const { name, value } = submitter ?? {};
  return enqueueTap(() => {
    const isShown = form.isConnected && form.getAttribute("action") === action;
    const shown = isShown ? form : root.querySelector(`form[action="${action}"]`);
    const fields = new FormData(shown ?? form);
    if (name) fields.set(name, value);
    const button = shown?.querySelector("button");
    const why = !name && button?.ariaDisabled && button.title;
    return onEntry(action, fields, { on: shown ? on : NaN, why, button: submitter });
  });
}

// Clears `pressed` once it is released, unless another finger is down by then.
function press() {
  const own = {};
  own.done = new Promise((resolve) => {
    own.release = () => {
      if (pressed === own) pressed = undefined;
      resolve();
    };
  });
  return own;
}

function openLink(event, link, onLink) {
  const isOurs = link.origin === location.origin && !link.target;
  if (!isOurs || event.defaultPrevented || link.hash.length > 1) return;
  event.preventDefault();
  enqueueTap(() => onLink(link.getAttribute("href")));
}

function enqueueTap(step) {
  const isSecond = newestTap();
  return enqueue(() => (isSecond() ? undefined : step()));
}

/** Run a step once those before are done; the document is told when all are. */
export function enqueue(step) {
  waiting += 1;
  document.documentElement.dataset.busy = "yes";
  queue = queue.then(step, step).finally(settle);
  return queue;
}

function settle() {
  waiting -= 1;
  if (waiting) return;
  delete document.documentElement.dataset.busy;
  document.dispatchEvent(new Event("settled"));
}

const SETTLING = 500; // ms from the first paint of a screen until it takes taps
const BOUNCE = 100; // ms: no finger taps twice on purpose within this time
const NEAR = 40; // px: less than from one key to the next
let last = {}; // the newest click, with the place of the newest one that counted
let screens = 0; // that were shown

/** Ignore taps where the newest one was, until the screen that has just been drawn is seen. */
export function startSettling(root) {
  screens += 1;
  const own = screens;
  root.dataset.settling = "";
  const end = () => own === screens && delete root.dataset.settling;
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(end, SETTLING)));
}

/** Let no second tap reach what is in an element. */
const ignoreSecondTaps = (root) => root.addEventListener("click", (event) => onClick(root, event), true);

/** Return a function that tells whether the newest tap turns out to be a second one once its turn comes. */
function newestTap() {
  const [{ isThere }, then] = [last, screens];
  return () => isThere && then !== screens;
}

function onClick(root, event) {
  const { clientX: x, clientY: y, detail, timeStamp: at, target } = event;
  if (!event.isTrusted) return;
  const isThere = detail ? Math.hypot(x - last.x, y - last.y) < NEAR : last.detail === 0; // 0: by keyboard
  if (isThere && ("settling" in root.dataset || at - last.at < BOUNCE)) {
    last.at = at;
    event.preventDefault();
    event.stopImmediatePropagation();
  } else {
    last = { x, y, detail, at, isThere };
    if (target.closest("summary")) startSettling(root); // what it unfolds or covers
  }
}
