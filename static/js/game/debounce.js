// Filter for contact bounce: one touch of a finger or key that arrives as two clicks.

const BOUNCE = 100; // ms: no finger taps twice on purpose within this time
const SURPRISE = 250; // ms: nor is anything aimed at that has just come under the finger
const NEAR = 24; // px: half of the smallest key
let last = { at: -Infinity };

/**
 * Return whether a click repeats the one before. `target` names what was clicked, and `kind` what it is:
 * another key of the same pad can be aimed at without looking.
 */
export function isBounce({ clientX: x, clientY: y, detail, timeStamp: at }, target, kind) {
  // The page may have changed between both touches: then their place tells, not the button.
  const isSame = target === last.target || Math.hypot(x - last.x, y - last.y) < NEAR;
  const limit = kind === last.kind ? BOUNCE : SURPRISE;
  const bounce = at - last.at < limit && (isSame || detail === 0); // 0: by keyboard
  last = { target, kind, x, y, at };
  return bounce;
}
