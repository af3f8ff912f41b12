// As much of the DOM as the phone's scripts need to render pages, so that they run without a browser.

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const NAMED = Object.fromEntries(Object.entries(ESCAPES).map(([sign, name]) => [name, sign]));
const VOID = new Set(["input", "meta", "link", "br"]);
const TAG = /<(?:!--[^]*?-->|!doctype[^>]*>|\/([\w-]+)>|([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>)|[^<]+/gi;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]);
const unescaped = (text) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
    .replace(/&(?:amp|lt|gt|quot);/g, (name) => NAMED[name]);

class TreeNode {
  constructor(name, space = null) {
    Object.assign(this, { name, space, nodeType: name === null ? 11 : 1 });
    Object.assign(this, { values: new Map(), childNodes: [], parent: null });
  }

  append(...pieces) {
    for (const piece of pieces) this.insert(this.childNodes.length, piece);
  }

  insert(at, piece) {
    const node = piece instanceof TreeNode || piece instanceof TextNode ? piece : new TextNode(piece);
    if (node.nodeType === 11) {
      for (const child of [...node.childNodes].reverse()) this.insert(at, child);
      return;
    }
    node.remove();
    node.parent = this;
    this.childNodes.splice(at, 0, node);
  }

  insertBefore(node, next) {
    this.insert(next ? this.childNodes.indexOf(next) : this.childNodes.length, node);
  }

  remove() {
    remove(this);
  }

  replaceWith(...pieces) {
    replace(this, pieces);
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  // By the name of an element, its id after "#", or one of its classes after ".".
  querySelectorAll(wanted) {
    const classesOf = (values) => `${values?.get("class") ?? ""}`.split(" ").map((one) => `.${one}`);
    const namesOf = ({ name, values }) => [name, `#${values?.get("id")}`, ...classesOf(values)];
    const isWanted = (one) => namesOf(one).includes(wanted);
    return this.childNodes.flatMap((one) => [
      ...(isWanted(one) ? [one] : []),
      ...(one.querySelectorAll?.(wanted) ?? []),
    ]);
  }

  querySelector(wanted) {
    return this.querySelectorAll(wanted)[0] ?? null;
  }

  get attributes() {
    return [...this.values].map(([name, value]) => ({ name, value }));
  }

  get firstElementChild() {
    return this.childNodes.find(({ nodeType }) => nodeType === 1) ?? null;
  }

  get dataset() {
    return { slot: this.values.get("data-slot"), if: this.values.get("data-if") };
  }

  get content() {
    this.fragment ??= Object.assign(new TreeNode(null), { childNodes: this.childNodes });
    return this.fragment;
  }

  set className(text) {
    this.setAttribute("class", text);
  }

  setAttribute(name, value) {
    this.values.set(name, String(value));
  }

  getAttribute(name) {
    return this.values.get(name) ?? null;
  }

  removeAttribute(name) {
    this.values.delete(name);
  }

  cloneNode() {
    const copy = new TreeNode(this.name, this.space);
    copy.values = new Map(this.values);
    copy.append(...this.childNodes.map((child) => child.cloneNode()));
    return copy;
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent).join("");
  }

  set textContent(text) {
    this.childNodes = [];
    if (text !== "") this.append(text);
  }
}

class TextNode {
  constructor(data) {
    Object.assign(this, { data: String(data), nodeType: 3, parent: null });
  }

  remove() {
    remove(this);
  }

  replaceWith(...pieces) {
    replace(this, pieces);
  }

  cloneNode() {
    return new TextNode(this.data);
  }

  get textContent() {
    return this.data;
  }
}

for (const kind of [TreeNode, TextNode])
  Object.defineProperties(kind.prototype, {
    parentNode: {
      get() {
        return this.parent;
      },
    },
    nextSibling: {
      get() {
        return this.parent.childNodes[this.parent.childNodes.indexOf(this) + 1] ?? null;
      },
    },
  });

function remove(node) {
  if (!node.parent) return;
  node.parent.childNodes.splice(node.parent.childNodes.indexOf(node), 1);
  node.parent = null;
}

function replace(node, pieces) {
  const { parent } = node;
  const at = parent.childNodes.indexOf(node);
  remove(node);
  for (const piece of [...pieces].reverse()) parent.insert(at, piece);
}

globalThis.addEventListener ??= () => {}; // nobody taps here
globalThis.Node = { TEXT_NODE: 3 };

globalThis.addEventListener = () => {};
globalThis.document = {
  querySelector: () => null,
  createElement: (name) => new TreeNode(name),
  createElementNS: (space, name) => new TreeNode(name, space),
  createDocumentFragment: () => new TreeNode(null),
  createTextNode: (text) => new TextNode(text),
};

/** Parse a page of well-formed HTML, as far as its elements can be found by their ids. */
export function parsePage(html) {
  const byId = new Map();
  let parent = new TreeNode(null);
  for (const [text, end, start, attributes, closed] of html.matchAll(TAG)) {
    if (end) parent = parent.parent;
    else if (start) {
      const element = new TreeNode(start);
      for (const [, name, value = ""] of attributes.matchAll(ATTRIBUTE))
        element.values.set(name, unescaped(value));
      parent.append(element);
      byId.set(element.values.get("id"), element);
      if (!closed && !VOID.has(start)) parent = element;
    } else if (!text.startsWith("<!")) parent.append(unescaped(text));
  }
  return { getElementById: (id) => byId.get(id) };
}

globalThis.XMLSerializer = class {
  serializeToString(node, outside = null) {
    if (node.nodeType === 3) return escaped(node.data);
    const inside = node.childNodes.map((child) => this.serializeToString(child, node.space)).join("");
    if (node.name === null) return inside;
    const space = node.space === outside ? [] : [["xmlns", node.space]];
    const written = [...space, ...node.values].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    return `<${node.name}${written.join("")}>${inside}</${node.name}>`;
  }
};
