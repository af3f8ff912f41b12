// What talks to the server: it sends taps, follows the game, and keeps what this phone needs without the
// server. Sent as one file, which is fetched as soon as the first tap can be shown.

import {
  canSend, initConnection, isSyncing, refreshGame, retry, send, serverAnswers, sync, syncBriefly,
} from "./connection.js";
import { activateUpdate, extendTimeout, register, reloadOnUpdate } from "./install.js";
import { fetchTable, mergePageFacts } from "./snapshot.js";
import { post, prepareGame } from "./sync.js";
import { announce, announcementFor } from "../game/announcement.js";
import { followGame, resumeStream } from "../game/follow.js";
import { serverStatus, statusLine } from "../game/status-line.js";

export {
  activateUpdate, announce, announcementFor, canSend, extendTimeout, fetchTable, followGame,
  initConnection, isSyncing, mergePageFacts, post, prepareGame, refreshGame, register, reloadOnUpdate,
  resumeStream, retry, send, serverAnswers, serverStatus, statusLine, sync, syncBriefly,
};
