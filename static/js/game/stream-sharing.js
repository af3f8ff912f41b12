// Which page of this browser has which stream. Over plain http browsers open six connections to a server, and
// a stream holds one as long as it is open: so pages with the same events share a stream, and some connections
// stay free. Pages tell each other by messages, as Web Locks need https.

const MAX_STREAMS = 4; // of all pages
const STREAM_LEASE = 5000; // ms after which the page of a stream counts as gone
export const PULSE = 2000; // ms until a page says again that it has a stream

/**
 * Follow what the other pages say of their streams: `onMessage(what, data, isSame)` is called with it, where
 * `isSame` is whether that stream has these `events`. `tell(what, data)` tells the others of the own one.
 */
export function shareStreams(events, onMessage) {
  const page = `${Math.random()}`;
  const leases = new Map(); // by page
  const channel = window.BroadcastChannel && new BroadcastChannel("streams");
  channel?.addEventListener("message", ({ data: { from, about, what, data } }) => {
    if (what === "held") leases.set(from, { from, about, until: performance.now() + STREAM_LEASE });
    if (what === "ended") leases.delete(from);
    onMessage(what, data, about === events);
  });
  const others = () => [...leases.values()].filter(({ until }) => performance.now() < until);
  const isAmong = (some) => some.some(({ about }) => about === events);
  return {
    tell: (what, data) => channel?.postMessage({ from: page, about: events, what, data }),
    isHeld: () => isAmong(others()),
    isFull: () => others().length >= MAX_STREAMS,
    // Where two pages have opened one at the same time.
    mustYield: () => {
      const first = others().filter(({ from }) => from < page);
      return isAmong(first) || first.length >= MAX_STREAMS;
    },
    close: () => channel?.close(),
  };
}
