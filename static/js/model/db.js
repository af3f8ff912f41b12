// Key-value storage in IndexedDB, which works over plain http too: the table under "table", each game
// under "game/<id>". What cannot be written, as when the disk is full, where there is no storage, or
// where it does not answer, is kept in memory until it can.

const STORE = "kept";
const STORAGE_TIMEOUT = 3000; // ms awake until storage counts as silent
const lastRead = new Map(); // stored values as this page last read them
/** Values in memory only, which would be lost with this page. */
export const unsaved = new Map();
let opened;
let isStorageSilent = false; // storage did not answer in time, and is not waited for until it does
let channel; // to the other pages of this phone

const otherPages = () => (channel ??= new BroadcastChannel("scorekeeper"));

/** Call a function whenever another page of this phone has stored something. */
export const onStored = (listener) => otherPages().addEventListener("message", listener);

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("scorekeeper", 1);
    request.onupgradeneeded = () => createStore(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

// Where the browser has cleared its storage while this page was open, the page still has what it read.
function createStore(db) {
  const store = db.createObjectStore(STORE);
  for (const [key, value] of lastRead) if (value !== undefined) store.put(value, key);
}

// Runs `work(store, result)` in a transaction and returns `result.value`. Retried on a new connection,
// as browsers close connections by themselves, iOS in the background.
async function transact(mode, work) {
  if (isStorageSilent) throw new Error("silent");
  const call = {};
  let timer;
  const wait = (then) => (timer = setTimeout(then, STORAGE_TIMEOUT / 2));
  // Waited for twice, as the first timer of a page that has slept is due before storage can answer.
  const timedOut = new Promise((_, reject) => wait(() => wait(() => reject(giveUp(call)))));
  const done = runTransaction(mode, work, call).catch((error) => {
    if (call.isLate) throw error;
    reconnect();
    return runTransaction(mode, work, call);
  });
  return Promise.race([done, timedOut]).finally(() => clearTimeout(timer));
}

async function runTransaction(mode, work, call) {
  const transaction = (await database()).transaction(STORE, mode);
  return new Promise((resolve, reject) => {
    const result = { value: undefined };
    transaction.oncomplete = () => resolve(result.value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    call.transaction = transaction;
    if (call.isLate) transaction.abort();
    else work(transaction.objectStore(STORE), result);
  });
}

function reconnect() {
  opened?.then((db) => db.close(), () => {});
  opened = undefined;
}

// The work is done in memory now, so it must not be done by a late answer too.
function giveUp(call) {
  call.isLate = true;
  try {
    call.transaction?.abort();
  } catch {
    // It has ended just now: what it has stored is noticed as another page's change.
  }
  waitForAnswer();
  return new Error("late");
}

// Storage is used again once it answers on a new connection.
function waitForAnswer() {
  if (isStorageSilent) return;
  isStorageSilent = true;
  reconnect();
  const answered = () => {
    isStorageSilent = false;
  };
  runTransaction("readonly", (store) => store.count(), {}).then(answered, answered);
}

/** Return the value of a key as this page last read or stored it, or undefined. */
export const currentValue = (key) => (unsaved.has(key) ? unsaved.get(key) : lastRead.get(key));

/** Return the value of a key, or undefined. */
export const get = async (key) => (await read(key, key)).get(key);

/** Return the values of all keys with a prefix. */
export const getAll = async (prefix) => [...(await read(prefix, `${prefix}\uffff`)).values()];

/** Return all values by their keys, read in one transaction. */
export const getEverything = () => read("", "\uffff");

/** Return all values by their keys, as this page last read or stored them. */
export const everythingRead = () => valuesRead(() => true);

async function read(from, to) {
  const isWanted = (key) => from <= key && key <= to;
  try {
    const [keys, values] = await transact("readonly", (store, result) => {
      const range = IDBKeyRange.bound(from, to);
      const requests = [store.getAllKeys(range), store.getAll(range)];
      requests[1].onsuccess = () => {
        result.value = requests.map((one) => one.result);
      };
    });
    for (const key of [...lastRead.keys()].filter(isWanted)) noteStored(key, undefined);
    keys.forEach((key, at) => noteStored(key, values[at]));
  } catch {
    // Nothing can be read: fall back to what was read last.
  }
  return valuesRead(isWanted);
}

function valuesRead(isWanted) {
  const keys = new Set([...lastRead.keys(), ...unsaved.keys()].filter(isWanted));
  const values = [...keys].map((key) => [key, currentValue(key)]);
  return new Map(values.filter(([, value]) => value !== undefined));
}

// Unsaved values are based on what was read before, which has to be remembered.
function noteStored(key, stored) {
  if (!unsaved.has(key)) lastRead.set(key, stored);
}

/** Replace the value of a key by `step(value)` in one transaction; return the new value. */
export async function update(key, step) {
  const [value] = await updateAll([key], ([now]) => [step(now)]);
  return value;
}

/** Replace the values of keys by `step(values)` in one transaction; return the new values. */
export async function updateAll(keys, step) {
  try {
    const values = await transact("readwrite", (store, result) => {
      const requests = keys.map((key) => store.get(key));
      requests.at(-1).onsuccess = () => {
        const stored = requests.map((one) => one.result);
        keys.forEach((key, at) => noteStored(key, stored[at]));
        try {
          if (keys.some((key, at) => isChangedElsewhere(key, stored[at]))) throw new Error("conflict");
          result.value = put(store, keys, stored, step(keys.map(currentValue)));
        } catch {
          store.transaction.abort();
        }
      };
    });
    if (keys.some((key, at) => values[at] !== lastRead.get(key))) otherPages().postMessage(keys);
    keys.forEach((key, at) => {
      lastRead.set(key, values[at]);
      unsaved.delete(key);
    });
    return values;
  } catch {
    const before = keys.map(currentValue);
    const values = step(before);
    keys.forEach((key, at) => values[at] !== before[at] && unsaved.set(key, values[at]));
    return values;
  }
}

// Another page changed the value meanwhile: it is not overwritten, both are merged by the server.
const isChangedElsewhere = (key, stored) =>
  unsaved.has(key) && JSON.stringify(stored) !== JSON.stringify(lastRead.get(key));

function put(store, keys, stored, values) {
  keys.forEach((key, at) => {
    if (values[at] === stored[at]) return;
    if (values[at] === undefined) store.delete(key);
    else store.put(values[at], key);
  });
  return values;
}
