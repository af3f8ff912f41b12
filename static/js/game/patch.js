// Changes what is shown without replacing what stays the same: browsers style and lay out again only
// what is new.

const parts = new WeakMap(); // {key, build} of the templates that stand for a part
const keys = new WeakMap(); // of the parts that are shown

/**
 * Return what stands for a part of a page, an element that is the same as long as its key is. Only
 * if the page does not show it already, `build()` has to return it.
 */
export function part(key, build) {
  const stand = document.createElement("template");
  parts.set(stand, { key, build });
  return stand;
}

/** Return a node whose parts are all built. */
export function buildParts(node) {
  for (const stand of node.querySelectorAll?.("template") ?? []) stand.replaceWith(buildPart(stand));
  return buildPart(node);
}

function buildPart(node) {
  const { key, build } = parts.get(node) ?? {};
  if (!build) return node;
  const built = build();
  keys.set(built, key);
  return built;
}

/** Give an element the children of another one, and keep those that it has already. */
export function patch(element, { childNodes }) {
  const [before, after] = [[...element.childNodes], [...childNodes]];
  for (const node of before.slice(after.length)) node.remove();
  element.append(...after.slice(before.length).map(buildParts));
  after.slice(0, before.length).forEach((node, at) => patchNode(before[at], node));
}

function patchNode(before, next) {
  if (parts.has(next) && parts.get(next).key === keys.get(before)) return;
  const after = buildPart(next);
  if (before.isEqualNode(after)) return noteKey(before, after);
  if (!isKept(before, after)) return before.replaceWith(buildParts(after));
  for (const { name } of [...before.attributes])
    if (!after.hasAttribute(name)) before.removeAttribute(name);
  for (const { name, value } of after.attributes)
    if (before.getAttribute(name) !== value) before.setAttribute(name, value);
  noteKey(before, after);
  patch(before, after);
}

const noteKey = (before, after) => keys.set(before, keys.get(after));

// A form with another purpose is replaced, as taps on the old one may be waiting; a section that is
// folded again forgets what was typed in it.
const isKept = (before, after) =>
  before.nodeName === after.nodeName &&
  before.attributes &&
  (!before.matches("form, details") || before.cloneNode().isEqualNode(after.cloneNode()));
