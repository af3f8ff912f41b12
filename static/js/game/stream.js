// Server-sent events of a game, on its own page and on that of a watch link. A phone that is refused a
// stream polls instead, ever more slowly, as the server then has enough to do. EventSource hides what
// the server says about when to try again.

const POLL_MIN = 2000; // ms
const POLL_MAX = 10000; // ms
const POLL_JITTER = 1.5; // at most so many times as long
const POLL_GROWTH = 1.5;
const STREAM_RETRY = 30000; // ms

/**
 * Follow a game until `stop` of the returned object is called. `url()` is the address of the events.
 * `onEvent(data)` is called with each of them, `onGap()` where there is no stream, `onSilence()` when it
 * breaks, and `onOpen(isAgain)` when it is open: again after a gap in which some may have been missed.
 */
export function follow(url, { onEvent, onGap, onSilence, onOpen }) {
  let stream;
  let timer;
  let pollDelay = POLL_MIN;
  let isAgain = false;

  function open() {
    stop();
    if (!window.EventSource) return poll(Infinity);
    stream = new EventSource(url());
    stream.addEventListener("open", () => {
      pollDelay = POLL_MIN;
      onOpen(isAgain);
      isAgain = false;
    });
    stream.addEventListener("message", ({ data }) => onEvent(JSON.parse(data)));
    stream.addEventListener("error", () => {
      isAgain = true;
      onSilence();
      if (stream.readyState === EventSource.CLOSED) poll(performance.now() + STREAM_RETRY);
    });
  }

  function poll(retryAt) {
    onGap();
    const wait = pollDelay * (1 + Math.random() * (POLL_JITTER - 1)); // not all phones at once
    timer = setTimeout(() => (performance.now() < retryAt ? poll(retryAt) : open()), wait);
    pollDelay = Math.min(POLL_GROWTH * pollDelay, POLL_MAX);
  }

  function stop() {
    stream?.close();
    clearTimeout(timer);
  }

  open();
  return { stop, resume: () => stream?.readyState === EventSource.CLOSED && open() };
}
