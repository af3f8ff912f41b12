// The style of the menu of a game, loaded once the page can be used.

const href = new URL("../../css/menu.css", import.meta.url);
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
