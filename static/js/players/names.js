// Fields with a name in them: a tap selects the name, so that what is typed replaces it.

/** Select the name in each field below `root` that gets the focus; another tap places the cursor. */
export function selectNames(root) {
  let focused; // when the tap began
  const select = (field, when) => when && field.matches("input[dir=auto]") && field.select();
  root.addEventListener("focusin", ({ target }) => select(target, true));
  root.addEventListener("pointerdown", () => (focused = document.activeElement));
  // A tap places the cursor once the field has the focus. Who marks a part of the name keeps that.
  root.addEventListener("click", ({ target }) =>
    select(target, target !== focused && target.selectionStart === target.selectionEnd),
  );
}

// On pages where players are renamed, which load this script by itself.
if (document.querySelector("script[data-names]")) selectNames(document);
