// The pad of the game page. Without this script every tap is a form of its own and works as well.
// A page part that htmx fetched takes the old one's place; until then further taps wait their turn.

const BOUNCE = 250; // ms: a second touch of the same key within this time is the same tap
const waiting = [];
let busy = false;
let last = { value: "", at: 0 };

const pad = () => document.getElementById("pad");
const trouble = () => document.getElementById("trouble");

function rest() {
  // Programs and people see a key that does not answer yet; it is no native `disabled`, which
  // would take the focus away.
  pad()?.setAttribute("aria-disabled", "true");
  setTimeout(() => {
    if (!busy) pad()?.removeAttribute("aria-disabled");
  }, BOUNCE);
}

function isBounce(value) {
  const now = performance.now();
  const bounce = value === last.value && now - last.at < BOUNCE;
  last = { value, at: now };
  return bounce;
}

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.closest("#game")) return;
    const key = event.submitter;
    const tapped = key ? `${event.target.id} ${key.name} ${key.value}` : event.target.id;
    if (isBounce(tapped)) {
      stop(event);
    } else if (busy) {
      stop(event);
      if (key?.classList.contains("key")) waiting.push(key.value);
    } else {
      busy = true;
      // A live update must not swap the page under a tap that is on its way.
      document.documentElement.dataset.busy = "tap";
      key?.classList.add("tapped");
      rest();
    }
  },
  true,
);

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function ready() {
  busy = false;
  delete document.documentElement.dataset.busy;
  document.getElementById("menu")?.removeAttribute("open");
  rest();
  for (const key of document.querySelectorAll(".tapped")) key.classList.remove("tapped");
  const next = waiting.shift();
  if (next === undefined) {
    document.dispatchEvent(new Event("settled"));
    return;
  }
  const key = [...document.querySelectorAll("#pad .key")].find((one) => one.value === next);
  key?.click();
}

document.addEventListener("htmx:after:swap", () => {
  trouble().hidden = true;
  ready();
});

document.addEventListener("htmx:error", () => {
  waiting.length = 0;
  trouble().hidden = false;
  ready();
});

document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
