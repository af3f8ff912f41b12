// The worker, where there can be one: only over https or on the computer itself.

/** Register the worker; a new one takes over when the page is at rest. */
export async function register(isAtRest) {
  if (!navigator.serviceWorker) return;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js");
    const offer = () => isAtRest() && registration.waiting?.postMessage("take over");
    offer();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", offer);
    });
    document.addEventListener("settled", offer);
  } catch {
    // A browser that keeps nothing, or no answer: there is a next time.
  }
}

/** Let the worker wait for a server that is slow, instead of showing the shell again. */
export const bePatient = () => navigator.serviceWorker?.controller?.postMessage("patient");

/** Go to an address without further ado, once the page may be left. */
export function reloadWhenReplaced(isAtRest) {
  const had = navigator.serviceWorker?.controller;
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    if (had && isAtRest()) location.reload();
  });
}
