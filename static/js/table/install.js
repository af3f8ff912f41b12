// The button in the settings that installs the app, where the browser offers it.

const part = document.getElementById("install");

addEventListener("beforeinstallprompt", (offer) => {
  offer.preventDefault(); // the browser's own banner
  part.hidden = false;
  part.firstElementChild.onclick = async () => {
    part.hidden = true; // an offer can be taken once
    await offer.prompt();
  };
});
