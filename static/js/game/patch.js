// Changes what is shown without replacing what stays the same: browsers style and lay out again only
// what is new.

/** Give an element the children of another one, and keep those that it has already. */
export function patch(element, { childNodes }) {
  const [before, after] = [[...element.childNodes], [...childNodes]];
  if (before.length !== after.length) return element.replaceChildren(...after);
  return after.forEach((node, at) => patchNode(before[at], node));
}

function patchNode(before, after) {
  if (before.isEqualNode(after)) return;
  if (!isKept(before, after)) return before.replaceWith(after);
  for (const { name } of [...before.attributes])
    if (!after.hasAttribute(name)) before.removeAttribute(name);
  for (const { name, value } of after.attributes)
    if (before.getAttribute(name) !== value) before.setAttribute(name, value);
  patch(before, after);
}

// A form with another purpose is replaced, as taps on the old one may be waiting; a section that is
// folded again forgets what was typed in it.
const isKept = (before, after) =>
  before.nodeName === after.nodeName &&
  before.attributes &&
  (!before.matches("form, details") || before.cloneNode().isEqualNode(after.cloneNode()));
