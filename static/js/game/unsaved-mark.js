// The mark beside the title while the server has not confirmed everything.

import { text } from "../offline/phrases.js";

/** Return the mark, which style sheets show after a moment. */
export function unsavedMark() {
  const mark = document.createElement("span");
  Object.assign(mark, { id: "unsaved", className: "unsaved", title: text("not_saved") });
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", text("not_saved"));
  return mark;
}
