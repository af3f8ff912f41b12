// The worker, where there can be one: only over https or on the computer itself.

const worker = navigator.serviceWorker;
let registration;
let isAtRest = () => false;

/** Register the worker; a new one takes over only while nothing is half entered on this page. */
export async function register(atRest) {
  isAtRest = atRest;
  try {
    registration = await worker?.register("/sw.js");
  } catch {
    return; // a browser that keeps nothing, or no answer: there is a next time
  }
  registration?.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", letTakeOver);
  });
  document.addEventListener("settled", letTakeOver);
  letTakeOver();
}

/** Let a new worker take over, should there be one and this page be at rest. */
export function letTakeOver() {
  if (isAtRest()) registration?.waiting?.postMessage("take over");
}

/** Draw the shell anew when another worker has taken over, perhaps for another page. */
export function renewWhenReplaced() {
  const had = Boolean(worker?.controller);
  worker?.addEventListener("controllerchange", () => {
    if (had && isAtRest()) location.reload();
  });
}

/** Let the worker wait for a server that is slow, instead of showing the shell again. */
export const bePatient = () => worker?.controller?.postMessage("patient");
