// Taps and forms of the phone's own pages, one after the other.

const BOUNCE = 250; // ms: a second touch of the same place within this time is the same tap
const NEAR = 24; // px: half of the smallest key

let doing = Promise.resolve();
let last = { at: -Infinity };

/**
 * Tell of each tap on something with `data-act`, and of each form, once those before are done; `on`
 * is what the place showed when it was made.
 */
export function listen(place, { tap, sent }) {
  place.addEventListener("click", (event) => {
    const tapped = event.target.closest("[data-act]:not(form)");
    if (!tapped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if ((event.isTrusted && isBounce(event, tapped)) || tapped.ariaDisabled === "true" && !tapped.title) return;
    const { act, ...data } = tapped.dataset;
    const on = place.dataset.turn;
    inTurn(() => tap(act, { ...data, on, value: tapped.value }));
  });
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    const { act, ...data } = event.target.dataset;
    const typed = new FormData(event.target);
    const on = place.dataset.turn;
    inTurn(() => sent(act, typed, { ...data, on }));
  });
  place.addEventListener("keydown", (event) => {
    if (event.repeat && event.target.closest("[data-act]:not(form)")) event.preventDefault();
  });
}

/** Do something once what was tapped before is done. */
export function inTurn(step) {
  doing = doing.then(step, step);
  return doing;
}

function isBounce({ clientX: x, clientY: y, detail }, { dataset, value }) {
  const now = { tapped: `${dataset.act} ${dataset.seat} ${value}`, x, y, at: performance.now() };
  const same = now.tapped === last.tapped || Math.hypot(x - last.x, y - last.y) < NEAR;
  const bounce = now.at - last.at < BOUNCE && (same || detail === 0); // 0: by keyboard
  last = now;
  return bounce;
}
