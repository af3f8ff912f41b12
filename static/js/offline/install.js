// Registration and updates of the service worker; browsers allow one only over https or on localhost.

const container = navigator.serviceWorker;
let registration;
let isPageIdle = () => false;

/** Register the service worker; an update is activated only while `idle()` is true. */
export async function register(idle) {
  isPageIdle = idle;
  try {
    registration = await container?.register("/sw.js");
  } catch {
    return; // storage is blocked, or no answer: tried again on the next page
  }
  registration?.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", activateUpdate);
  });
  document.addEventListener("settled", activateUpdate);
  activateUpdate();
}

/** Activate a waiting update of the service worker if this page is idle. */
export function activateUpdate() {
  if (isPageIdle()) registration?.waiting?.postMessage("take over");
}

/** Reload the app shell when an update was activated, perhaps by another page. */
export function reloadOnUpdate() {
  const wasControlled = Boolean(container?.controller);
  container?.addEventListener("controllerchange", () => {
    if (wasControlled && isPageIdle()) location.reload();
  });
}

/** Make the service worker wait longer for the next page, instead of showing the shell again. */
export const extendTimeout = () => container?.controller?.postMessage("patient");
