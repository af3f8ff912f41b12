// Sends the link of an invitation by the share sheet of the phone; without one it is copied.

const button = document.querySelector("[data-share]");

async function send() {
  const url = button.dataset.share;
  if (navigator.share) return navigator.share({ url });
  await navigator.clipboard.writeText(url);
  button.querySelector("span").textContent = button.dataset.copied;
}

if (button && (navigator.share || navigator.clipboard)) {
  button.hidden = false;
  button.addEventListener("click", () => send().catch(() => {})); // whoever closes the sheet sends nothing
}
