// Follows games on a clock of its own, on one page or several of one browser, with a server that refuses
// streams or opens them. The time of day on the phone is set back all the while.

import { follow } from "/js/game/stream.js";

const NAMES = [
  "setTimeout", "clearTimeout", "setInterval", "clearInterval", "window", "document", "addEventListener",
  "EventSource", "BroadcastChannel",
];

// Timers that run as soon as nothing else is left to do until then.
function fakeClock() {
  const timers = new Map();
  let now = 0;
  const setTimeout = (what, ms = 0) => timers.set(timers.size, { at: now + ms, what }).size - 1;
  const clearTimeout = (id) => timers.has(id) && timers.set(id, { at: Infinity });
  const setInterval = (what, ms) => {
    const again = () => {
      timers.set(id, { at: now + ms, what: again });
      what();
    };
    const id = setTimeout(again, ms);
    return id;
  };
  const run = (seconds) => {
    for (;;) {
      const [id, next] = [...timers].reduce((one, two) => (two[1].at < one[1].at ? two : one));
      if (next.at > seconds * 1000) return;
      now = next.at;
      timers.set(id, { at: Infinity });
      next.what();
    }
  };
  return { setTimeout, clearTimeout, setInterval, clearInterval: clearTimeout, run, now: () => now };
}

// Server and browser: what follows a game needs of them. `streams` are those that were asked for.
function fakeBrowser(clock, streams, isRefused) {
  const channels = [];
  return {
    window: globalThis,
    document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
    addEventListener() {},
    EventSource: class extends EventTarget {
      static CLOSED = 2;

      constructor(url) {
        super();
        const refused = isRefused(streams.length);
        Object.assign(this, { url, readyState: 0 });
        streams.push(this);
        clock.setTimeout(() => this.answer(refused));
      }

      answer(refused) {
        if (this.readyState === 2) return;
        this.readyState = refused ? 2 : 1;
        this.dispatchEvent(new Event(refused ? "error" : "open"));
      }

      close() {
        this.readyState = 2;
      }
    },
    BroadcastChannel: class extends EventTarget {
      constructor() {
        super();
        channels.push(this);
      }

      postMessage(data) {
        for (const other of channels.filter((one) => one !== this))
          clock.setTimeout(() => channels.includes(other) && other.dispatchEvent(Object.assign(new Event("message"), { data })));
      }

      close() {
        channels.splice(channels.indexOf(this), 1);
      }
    },
  };
}

function pretending(isRefused, then) {
  const real = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  const [now, since] = [Date.now, performance.now];
  const [clock, streams] = [fakeClock(), []];
  const { run, now: at, ...timers } = clock;
  for (const [name, value] of Object.entries({ ...timers, ...fakeBrowser(clock, streams, isRefused) }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  performance.now = at;
  Date.now = () => -at();
  try {
    return then(clock, streams);
  } finally {
    for (const [name, was] of real)
      if (was) Object.defineProperty(globalThis, name, was);
      else delete globalThis[name];
    Date.now = now;
    performance.now = since;
  }
}

/**
 * Return the seconds at which a phone asked for a stream, and those at which it polled. `refuses` has
 * a flag for each stream that it asks for; the last one holds for all others.
 */
export function following({ refuses, seconds }) {
  const asked = [];
  const polled = [];
  return pretending((n) => refuses[n] ?? refuses.at(-1), ({ run, now }) => {
    const url = () => {
      asked.push(now() / 1000);
      return "/events";
    };
    const onGap = () => polled.push(now() / 1000);
    const onOpen = (isAgain) => isAgain && onGap();
    follow(url, { onEvent() {}, onSilence() {}, onGap, onOpen });
    asked.length = 0; // the address alone was asked for
    run(seconds);
    return { asked, polled };
  });
}

function hide() {
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
}

/**
 * Return what pages of one browser have after some seconds, each of which follows a game at an address: the
 * addresses of the open `streams`, the `most` that were open at once, how many events each page `heard`
 * of one that each stream was sent then, and whether it `polls`. The pages `closed` are so ten seconds before
 * then; those that are opened `at_once` do not know of each other. With `hidden` nobody sees any page any more.
 */
export function together({ pages, closed = [], at_once: atOnce = false, hidden = false, seconds }) {
  return pretending(() => false, ({ run, setTimeout, now }, streams) => {
    const isOpen = ({ readyState }) => readyState === 1;
    let most = 0;
    const found = pages.map((page, at) => {
      const one = { heard: 0, polled: -Infinity };
      const onGap = () => Object.assign(one, { polled: now() });
      const begin = () => {
        one.follows = follow(() => page, { onEvent: () => (one.heard += 1), onSilence() {}, onGap, onOpen() {} });
      };
      setTimeout(begin, atOnce ? 0 : 500 * at);
      return one;
    });
    for (let at = 0; at < seconds; at += 0.5)
      setTimeout(() => (most = Math.max(most, streams.filter(isOpen).length)), 1000 * at);
    for (const at of closed) setTimeout(() => found[at].follows.stop(), 1000 * (seconds - 10));
    if (hidden) setTimeout(hide, 1000 * (seconds - 20));
    run(seconds);
    const open = streams.filter(isOpen);
    for (const stream of open) stream.dispatchEvent(Object.assign(new Event("message"), { data: "1" }));
    run(seconds + 0.01);
    return {
      streams: open.map(({ url }) => url).sort(),
      most,
      heard: found.map(({ heard }) => heard),
      polls: found.map(({ polled }) => now() - polled < 4000),
    };
  });
}
