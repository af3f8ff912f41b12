// The app of a table on this phone, from a tap to the answer of the server:
//
// 1. A tap or form waits for those before it (input.js), and becomes a step (`enterForm`): a function that
//    applies one entry to the facts of a game, or throws why the rules refuse it (`apply`).
// 2. The facts after the step are drawn at once, before they are stored (`showAhead`). Only the pieces of
//    the page whose values have changed are written (screen.js, phrases.js).
// 3. Meanwhile they are stored, with the tap in the queue of those that the server has not answered
//    (db.js, facts.js), and the tap is sent (online.js, sync.js).
// 4. The answer, or what another phone has entered, is merged into the stored game (merge.js); whatever
//    is stored by somebody else is drawn again (`draw`).

import { afterFrame, enqueue, listen, released } from "./input.js";
import { initLoading, loadOnline, loadViews, online, views } from "./loading.js";
import { drawView } from "./screen.js";
import { currentValue, everythingRead, getEverything, onStored, unsaved, update } from "../model/db.js";
import {
  enter, entriesOf, hasConflict, needsDecision, newestFirst, pathOf, roundOf, stampEntries, stateOf,
  unsentCount,
} from "../model/facts.js";
import { phrase, text } from "../draw/phrases.js";
import { inRound, parseBid } from "../rules/bidding.js";
import { countTricks, fillLastCount, placeBid, scoreRound } from "../rules/entry.js";
import { Refused } from "../rules/sentence.js";

const session = {
  root: undefined, // the element that shows the view
  isFromServer: false, // whether this page is
  view: undefined, // {name: "game"|"past"|"rules"|"list"|"new", id, n, chosen, blind, menu, own, typed, error}
  hasUnsent: false, // unsent rounds of any game
  drawnFrom: undefined, // the view that was drawn last, or the form that was sent from that
  drawnEntries: undefined, // the entries that were drawn, or made on this page since
  lastUpdate: Promise.resolve(), // of the stored game
  shownAhead: undefined, // the entries that the newest tap has shown before they were stored
  ahead: undefined, // the game with these, until they are
  isEntered: false, // an entry was made on this page since it was drawn
  generation: 0, // counts changes of the entries made elsewhere
};

/** Show a view in an element. */
export async function mount(main, first) {
  Object.assign(session, { root: main, view: first });
  initLoading({ loaded: redraw, isBusy: isEditing });
  session.isFromServer = Boolean(document.getElementById("game-facts"));
  listen(session.root, { onTap, onSubmit, onEntry, onLink, onMenu });
  addEventListener("popstate", () => show(route(location)));
  document.addEventListener("moved", () => enqueue(() => showError(text("moved"))));
  addEventListener("beforeunload", (event) => unsaved.size && session.hasUnsent && event.preventDefault());
  document.addEventListener("visibilitychange", onVisible);
  onStored(redraw);
  await redraw();
  loadOnline().then(({ connect }) => connect(app, session.isFromServer)); // until then taps are not sent
}

/** Draw the view again, where what it shows beside the game may have come. */
export const redraw = () => enqueue(draw);

const connectionStatus = () => (online ? online.serverAnswers() : session.isFromServer || null);

const isEditing = () => ["past", "rules", "new"].includes(session.view.name);

// Another page of this phone may have changed the game meanwhile.
async function onVisible() {
  if (document.visibilityState === "visible") await draw();
}

async function showError(why) {
  session.view.error = why;
  await draw();
}

async function show(shown, path) {
  if (shown.name !== "game") await loadViews();
  session.view = shown;
  if (path) history.pushState(null, "", path);
  scrollTo(0, 0);
  await draw();
  const title = session.root.querySelector("h1");
  if (title) title.tabIndex = -1;
  title?.focus({ preventScroll: true });
}

// Applies a step, and shows the game unless it is shown already.
async function enterStep(step, data) {
  const entered = await apply(step, data);
  if (!entered || entriesKey(entered) !== session.shownAhead) await draw();
}

/**
 * Apply a step to the stored game, begin to send it, and return the game. There is none if the rules refuse
 * the step, or if the entries were changed elsewhere since the tap; the view then shows why.
 */
function apply(step, data) {
  const done = session.lastUpdate.then(() => applyNow(step, data));
  session.lastUpdate = done.catch(() => {});
  return done;
}

