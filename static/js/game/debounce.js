// Filter for contact bounce: one touch of a finger or key that arrives as two clicks.

export const BOUNCE = 250; // ms: a second click on the same place within this time is the same tap
const NEAR = 24; // px: half of the smallest key
let last = { at: -Infinity };

/** Return whether a click repeats the one before; `target` names what was clicked. */
export function isBounce({ clientX: x, clientY: y, detail }, target) {
  const now = { target, x, y, at: performance.now() };
  // The page may have changed between both touches: then their place tells, not the button.
  const isSame = target === last.target || Math.hypot(x - last.x, y - last.y) < NEAR;
  const bounce = now.at - last.at < BOUNCE && (isSame || detail === 0); // 0: by keyboard
  last = now;
  return bounce;
}
