// Sounds of a card table, made by the browser: a card, a knock, a riffle, a bell. Loaded once they are wanted.

let audio;
let noise; // a second of it

/** Let sounds be heard, which browsers allow in answer to a tap. */
export function wake() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
}

// A rush of air at a pitch: a card that lands on others.
function snap(after, pitch, length, volume) {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    noise.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
  }
  const source = Object.assign(audio.createBufferSource(), { buffer: noise });
  const filter = Object.assign(audio.createBiquadFilter(), { type: "bandpass" });
  filter.frequency.value = pitch;
  source.connect(filter);
  ring(source, filter, after, length, volume);
}

function tone(after, pitch, length, volume) {
  const source = audio.createOscillator();
  source.frequency.value = pitch;
  ring(source, source, after, length, volume);
}

// Plays a source once, which dies away.
function ring(source, last, after, length, volume) {
  const at = audio.currentTime + after;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  last.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

function card() {
  snap(0, 2600, 0.07, 0.5);
}

function knock() {
  for (const after of [0, 0.13]) {
    tone(after, 170, 0.09, 0.5);
    snap(after, 900, 0.03, 0.3);
  }
}

// The next deal, after what the knock has scored.
function riffle() {
  for (let n = 0; n < 16; n += 1) snap(0.9 + 0.028 * n, 1900 + 90 * n, 0.035, 0.22);
}

const SOUNDS = {
  bid: card,
  count: card,
  made: () => [knock, riffle].forEach((play) => play()),
  set: () => [knock, () => tone(0.3, 92, 0.22, 0.4), riffle].forEach((play) => play()),
  winner: () => [880, 1320, 2217].forEach((pitch, at) => tone(0.02 * at, pitch, 1.8 - 0.4 * at, 0.25 / (at + 1))),
};

/** Play what is heard of a bid, a count, a round that was made or set, or a game that was won. */
export function play(what) {
  wake();
  SOUNDS[what]?.();
}
