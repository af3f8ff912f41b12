// Confetti over the winner's name when a game ends; a finished game that is opened later shows none.

const PIECES = 60;
const FALL = 2200; // ms

/** Let confetti fall over an element once, unless reduced motion is asked for. */
export function celebrate(winner) {
  if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
  const colours = [1, 2, 3, 4, 5].map((seat) => `var(--seat-${seat})`);
  const layer = document.createElement("div");
  layer.ariaHidden = "true";
  // Over the heading only, so that it covers no button and shifts no layout.
  layer.style.cssText = "position: absolute; inset: 0; overflow: hidden; pointer-events: none";
  winner.style.position = "relative";
  winner.append(layer);
  const { width, height } = layer.getBoundingClientRect();
  for (let n = 0; n < PIECES; n += 1) {
    const piece = document.createElement("i");
    const x = Math.random() * width;
    const drift = (Math.random() - 0.5) * 120;
    piece.style.cssText = "position: absolute; left: 0; top: -1rem; width: .5rem; height: .75rem";
    piece.style.background = colours[n % colours.length];
    layer.append(piece);
    const fallen = `translate(${x + drift}px, ${height + 32}px) rotate(${Math.random() * 1080}deg)`;
    piece.animate([{ transform: `translate(${x}px)` }, { transform: fallen }], {
      duration: FALL * (0.6 + 0.4 * Math.random()),
      delay: Math.random() * 400,
      easing: "ease-in",
      fill: "both",
    });
  }
  setTimeout(() => layer.remove(), FALL + 500);
}