async function applyNow(step, { on, button }) {
  let refused;
  session.shownAhead = session.ahead = undefined;
  const [before, at] = [session.drawnEntries, new Date().toISOString()];
  const mark = online?.canSend() ? online.prepareGame : (entered) => entered;
  const applyTo = (now) => {
    refused = null;
    try {
      if (!now) return now;
      if (Number(on) !== session.generation || entriesKey(now) !== before) throw new Stale();
      return mark(stampEntries(now, step(now), at));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Stale)) throw error;
      refused = error;
      return now;
    }
  };
  const store = () => update(`game/${session.view.id}`, applyTo);
  const now = currentValue(`game/${session.view.id}`);
  const ahead = applyTo(now);
  const storing = store();
  if (ahead && !refused) {
    const isEnd = views && button && stateOf(now).phase !== stateOf(ahead).phase;
    if (isEnd) await views.showTap(button, ahead);
    showAhead(ahead);
    await Promise.race([afterFrame(), storing.catch(() => {})]); // a page in the background has no frames
    if (!isEnd) online?.send(ahead);
  }
  const changed = (await storing) ?? ((await current()) && (await store())); // it may have been moved
  session.ahead = undefined;
  if (!changed) return null;
  if (!refused) {
    if (entriesKey(changed) !== session.shownAhead) noteEntered(changed);
    online?.sync();
  }
  if (refused) session.generation += 1; // what was tapped ahead was meant to follow it
  const isMoved = refused instanceof Stale;
  const why = refused?.refusals?.map(phrase).join(" ");
  session.view.error = isMoved ? session.view.error || text("moved") : why;
  session.view.refusals = refused?.refusals ?? [];
  if (isMoved) session.view.chosen = null;
  return refused ? null : changed;
}

// A tap is shown while it is stored, unless a finger is down or there is more to load, and then sent.
function showAhead(game) {
  if (session.view.name !== "game" || released() || !(views || isSimple(game))) return;
  noteEntered(game);
  session.ahead = game;
  showRead();
  session.shownAhead = session.drawnEntries;
}

// Shows what was read last, with what a tap has shown ahead.
function showRead() {
  const { ahead } = session;
  showState(...gamesIn(ahead ? everythingRead().set(`game/${ahead.id}`, ahead) : everythingRead()));
}

// What the menu says of undo and redo is written when it is opened.
function onMenu() {
  Object.assign(session.view, { menu: true, error: undefined });
  if (session.view.name === "game") showRead();
}

function noteEntered(game) {
  session.isEntered ||= session.drawnEntries !== entriesKey(game);
  session.drawnEntries = entriesKey(game);
  Object.assign(session.view, { chosen: null, panel: undefined, blind: false, menu: false, error: undefined, refusals: [] });
}

// What has to be unchanged for a tap to count: all entries, and whether a decision is shown.
const entriesKey = (game) => game && `${entriesOf(game)} ${needsDecision(game)}`;

const current = async () => currentOf(await getEverything());

function currentOf(stored) {
  if (!session.view.id) return undefined;
  const moved = stored.get(`moved/game/${session.view.id}`);
  const game = stored.get(moved ?? `game/${session.view.id}`);
  if (moved && game) history.replaceState(null, "", pathOf(game));
  if (game) session.view.id = game.id;
  return game;
}

// Reads what is stored between two updates, and loads what it takes to show it.
async function readState() {
  const last = session.lastUpdate;
  await last;
  const now = gamesIn(await getEverything());
  const isPlayed = now[0] && session.view.name === "game" && isSimple(now[0]);
  if (!isPlayed) await loadViews().catch(() => {}); // without them a game is shown nevertheless
  await views?.useWordsOf(now[0]);
  return last === session.lastUpdate ? now : readState();
}

// Returns the game of the view, the table, and all games.
function gamesIn(stored) {
  const games = [...stored].filter(([key]) => key.startsWith("game/")).map(([, game]) => game);
  return [currentOf(stored), stored.get("table"), games];
}

const isSimple = (game) =>
  stateOf(game).phase !== "over" &&
  !hasConflict(game) &&
  !(needsDecision(game) || game.restored || game.gone || game.refused);

// Rendering a form again would lose what has been typed since.
const isFilledIn = () => isEditing() && session.drawnFrom === source() && session.root.querySelector("form");
const source = () => session.view.typed ?? session.view;

async function draw() {
  let stored;
  do {
    await released(); // rendering again would remove the button under a finger
    stored = await readState();
  } while (released());
  showState(...stored);
}

