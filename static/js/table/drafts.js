// What is typed in forms with `data-draft`, which is a name that no other table has, stays on this phone until it is
// sent or cleared, a week at most: phones throw pages away during a call. Without storage nothing is kept.

const DRAFT = "draft/";
const DRAFT_WEEK = 7 * 86400000; // ms
const firstOfForm = new WeakMap(); // what forms had at first, as text
let isRestoring = false;

// Keeps what is typed from now on, and shows what was typed before in the forms that are there.
function keepDrafts() {
  inLocalStorage(forgetOldDrafts);
  for (const event of ["input", "change", "click"]) document.addEventListener(event, ({ target }) => keepDraft(target));
  document.addEventListener("submit", ({ target }) => forgetDraft(target));
  document.addEventListener("reset", ({ target }) => firstOfForm.delete(target), true);
  document.addEventListener("drawing", () => queueMicrotask(restoreDrafts));
  restoreDrafts();
}

function restoreDrafts() {
  for (const form of document.querySelectorAll("form[data-draft]")) {
    if (firstOfForm.has(form)) continue;
    firstOfForm.set(form, draftText(form));
    // What was refused comes back with the page.
    if (!document.querySelector("main.page [role=alert]")) inLocalStorage((storage) => restoreDraft(form, storage));
  }
}

function inLocalStorage(step) {
  try {
    step(localStorage);
  } catch {} // storage is blocked or full
}

const draftKey = ({ dataset }) => DRAFT + dataset.draft;
const draftFields = (form) => [...form.elements].filter(({ name, type }) => name && !/^(hidden|submit|button)$/.test(type));
const isChoiceField = ({ type }) => type === "radio" || type === "checkbox";
const fieldValue = (field) => (isChoiceField(field) ? field.checked : field.value);
const fieldName = (field) => (isChoiceField(field) ? `${field.name}=${field.value}` : field.name);
const draftText = (form) => JSON.stringify(Object.fromEntries(draftFields(form).map((field) => [fieldName(field), fieldValue(field)])));

// Once the form's own scripts have done what they do.
function keepDraft(target) {
  const form = target.closest?.("form[data-draft]");
  if (!form || isRestoring) return;
  setTimeout(() => {
    const text = draftText(form);
    const draft = JSON.stringify({ at: Date.now(), fields: JSON.parse(text) });
    if (!firstOfForm.has(form) || !form.isConnected) return;
    if (text === firstOfForm.get(form)) forgetDraft(form);
    else inLocalStorage((storage) => storage.setItem(draftKey(form), draft));
  });
}

function forgetDraft(form) {
  if (form.dataset?.draft) inLocalStorage((storage) => storage.removeItem(draftKey(form)));
  firstOfForm.delete(form);
  if (form.dataset?.draft && form.isConnected) firstOfForm.set(form, draftText(form));
}

function restoreDraft(form, storage) {
  const { fields } = JSON.parse(storage.getItem(draftKey(form)) ?? "{}");
  isRestoring = true;
  for (const field of fields ? draftFields(form) : []) {
    const value = fields[fieldName(field)];
    if (value === undefined || value === fieldValue(field) || (field.type === "radio" && !value)) continue;
    if (isChoiceField(field)) field.checked = value;
    else field.value = value;
    for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
  }
  isRestoring = false;
}

function forgetOldDrafts(storage) {
  for (const key of Object.keys(storage).filter((one) => one.startsWith(DRAFT))) {
    const { at } = JSON.parse(storage.getItem(key));
    if (!(Math.abs(Date.now() - at) < DRAFT_WEEK)) storage.removeItem(key);
  }
}

// The app, which loads beside the server's pages, has this script too: a second one would restore a draft
// over what has been typed since. Not before the scripts of the forms listen.
if (!("drafts" in document.documentElement.dataset)) setTimeout(keepDrafts);
document.documentElement.dataset.drafts = "";
