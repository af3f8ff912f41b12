// The whole name and the whole hints of a row that was tapped, for some seconds, where the row shows a part of them.
// Escape closes that.

const BUBBLE_LASTS = 4000; // ms
const SHOWN_BY = 10; // ms, until the tap is shown
let bubble;
let bubbleTimer;

/** Show bubbles for rows of seats from now on. */
export function watchRows() {
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hideBubble();
  });
  document.addEventListener("click", ({ target }) => {
    hideBubble();
    const row = target.closest?.("a.seat-who")?.closest(".seat");
    if (row) bubbleTimer = setTimeout(() => showWhole(document.getElementById(row.id)), SHOWN_BY);
  });
}

function hideBubble() {
  bubble?.remove();
  clearTimeout(bubbleTimer);
}

function showWhole(row) {
  const name = row?.querySelector(".seat-name > bdi");
  const hints = [...(row?.querySelectorAll(".seat-notes .visually-hidden") ?? [])].map(({ textContent }) => textContent);
  if (!name || (name.scrollWidth <= name.clientWidth && !hints.length)) return;
  bubble = Object.assign(document.createElement("p"), { className: "bubble" });
  bubble.setAttribute("aria-hidden", "true"); // the row says it
  const whole = Object.assign(document.createElement("b"), { textContent: name.textContent, dir: "auto", translate: false });
  bubble.append(whole, ...hints.map((hint) => Object.assign(document.createElement("span"), { textContent: hint })));
  const { bottom, left, width } = row.getBoundingClientRect();
  Object.assign(bubble.style, { top: `${bottom}px`, left: `${left}px`, width: `${width}px` });
  document.body.append(bubble);
  bubbleTimer = setTimeout(() => bubble.remove(), BUBBLE_LASTS);
}
