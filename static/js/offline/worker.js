// Service worker that caches the app shell. KEEP, which the server puts before this script, names what
// is cached and a `state` that changes with it; `aside` is a page that is cached by itself. Games and
// pages of a table are never cached here.

const CACHE = `phone-${KEEP.state}`;
const TIMEOUT = 3000; // ms until the shell is shown instead
const LONG_TIMEOUT = 60000; // ms, if the server is known to be slow
const SHELL_PATHS = /^\/($|phone$|play-on$|games\/new$|games\/[a-z0-9-]+($|\/rules$|\/rounds\/\d+$))/;
const isOurs = (response) => response.headers.has("Scorekeeper");
let timeout = TIMEOUT;

self.addEventListener("install", (event) => {
  // Where browsers know it, a tap does not wait until they have started this script.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" })?.catch(() => {});
  event.waitUntil(precache());
});

async function precache() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    [KEEP.shell, KEEP.aside, ...KEEP.files].map(async (path) => {
      const request = new Request(path, { cache: "no-cache" });
      const response = await fetch(request);
      if (!response.ok || !isOurs(response)) throw new Error(`not cached: ${path}`);
      await cache.put(request, response);
    }),
  );
}

self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith("phone-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// Sent by an idle page when an update may be activated, or when the server is only slow.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "patient") timeout = LONG_TIMEOUT;
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || !request.url.startsWith(self.location.origin)) return;
  if (path.endsWith("/sign-in")) return; // whatever stands in front of the server shall answer
  if (KEEP.aside === path) event.respondWith(networkFirst(request, true, path));
  else if (request.mode === "navigate")
    event.respondWith(networkFirst(request, SHELL_PATHS.test(path.slice(KEEP.base.length))));
  else if (KEEP.shell === path || KEEP.files.some((file) => request.url.endsWith(file)))
    event.respondWith(cacheFirst(request));
});

async function cacheFirst(request) {
  const cache = await caches.open(CACHE);
  // Pages vary with the language, and each cache holds those of one.
  return (await cache.match(request, { ignoreVary: true })) ?? fetch(request);
}

// Network first, else the fallback. Foreign answers, as of a captive portal, are shown only where there
// is no fallback.
async function networkFirst(request, hasFallback, fallback = KEEP.shell) {
  const wait = timeout;
  timeout = TIMEOUT;
  const pending = fetch(request);
  try {
    const soon = await Promise.race([pending, after(wait)]);
    const response = soon ?? (await lateResponse(request, pending));
    const isServer = response && (isOurs(response) || response.type === "opaqueredirect");
    if (isServer || (response && !hasFallback)) return response;
  } catch {
    // No network.
  }
  const found = await (await caches.open(CACHE)).match(fallback);
  return found ?? Response.error();
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The shell is no use for a game that is not stored, and where storage does not answer: then the late
// response is awaited.
async function lateResponse(request, pending) {
  const [, id] = /^\/games\/([a-z0-9]{10})/.exec(new URL(request.url).pathname.slice(KEEP.base.length)) ?? [];
  const stored = isStored(id ? `game/${id}` : "table").catch(() => false);
  return (await Promise.race([stored, pending.then(() => false)])) ? null : pending;
}

function isStored(key) {
  return new Promise((resolve) => {
    const opening = indexedDB.open("scorekeeper", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onerror = () => resolve(false);
    opening.onsuccess = () => {
      const pending = opening.result.transaction("kept").objectStore("kept").getKey(key);
      pending.onsuccess = () => resolve(pending.result !== undefined);
      pending.onerror = () => resolve(false);
      opening.result.close();
    };
  });
}
