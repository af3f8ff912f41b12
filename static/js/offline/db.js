// What this phone keeps: its table under "table", each game under "game/<id>", in one drawer of
// IndexedDB. It is there over plain http too, and survives closing the browser. What cannot be
// stored, as the disk is full or the database cannot be opened, is kept in this page until it can.

const DRAWER = "kept";
const known = new Map(); // what was stored under each key when this page last saw it
const unsaved = new Map(); // what is only in this page
let opened;

/** Whether something is only in this page, and would go with it. */
export const isUnsaved = () => unsaved.size > 0;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("scorekeeper", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(DRAWER);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

// One transaction; `work` may ask for something, whose result is what comes out in the end. Browsers
// close the database by themselves, iOS in the background: what fails is tried on a new connection.
async function within(mode, work) {
  try {
    return await attempt(mode, work);
  } catch {
    const old = opened;
    opened = undefined;
    old.then((db) => db.close(), () => {});
    return attempt(mode, work);
  }
}

async function attempt(mode, work) {
  const transaction = (await database()).transaction(DRAWER, mode);
  return new Promise((resolve, reject) => {
    const result = { value: undefined };
    transaction.oncomplete = () => resolve(result.value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(DRAWER), result);
  });
}

const present = (key) => (unsaved.has(key) ? unsaved.get(key) : known.get(key));

/** What is kept under a key, or undefined. */
export async function get(key) {
  const [found] = await look(key, key);
  return found;
}

/** Everything that is kept under keys that begin so. */
export const all = (beginning) => look(beginning, `${beginning}\uffff`);

async function look(from, to) {
  const range = IDBKeyRange.bound(from, to);
  const isAsked = (key) => range.includes(key);
  try {
    const [keys, values] = await within("readonly", (drawer, result) => {
      const asked = [drawer.getAllKeys(range), drawer.getAll(range)];
      asked[1].onsuccess = () => {
        result.value = asked.map((one) => one.result);
      };
    });
    for (const key of [...known.keys()].filter(isAsked)) see(key, undefined);
    keys.forEach((key, at) => see(key, values[at]));
  } catch {
    // Nothing can be read: what this page saw last has to do.
  }
  const keys = new Set([...known.keys(), ...unsaved.keys()].filter(isAsked));
  return [...keys].map(present).filter((value) => value !== undefined);
}

// What this page changed and could not store was made from what it saw before.
function see(key, stored) {
  if (!unsaved.has(key)) known.set(key, stored);
}

/** Change what is kept under a key, in one step whatever other pages do; gives what is kept then. */
export async function change(key, step) {
  const [value] = await changeAll([key], ([now]) => [step(now)]);
  return value;
}

/** Keep under another key what is kept under one, and leave word where it went. */
export async function move(from, to, step) {
  const keys = [from, to, `moved/${from}`];
  const moved = await changeAll(keys, (now) => (now[0] ? [undefined, step(now[0]), to] : now));
  return moved[1];
}

/** Store what is only in this page, if that can be done by now. */
export async function storeUnsaved() {
  for (const key of [...unsaved.keys()]) await change(key, (now) => now);
}

async function changeAll(keys, step) {
  try {
    const values = await within("readwrite", (drawer, result) => {
      const asked = keys.map((key) => drawer.get(key));
      asked.at(-1).onsuccess = () => {
        const stored = asked.map((one) => one.result);
        keys.forEach((key, at) => see(key, stored[at]));
        try {
          if (keys.some((key, at) => isElsewhere(key, stored[at]))) throw new Error("elsewhere");
          result.value = put(drawer, keys, stored, step(keys.map(present)));
        } catch {
          drawer.transaction.abort();
        }
      };
    });
    keys.forEach((key, at) => {
      known.set(key, values[at]);
      unsaved.delete(key);
    });
    return values;
  } catch {
    const before = keys.map(present);
    const values = step(before);
    keys.forEach((key, at) => values[at] !== before[at] && unsaved.set(key, values[at]));
    return values;
  }
}

// Another page went on from what this one could not store: only the server can bring both together.
const isElsewhere = (key, stored) =>
  unsaved.has(key) && JSON.stringify(stored) !== JSON.stringify(known.get(key));

function put(drawer, keys, stored, values) {
  keys.forEach((key, at) => {
    if (values[at] === stored[at]) return;
    if (values[at] === undefined) drawer.delete(key);
    else drawer.put(values[at], key);
  });
  return values;
}
