// The app as browsers install it: the button in the settings that does so, where the browser offers it, and the
// file with which the installed app was opened, which goes into the form that imports it.

addEventListener("beforeinstallprompt", (offer) => {
  const part = document.getElementById("install");
  if (!part) return;
  offer.preventDefault(); // the browser's own banner
  part.hidden = false;
  part.firstElementChild.onclick = async () => {
    part.hidden = true; // an offer can be taken once
    await offer.prompt();
  };
});

// The words of the field for a file are the browser's, in its language: ours stand in their place.
const fileField = document.querySelector("input[data-choose]");

function nameChosenFile() {
  const { choose, none } = fileField.dataset;
  fileField.nextElementSibling.replaceChildren(
    Object.assign(document.createElement("b"), { textContent: choose }),
    Object.assign(document.createElement("bdi"), { textContent: fileField.files[0]?.name ?? none }),
  );
}

if (fileField) {
  const shown = Object.assign(document.createElement("span"), { className: "file-shown", ariaHidden: "true" });
  fileField.after(shown);
  fileField.parentElement.classList.add("file-field");
  fileField.addEventListener("change", nameChosenFile);
  nameChosenFile();
}

window.launchQueue?.setConsumer(async ({ files }) => {
  const field = document.getElementById("file");
  if (!field || !files.length) return;
  const chosen = new DataTransfer();
  chosen.items.add(await files[0].getFile());
  field.files = chosen.files;
  nameChosenFile();
});
