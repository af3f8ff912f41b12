// Merges what other phones enter into the stored game that is shown.

import { follow } from "./stream.js";
import { refreshGame, sync } from "../offline/connection.js";
import { update } from "../offline/db.js";
import { mergeLine } from "../offline/merge.js";

const SILENCE = 2500; // ms without a stream until the server is tried

let stream;
let followed; // the id of the game that the stream is about

/** Open the stream again if the browser has closed it. */
export const resumeStream = () => stream?.resume();

/** Follow a game, or none; `changed()` is called with each change that was merged. */
export function followGame(game, changed) {
  if (game?.id === followed) return;
  stream?.stop();
  stream = undefined;
  followed = game?.id;
  if (game) stream = openStream(game, changed);
}

function openStream({ id, version }, changed) {
  let timer;
  let newest = version;
  return follow(() => `/games/${id}/events?seen=${newest}`, {
    onEvent: async (line) => {
      clearTimeout(timer);
      newest = parseInt(line.revision, 10);
      let isMissed = false;
      await update(`game/${id}`, (now) => {
        if (!now || now.version >= newest) return now;
        const merged = mergeLine(now, line);
        isMissed = !merged;
        return merged ?? now;
      });
      await (isMissed ? refreshGame(id) : changed());
    },
    onGap: async () => {
      clearTimeout(timer);
      await refreshGame(id);
      sync();
    },
    onSilence: () => {
      clearTimeout(timer);
      timer = setTimeout(() => refreshGame(id), SILENCE);
    },
  });
}
