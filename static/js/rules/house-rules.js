// Shows what changed values mean while they are typed: asks the server for the page of the form as
// it stands, and takes over what is told beside each field. Without this script a button does it.

const PAUSE = 250; // ms without a key until the server is asked

const form = document.getElementById("house-rules");
const book = form.elements.rules;
const way = document.getElementById("show"); // the button that does it without this script
let waiting;
let asked;

async function show() {
  asked?.abort();
  asked = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  query.delete("csrf_token");
  try {
    const answer = await fetch(`${form.dataset.show}?${query}`, {
      headers: { "HX-Request": "true" },
      signal: asked.signal,
    });
    if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch (error) {
    if (error.name !== "AbortError") way.hidden = false;
  }
}

function take(page) {
  for (const told of form.querySelectorAll("[id$='-told']")) {
    const now = page.getElementById(told.id);
    if (!now) continue;
    const field = document.getElementById(told.id.slice(0, -"-told".length));
    if (now.querySelector(".error")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (told.innerHTML !== now.innerHTML) told.replaceChildren(...now.childNodes);
  }
}

form.addEventListener("input", (event) => {
  clearTimeout(waiting);
  if (event.target === book) way.querySelector("button").click(); // another book has other fields
  else if (event.target.name !== "name") waiting = setTimeout(show, PAUSE);
});

way.hidden = true;

// What was typed before this script came is told as well.
if ([...form.elements].some(({ value, defaultValue }) => value !== (defaultValue ?? value))) show();
