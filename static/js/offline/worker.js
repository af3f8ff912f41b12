// The worker that keeps the shell. KEEP, written before this by the server, names what is kept, and a
// state that is another one whenever any of it changes; `aside` is one page that keeps to itself.
// Facts and pages of a table are never here.

const CACHE = `phone-${KEEP.state}`;
const PATIENCE = 3000; // ms for the server, before the phone goes on by itself
const ENDLESS = 60000; // ms for a server that is known to answer slowly
const STANDS_FOR = /^\/($|phone$|play-on$|games\/new$|games\/[a-z0-9]+($|\/rules$|\/rounds\/\d+$))/;
const MARK = "Scorekeeper";
let patience = PATIENCE;

self.addEventListener("install", (event) => event.waitUntil(keep()));

async function keep() {
  const cache = await caches.open(CACHE);
  const asked = [KEEP.shell, KEEP.aside, ...KEEP.files].map((path) => new Request(path, { cache: "no-cache" }));
  await Promise.all(
    asked.map(async (request) => {
      const answer = await fetch(request);
      if (!answer.ok || !answer.headers.has(MARK)) throw new Error(`not kept: ${request.url}`);
      await cache.put(request, answer);
    }),
  );
}

self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith("phone-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// A page at rest says when a new state may take over, and when the server is only slow.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "patient") patience = ENDLESS;
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || !request.url.startsWith(self.location.origin)) return;
  if (KEEP.aside === path) event.respondWith(page(request, true, path));
  else if (request.mode === "navigate") event.respondWith(page(request, STANDS_FOR.test(path)));
  else if (KEEP.shell === path || KEEP.files.some((file) => request.url.endsWith(file)))
    event.respondWith(kept(request));
});

async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

// The server first. What is not its own answer counts as none for a page the phone can stand in for;
// elsewhere it is shown, as it may be the network that wants to be logged in to.
async function page(request, canStandIn, standIn = KEEP.shell) {
  const wait = patience;
  patience = PATIENCE;
  const asked = fetch(request);
  try {
    const soon = await Promise.race([asked, after(wait)]);
    const answer = soon ?? (await worthWaiting(request, asked));
    const isOurs = answer && (answer.headers.has(MARK) || answer.type === "opaqueredirect");
    if (isOurs || (answer && !canStandIn)) return answer;
  } catch {
    // No network.
  }
  const found = await (await caches.open(CACHE)).match(standIn);
  return found ?? Response.error();
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The shell has nothing to show instead of a game that this phone does not keep.
async function worthWaiting(request, asked) {
  const [, id] = /^\/games\/([a-z0-9]{10})/.exec(new URL(request.url).pathname) ?? [];
  return (await isKept(id ? `game/${id}` : "table")) ? null : asked;
}

function isKept(key) {
  return new Promise((resolve) => {
    const opening = indexedDB.open("scorekeeper", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onerror = () => resolve(false);
    opening.onsuccess = () => {
      const asked = opening.result.transaction("kept").objectStore("kept").getKey(key);
      asked.onsuccess = () => resolve(asked.result !== undefined);
      asked.onerror = () => resolve(false);
      opening.result.close();
    };
  });
}
