// Server-sent events of a game, on its own page and on that of a watch link, from an own stream or from that
// of another page of this browser. A page that gets neither polls, and does so ever more slowly where the
// server refuses a stream, as that then has enough to do. EventSource hides what the server says about when
// to try again. A page that nobody sees follows nothing.

import { PULSE, shareStreams } from "./stream-sharing.js";

const POLL_MIN = 2000; // ms
const POLL_MAX = 10000; // ms
const POLL_JITTER = 1.5; // at most so many times as long
const POLL_GROWTH = 1.5;
const STREAM_RETRY = 30000; // ms
const ANSWER = 100; // ms until the other pages have said which streams they have
const HIDDEN_AFTER = 10000; // ms until a page that cannot be seen gives its stream up

/**
 * Follow a game until `stop` of the returned object is called. `url()` is the address of the events.
 * `onEvent(data)` is called with each of them, `onGap()` where there is no stream, `onSilence()` when it
 * breaks, and `onOpen(isAgain)` when it is open: again after a gap in which some may have been missed.
 */
export function follow(url, { onEvent, onGap, onSilence, onOpen }) {
  const shared = shareStreams(url().split("?")[0], onMessage);
  const listeners = new AbortController();
  let phase = "paused"; // asking, streaming, listening, polling
  let stream;
  let timer;
  let hiding;
  let pollDelay = POLL_MIN;
  let isAgain = false;

  function enter(next) {
    clearTimeout(timer); // or the interval
    if (phase === "streaming" && next !== phase) shared.tell("ended");
    stream?.close();
    stream = undefined;
    phase = next;
  }

  function ask(wait = ANSWER) {
    enter("asking");
    shared.tell("asked");
    timer = setTimeout(choose, wait);
  }

  function choose() {
    if (!window.EventSource) poll(Infinity);
    else if (shared.isHeld()) listen();
    else if (shared.isFull()) poll(0);
    else open();
  }

  function opened() {
    onOpen(isAgain);
    isAgain = false;
  }

  function open() {
    enter("streaming");
    shared.tell("held");
    timer = setInterval(() => shared.tell("held"), PULSE);
    stream = new EventSource(url());
    stream.addEventListener("open", () => {
      pollDelay = POLL_MIN;
      opened();
      shared.tell("opened");
    });
    stream.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      shared.tell("event", event);
      onEvent(event);
    });
    stream.addEventListener("error", () => {
      isAgain = true;
      onSilence();
      shared.tell("silent");
      if (stream?.readyState === EventSource.CLOSED) poll(performance.now() + STREAM_RETRY);
    });
  }

  function listen() {
    enter("listening");
    opened();
    timer = setInterval(() => shared.isHeld() || askSoon(), PULSE);
  }

  // Not all pages at once.
  function askSoon() {
    isAgain = true;
    ask(ANSWER * (1 + Math.random()));
  }

  function onMessage(what, data, isSame) {
    if (phase === "streaming" && what === "asked") shared.tell("held");
    if (phase === "streaming" && what === "held" && shared.mustYield()) askSoon();
    if (!isSame) return;
    if (phase === "polling" && what === "held") listen();
    if (phase === "listening") hear(what, data);
  }

  function hear(what, data) {
    if (what === "event") onEvent(data);
    if (what === "opened") onOpen(true);
    if (what === "silent") onSilence();
    if (what === "ended") askSoon();
  }

  // Until `retryAt` the server is not asked for a stream; without a time it is the other pages that have all.
  function poll(retryAt) {
    enter("polling");
    onGap();
    isAgain = true;
    const wait = pollDelay * (1 + Math.random() * (POLL_JITTER - 1)); // not all phones at once
    timer = setTimeout(() => (performance.now() < retryAt ? poll(retryAt) : choose()), wait);
    if (retryAt) pollDelay = Math.min(POLL_GROWTH * pollDelay, POLL_MAX);
  }

  function pause() {
    isAgain = true;
    enter("paused");
  }

  function onVisibility() {
    clearTimeout(hiding);
    if (document.visibilityState === "hidden") hiding = setTimeout(pause, HIDDEN_AFTER);
    else if (phase === "paused" || phase === "polling") ask();
  }

  const { signal } = listeners;
  document.addEventListener("visibilitychange", onVisibility, { signal });
  addEventListener("pagehide", pause, { signal });
  addEventListener("pageshow", onVisibility, { signal });
  ask();
  onVisibility();
  return {
    stop: () => {
      listeners.abort();
      clearTimeout(hiding);
      enter("paused");
      shared.close();
    },
  };
}
