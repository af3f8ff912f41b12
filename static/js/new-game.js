// Enter in a name goes on to the next empty seat, as the phone's keyboard promises; after the last
// one it closes the keyboard. Without this script Enter starts the game.

const names = [...document.querySelectorAll(".seats-typed input")];

for (const [seat, field] of names.entries()) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !field.value.trim()) return;
    event.preventDefault();
    const next = names.slice(seat + 1).find((other) => !other.value.trim());
    if (next) next.focus();
    else field.blur();
  });
}
