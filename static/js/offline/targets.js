// What a tap on an element of the offline pages does.

// Elements of the game page; others are named by `data-action`.
const ACTIONS = {
  ".bar-home[href]": () => ["list"],
  "a.seat-who": ({ search }) => ["seat", { seat: new URLSearchParams(search).get("seat") - 1 }],
  "#pad .key": () => ["key"],
  ".one-more": ({ value }) => ["one-more", { seat: parseInt(value, 10) - 1 }],
  "#score button": () => ["score"],
  "form[action$='/undo'] button": () => ["undo"],
  "form[action$='/redo'] button": () => ["redo"],
  "form[action$='/misdeal'] button": () => ["misdeal"],
  ".again button": ({ value }) => ["rematch", value ? { way: value } : {}],
  ".menu a[href$='/rules']": () => ["rules"],
  ".menu a[href$='.csv']": () => ["save"],
  ".why a, .sheet a": ({ pathname }) => ["round", { round: /\d+$/.exec(pathname)[0] }],
};

/** Return what a tap on an element does as `{button, action, data}`, or null. */
export function actionAt(target) {
  const named = target.closest("[data-action]:not(form)");
  if (named) {
    const { action, ...data } = named.dataset;
    return { button: named, action, data };
  }
  for (const [selector, actionOf] of Object.entries(ACTIONS)) {
    const button = target.closest(selector);
    if (!button) continue;
    const [action, data = {}] = actionOf(button);
    return { button, action, data };
  }
  return null;
}
