// As much of the DOM as pieces of text and pictures need, so that the scripts run without a browser.

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

class Node {
  constructor(name, space = null) {
    Object.assign(this, { name, space, attributes: new Map(), childNodes: [] });
  }

  append(...pieces) {
    for (const piece of pieces) {
      if (piece instanceof Node && piece.name === null) this.childNodes.push(...piece.childNodes);
      else this.childNodes.push(piece instanceof Node ? piece : String(piece));
    }
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent ?? node).join("");
  }

  set textContent(text) {
    this.childNodes = text === "" ? [] : [String(text)];
  }
}

globalThis.document = {
  createElement: (name) => new Node(name),
  createElementNS: (space, name) => new Node(name, space),
  createDocumentFragment: () => new Node(null),
};

globalThis.XMLSerializer = class {
  serializeToString(node, outside = null) {
    if (typeof node === "string") return escaped(node);
    const space = node.space === outside ? [] : [["xmlns", node.space]];
    const written = [...space, ...node.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    const inside = node.childNodes.map((child) => this.serializeToString(child, node.space));
    return `<${node.name}${written.join("")}>${inside.join("")}</${node.name}>`;
  }
};
