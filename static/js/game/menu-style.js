// The style of the menu of a game, loaded once the page can be used, and what folds it again.

const href = new URL("../../css/menu.css", import.meta.url);
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));

// It opens with all of its parts folded. Events of folding do not bubble.
addEventListener(
  "toggle",
  ({ target }) => {
    if (target.id !== "menu" || target.open) return;
    for (const unfolded of target.querySelectorAll("details[open]")) unfolded.open = false;
  },
  true,
);