function showState(game, table, games) {
  if (isFilledIn()) return;
  session.drawnFrom = source();
  if (entriesKey(game) !== session.drawnEntries) session.generation += 1;
  session.drawnEntries = entriesKey(game);
  session.root.dataset.generation = session.generation;
  session.hasUnsent = games.some(unsentCount);
  games.sort(newestFirst);
  const status = connectionStatus();
  const { root, view, hasUnsent, isEntered } = session;
  const shownGame = view.name === "game" && game;
  if (drawView(root, view, { status, hasUnsent, isEntered }, game, table, games)) {
    const shown = { ...view };
    // After the step that is shown, but before the document is told that all is done, which is then felt.
    enqueue(() => online?.announceView(shown, game, games, status ?? true));
    session.isEntered = false;
  }
  online?.followGame(shownGame && !game.begin && !game.gone ? game : null, draw);
  online?.activateUpdate();
}

async function onTap(action, data) {
  if (action === "ask") await askSeat(data);
  else if (action === "retry") await online.retryRefused();
  else await (await loadViews()).runAction(app, action, data);
}

async function askSeat({ seat, blind }) {
  Object.assign(session.view, { chosen: seat - 1, blind: Boolean(blind), error: "" });
  await draw();
}

const onEntry = (path, fields, data) => (data.why ? showError(data.why) : enterForm(path, fields, data));

// Enters what a form of the game page says, by the path that it would be sent to without scripts. Forms
// that this phone cannot handle by itself are sent to the server.
async function enterForm(path, fields, data) {
  const step = stepFromRequest(path, fields);
  if (step) await enterStep(step, data);
  else await (await loadViews()).enterLater(app, path, fields, data);
}

// Thrown when a tap was made on an outdated page: another round or seat is current.
class Stale extends Error {}

/** Return a step to the changed game, which throws `Refused`, or `Stale` if round `n` is not current. */
export const entryStep = (n, step, kind) => (game) => {
  const state = stateOf(game);
  if (state.phase === "over") return game;
  if (state.number !== n) throw new Stale();
  return enter(game, n, step(state, roundOf(game, n), game), kind);
};

const steps = {
  bids: (n, field) => {
    const bid = parseBid(field("bid"));
    return entryStep(n, (state, round) => placeBid(state, n, round, field("seat") - 1, bid));
  },
  tally: (n, field) => {
    const one = field("one")?.split(":");
    const [seat, count] = (one ?? [field("seat"), field("tricks")]).map(Number);
    return entryStep(n, (state, round) => countTricks(state, n, round, seat - 1, count, Boolean(one)));
  },
  tricks: (n) =>
    entryStep(n, (state, round) => {
      const rules = inRound(state.rules, n, state.players, round.cards);
      const tricks = fillLastCount(round.tally, rules, state.players, state.standing.seats.empty);
      return scoreRound(state, n, { ...round, tricks: tricks.map((count) => count ?? 0) }, round);
    }),
};

// Returns the step that a request of the game page asks for, or nothing for one that is loaded later.
function stepFromRequest(path, fields) {
  const [, round, what] = /(?:\/rounds\/(\d+))?\/(bids|tally|tricks)$/.exec(path.split("?")[0]) ?? [];
  return steps[what]?.(Number(round), (name) => fields.get(name));
}

const onSubmit = (what, typed, data) => views.submitForm(app, what, typed, data);

// Before online.js has come a link is followed at once; the next page sends what is unsent.
async function onLink(href) {
  const next = route(new URL(href, location));
  if (session.view.name === "game" && next.name === "game" && next.id === session.view.id) {
    Object.assign(session.view, next, { chosen: null, blind: false, error: "" });
    return draw();
  }
  return online ? online.openPage(app, href) : location.assign(href);
}

const app = {
  get view() {
    return session.view;
  },
  get hasUnsent() {
    return session.hasUnsent;
  },
  isEditing,
  current,
  draw,
  show,
  apply,
  enter: enterStep,
  sync: async () => online?.syncBriefly(),
  online: loadOnline,
  isServed: () => connectionStatus() === true,
  refresh: () => online?.refreshGame(session.view.id),
  views: loadViews,
};

/** Return the view for an address. */
export function route({ pathname, hash, search = "" }) {
  const [, id, page, n] = /\/games\/([a-z0-9-]+)(\/rules|\/rounds\/(\d+))?$/.exec(pathname) ?? [];
  if (id === "new" || hash === "#new") return { name: "new" };
  if (n) return { name: "past", id, n: Number(n) };
  if (page) return { name: "rules", id };
  if (id) return { name: "game", id, everyRound: search === "?rounds=all" };
  return hash.length > 1 ? { name: "game", id: hash.slice(1) } : { name: "list" };
}
