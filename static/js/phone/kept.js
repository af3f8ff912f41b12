// What this phone keeps: its table under "table", each game under "game/<id>", in one drawer of
// IndexedDB. It is there over plain http too, and survives closing the browser.

const DRAWER = "kept";
let opened;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("scorekeeper", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(DRAWER);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

// One transaction; `work` may ask for something, whose result is what comes out in the end.
async function within(mode, work) {
  const transaction = (await database()).transaction(DRAWER, mode);
  return new Promise((resolve, reject) => {
    const result = { value: undefined };
    transaction.oncomplete = () => resolve(result.value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(DRAWER), result);
  });
}

/** What is kept under a key, or undefined. */
export const get = (key) => change(key, (value) => value, "readonly");

/** Change what is kept under a key, in one step whatever other pages do; gives what is kept then. */
export function change(key, step, mode = "readwrite") {
  return within(mode, (drawer, result) => {
    const asked = drawer.get(key);
    asked.onsuccess = () => {
      result.value = step(asked.result);
      if (mode === "readonly" || result.value === asked.result) return;
      if (result.value === undefined) drawer.delete(key);
      else drawer.put(result.value, key);
    };
  });
}

/** Keep under another key what is kept under one, and leave word where it went. */
export const move = (from, to, step) =>
  within("readwrite", (drawer, result) => {
    const asked = drawer.get(from);
    asked.onsuccess = () => {
      if (!asked.result) return;
      result.value = step(asked.result);
      drawer.put(result.value, to);
      drawer.put(to, `moved/${from}`);
      drawer.delete(from);
    };
  });

/** Everything that is kept under keys that begin so. */
export const all = (beginning) =>
  within("readonly", (drawer, result) => {
    const asked = drawer.getAll(IDBKeyRange.bound(beginning, `${beginning}\uffff`));
    asked.onsuccess = () => {
      result.value = asked.result;
    };
  });
