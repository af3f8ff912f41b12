// The result of a game: the text is copied or sent, and the picture, which the server draws as SVG,
// is made a PNG here, as chat programs show no SVG. What this browser cannot do is not offered.

const page = document.getElementById("result");
const drawing = document.getElementById("picture");
const text = document.getElementById("summary");
const { title, file } = page.dataset;

function offer(id, act) {
  const button = document.getElementById(id);
  button.hidden = false;
  button.addEventListener("click", act);
}

// The sheet of the phone that was closed without a choice is no fault.
const send = (what) => navigator.share(what).catch(() => {});

async function copy() {
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    // Over plain http there is no clipboard for pages; what is selected can be copied all the same.
    text.select();
    if (!document.execCommand("copy")) return;
  }
  document.querySelector("#told span").hidden = false;
}

async function asPng() {
  await drawing.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawing.naturalWidth;
  canvas.height = drawing.naturalHeight;
  canvas.getContext("2d").drawImage(drawing, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

offer("copy-text", copy);
if (navigator.share) offer("send-text", () => send({ title, text: text.value }));

// Made before anybody taps: a phone opens its sheet only in answer to a tap, without delay.
const png = await asPng();
if (png) {
  const save = document.getElementById("save-picture");
  save.href = URL.createObjectURL(png);
  save.download = `${file}.png`;
  const files = [new File([png], `${file}.png`, { type: "image/png" })];
  if (navigator.canShare?.({ files })) offer("send-picture", () => send({ files, title }));
}
