// Takes the file with which the installed app was opened into the form that imports it.

window.launchQueue?.setConsumer(async ({ files }) => {
  if (!files.length) return;
  const chosen = new DataTransfer();
  chosen.items.add(await files[0].getFile());
  document.getElementById("file").files = chosen.files;
});
