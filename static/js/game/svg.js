import { setAttributes } from "../offline/phrases.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Return a new SVG element. */
export function svg(name, attributes, text = "") {
  const element = setAttributes(document.createElementNS(NAMESPACE, name), attributes);
  element.textContent = text;
  return element;
}
