// Answers of the server. A response counts only with the server's own header, as captive portals
// answer everything too; `navigator.onLine` is not reliable enough to be asked.

export const TIMEOUT = 8000; // ms, for requests in the background
export const PATIENCE = 2000; // ms, for an answer that somebody waits for
export const MIN_RETRY = 1000; // ms until the server is tried again, doubled with each failure
export const MAX_RETRY = 10000; // ms
const SERVER_HEADER = "Scorekeeper";

/** Thrown without an answer, or with one whose `sentence` says why to wait for `wait` ms. */
export class Unavailable extends Error {
  constructor(why, { sentence = "", wait = 0 } = {}) {
    super(why);
    Object.assign(this, { sentence, wait });
  }
}

/** Return the server's response to a request; throw Unavailable if it is late or not the server's. */
export async function checkResponse(fetched, timeout = TIMEOUT) {
  let timer;
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable("late")), timeout);
  });
  const response = await Promise.race([fetched, timedOut])
    .catch((error) => {
      throw new Unavailable(error.message);
    })
    .finally(() => clearTimeout(timer));
  if (!response.headers.has(SERVER_HEADER)) throw new Unavailable("not ours");
  return response;
}
