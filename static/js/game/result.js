// Result of a game: copies and shares the text, and converts the picture from SVG to PNG, as chat
// programs do not show SVG. Buttons for what the browser cannot do stay hidden.

const page = document.getElementById("result");
const picture = document.getElementById("picture");
const text = document.getElementById("summary");
const { title, file } = page.dataset;

function enable(id, onClick) {
  const button = document.getElementById(id);
  button.hidden = false;
  button.addEventListener("click", onClick);
}

// The promise is rejected when the share sheet is closed without a choice.
const send = (what) => navigator.share(what).catch(() => {});

async function copy() {
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    // The clipboard API needs https; a selection can be copied without it.
    text.select();
    if (!document.execCommand("copy")) return;
  }
  document.querySelector("#copied span").hidden = false;
}

async function asPng() {
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

enable("copy-text", copy);
if (navigator.share) enable("send-text", () => send({ title, text: text.value }));

// Converted in advance: a browser opens the share sheet only directly after a tap.
const png = picture && (await asPng());
if (png) {
  const save = document.getElementById("save-picture");
  save.href = URL.createObjectURL(png);
  save.download = `${file}.png`;
  const files = [new File([png], `${file}.png`, { type: "image/png" })];
  if (navigator.canShare?.({ files })) enable("send-picture", () => send({ files, title }));
}
