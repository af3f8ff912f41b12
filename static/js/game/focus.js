// What keeps the place on the page of a game when it is drawn again: the focus, and the row that is asked.

/**
 * Give the focus back after a page was rendered: to the element that `held` it, or the next one that
 * is tapped. A conflict, named by `clash`, takes it when it appears; once it is resolved the heading does.
 */
export function restoreFocus(root, held, clash) {
  const isChanged = clash !== (root.dataset.clash ?? "");
  root.dataset.clash = clash;
  const title = root.querySelector(clash ? "#clash" : "h1");
  if (isChanged && title) title.tabIndex = -1;
  if (isChanged) scrollTo(0, 0);
  const same = held?.isConnected ? held : document.getElementById(held?.id);
  const next = () => firstOf(root, "#panel .seat-who", "#won", ":is(#score, #again) button:not([aria-disabled])", "#pad .key");
  const after = isChanged ? title : (same ?? next());
  if ((isChanged || held) && after !== document.activeElement) focusSoon(after, isChanged);
}

// Not before the page is laid out anyway, which a focus does at once.
function focusSoon(element, isTaken) {
  const isFree = () => isTaken || document.activeElement === document.body;
  requestAnimationFrame(() => isFree() && element?.focus({ preventScroll: true }));
}

const firstOf = (root, ...selectors) => selectors.map((one) => root.querySelector(one)).find(Boolean);

/** Scroll to the seat that is asked, with the scores in sight where there is room for both. */
export function scrollToActiveSeat(root) {
  // Not before the page is laid out anyway.
  requestAnimationFrame(() => {
    scrollTo(0, 0);
    const row = root.querySelector(".seat.active");
    row?.scrollIntoView({ block: "nearest" });
    const [seat, dock] = [row, root.querySelector(".keys > .dock")].map((one) => one?.getBoundingClientRect());
    const isBelow = dock && seat && dock.left < seat.right && dock.right > seat.left;
    if (isBelow && seat.bottom > dock.top) scrollBy(0, seat.bottom - dock.top);
  });
}
