// What talks to the server: it sends taps, follows the game, and keeps what this phone needs without the
// server. Sent as one file, which is fetched as soon as the first tap can be shown.

import {
  initConnection, isSyncing, prepareToSend, refreshGame, retry, serverAnswers, sync, syncBriefly,
} from "./connection.js";
import { activateUpdate, extendTimeout, register, reloadOnUpdate } from "./install.js";
import { fetchTable, mergePageFacts } from "./snapshot.js";
import { post } from "./sync.js";
import { announce, announcementFor } from "../game/announcement.js";
import { followGame, resumeStream } from "../game/follow.js";

export {
  activateUpdate, announce, announcementFor, extendTimeout, fetchTable, followGame, initConnection,
  isSyncing, mergePageFacts, post, prepareToSend, refreshGame, register, reloadOnUpdate, resumeStream,
  retry, serverAnswers, sync, syncBriefly,
};
