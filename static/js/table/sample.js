// The example game on the first page of a public server: shown once the page is there, one round after the other.
// Where motion is unwelcome it stands still at its end.

const PAUSE = 2600; // ms
const REST = 3; // as many pauses at the end
const sample = document.getElementById("sample");

function play(steps) {
  let shown = steps.length - 1;
  let rest = REST;
  setInterval(() => {
    if (document.hidden || (shown === steps.length - 1 && rest-- > 0)) return;
    steps[shown].hidden = true;
    shown = (shown + 1) % steps.length;
    steps[shown].hidden = false;
    rest = REST;
  }, PAUSE);
}

requestAnimationFrame(() => {
  sample.replaceWith(sample.content);
  const steps = [...document.querySelectorAll(".sample-step")];
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(steps);
});
