// Filter for contact bounce: one touch of a finger or key that arrives as two clicks.

const BOUNCE = 100; // ms: no finger taps twice on purpose within this time
const SURPRISE = 250; // ms: nor is anything aimed at that has just come under the finger
const NEAR = 24; // px: half of the smallest key
let lastClick = { at: -Infinity };

/**
 * Return whether a click repeats the one before. `target` names what was clicked, and `kind` what it is:
 * another key of the same pad can be aimed at without looking.
 */
export function isBounce({ clientX: x, clientY: y, detail, timeStamp: at }, target, kind) {
  // The page may have changed between both touches: then their place tells, not the button.
  const isSame = target === lastClick.target || Math.hypot(x - lastClick.x, y - lastClick.y) < NEAR;
  const limit = kind === lastClick.kind ? BOUNCE : SURPRISE;
  const bounce = at - lastClick.at < limit && (isSame || detail === 0); // 0: by keyboard
  lastClick = { target, kind, x, y, at };
  return bounce;
}
