// The changes that other phones make to a game, told by the server in events. Without a stream the
// game is fetched every other second.

const POLL_INTERVAL = 2000; // ms
const STREAM_RETRY = 30000; // ms

/**
 * Follow a game until `stop` of the returned object is called. `onLine(line)` is called with each new
 * line of the journal, `onGap()` where lines may have been missed, `onSilence()` when the stream breaks.
 */
export function follow(path, { seen, onLine, onGap, onSilence }) {
  let stream;
  let pollTimer;
  let retryTimer;
  let hasGap = false;

  function open() {
    stop();
    if (!window.EventSource) return poll();
    stream = new EventSource(`${path}?seen=${seen()}`);
    stream.addEventListener("open", () => {
      if (hasGap) onGap(); // the server may have been restored from a backup
      hasGap = false;
    });
    stream.addEventListener("message", ({ data }) => onLine(JSON.parse(data)));
    stream.addEventListener("error", () => {
      hasGap = true;
      onSilence();
      if (stream.readyState === EventSource.CLOSED) poll();
    });
  }

  function poll() {
    pollTimer ??= setInterval(onGap, POLL_INTERVAL);
    retryTimer = setTimeout(open, STREAM_RETRY);
    onGap();
  }

  function stop() {
    stream?.close();
    clearInterval(pollTimer);
    clearTimeout(retryTimer);
    pollTimer = undefined;
  }

  open();
  return { stop, resume: () => stream?.readyState === EventSource.CLOSED && open() };
}
