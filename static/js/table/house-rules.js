// Help texts of the house rules form, refreshed while values are typed: the server renders the form
// with them, and the texts beside the fields are replaced. Without this script a button does it.

const TYPING_PAUSE = 250; // ms after the last key until the request

const form = document.getElementById("house-rules");
const book = form.elements.rules;
const showButton = document.getElementById("show"); // used where this script does not run
let timer;
let pending;

async function refreshHelp() {
  pending?.abort();
  pending = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  query.delete("csrf_token");
  try {
    const { signal } = pending;
    const response = await fetch(`${form.dataset.show}?part=1&${query}`, { signal });
    if (response.ok) updateHelp(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch (error) {
    if (error.name !== "AbortError") showButton.hidden = false;
  }
}

function updateHelp(page) {
  for (const help of form.querySelectorAll("[id$='-help']")) {
    const fresh = page.getElementById(help.id);
    if (!fresh) continue;
    const field = document.getElementById(help.id.slice(0, -"-help".length));
    if (fresh.querySelector(".error")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (help.innerHTML !== fresh.innerHTML) help.replaceChildren(...fresh.childNodes);
  }
}

form.addEventListener("input", (event) => {
  clearTimeout(timer);
  // Another rule book has other fields.
  if (event.target === book) showButton.querySelector("button").click();
  else if (event.target.name !== "name") timer = setTimeout(refreshHelp, TYPING_PAUSE);
});

showButton.hidden = true;

// Values typed before this script was loaded.
const hasChanged = ({ value, defaultValue, checked, defaultChecked }) =>
  value !== (defaultValue ?? value) || checked !== defaultChecked;
if ([...form.elements].some(hasChanged)) refreshHelp();
