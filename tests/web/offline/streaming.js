// Follows a game on a clock of its own, with a server that refuses streams or opens them. The time of
// day on the phone is set back all the while.

import { follow } from "/js/game/stream.js";

/**
 * Return the seconds at which a phone asked for a stream, and those at which it polled. `refuses` has
 * a flag for each stream that it asks for; the last one holds for all others.
 */
export function following({ refuses, seconds }) {
  const [timers, asked, polled] = [new Map(), [], []];
  let now = 0;
  const real = { setTimeout, clearTimeout, now: Date.now, since: performance.now };
  const later = (what, ms = 0) => timers.set(timers.size, { at: now + ms, what }).size - 1;
  globalThis.setTimeout = later;
  globalThis.clearTimeout = (id) => timers.has(id) && timers.set(id, { at: Infinity });
  performance.now = () => now;
  Date.now = () => -now;
  globalThis.window = globalThis;
  globalThis.EventSource = class extends EventTarget {
    static CLOSED = 2;

    constructor() {
      super();
      const isRefused = refuses[asked.length] ?? refuses.at(-1);
      asked.push(now / 1000);
      later(() => this.#answer(isRefused));
    }

    #answer(isRefused) {
      this.readyState = isRefused ? 2 : 1;
      this.dispatchEvent(new Event(isRefused ? "error" : "open"));
    }

    close() {
      this.readyState = 2;
    }
  };
  try {
    const onGap = () => polled.push(now / 1000);
    const onOpen = (isAgain) => isAgain && onGap();
    follow(() => "/events", { onEvent() {}, onSilence() {}, onGap, onOpen });
    for (;;) {
      const [id, next] = [...timers].reduce((one, two) => (two[1].at < one[1].at ? two : one));
      if (next.at > seconds * 1000) return { asked, polled };
      now = next.at;
      timers.set(id, { at: Infinity });
      next.what();
    }
  } finally {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.now;
    performance.now = real.since;
    delete globalThis.EventSource;
  }
}
