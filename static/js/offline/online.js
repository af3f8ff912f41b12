// What talks to the server: it sends taps, follows the game, and keeps what this phone needs without the
// server. Sent as one file, which is fetched as soon as the first tap can be shown.

import { connect, openPage, retryRefused } from "./connect.js";
import { canSend, refreshGame, send, serverAnswers, sync, syncBriefly } from "./connection.js";
import { activateUpdate } from "./install.js";
import { fetchTable, mergePageFacts } from "./snapshot.js";
import { post, prepareGame } from "./sync.js";
import { announceView } from "../game/announcement.js";
import { followGame, resumeStream } from "../game/follow.js";
import { statusLine } from "../game/status-line.js";

export {
  activateUpdate, announceView, canSend, connect, fetchTable, followGame, mergePageFacts, openPage, post,
  prepareGame, refreshGame, resumeStream, retryRefused, send, serverAnswers, statusLine, sync, syncBriefly,
};
