// Confetti over the winner's name, once, where motion is welcome. It comes with the page part that
// ends a game; a finished game that is only looked at again gets none.

const PIECES = 60;
const FALL = 2200; // ms

function celebrate(winner) {
  const colours = [1, 2, 3, 4, 5].map((seat) => `var(--seat-${seat})`);
  const sky = document.createElement("div");
  sky.ariaHidden = "true";
  // On top of the heading alone, so that it covers no button and moves nothing.
  sky.style.cssText = "position: absolute; inset: 0; overflow: hidden; pointer-events: none";
  winner.style.position = "relative";
  winner.append(sky);
  const { width, height } = sky.getBoundingClientRect();
  for (let n = 0; n < PIECES; n += 1) {
    const piece = document.createElement("i");
    const x = Math.random() * width;
    const drift = (Math.random() - 0.5) * 120;
    piece.style.cssText = "position: absolute; left: 0; top: -1rem; width: .5rem; height: .75rem";
    piece.style.background = colours[n % colours.length];
    sky.append(piece);
    const fallen = `translate(${x + drift}px, ${height + 32}px) rotate(${Math.random() * 1080}deg)`;
    piece.animate([{ transform: `translate(${x}px)` }, { transform: fallen }], {
      duration: FALL * (0.6 + 0.4 * Math.random()),
      delay: Math.random() * 400,
      easing: "ease-in",
      fill: "both",
    });
  }
  setTimeout(() => sky.remove(), FALL + 500);
}

const won = document.querySelector(".winner");
const isNews = document.readyState === "complete"; // no part of the page as it was loaded
const isWelcome = matchMedia("(prefers-reduced-motion: no-preference)").matches;
if (won && isNews && isWelcome) celebrate(won);
