"""Scoring without a server: the app shell, snapshots, and the sync of what was entered."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_wtf.csrf import generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import i18n
from scorekeeper.clock import now
from scorekeeper.free_text import NameRefused, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.presets import DEFAULT, PRESETS, as_chosen, tables
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.club_links import keeps_at
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import GameSetup, OtherContent, StartRequest, game_started
from scorekeeper.store.games import (
    Game,
    is_unknown,
    is_unknown_at,
    known_players,
    load_game,
    recent_games,
    recent_rules,
)
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import Phone, hash_of, list_saved_rules, owner_of, was_phone
from scorekeeper.web.game.new_game import Start, start_game
from scorekeeper.web.game.new_game_form import NewGameForm
from scorekeeper.web.game.page import is_gone
from scorekeeper.web.game.screen import Json, facts_for, game_facts, house_of, script_json
from scorekeeper.web.http.language import local_path
from scorekeeper.web.http.requests import (
    KEEPERS,
    NO_HOME,
    database,
    find_game_or_404,
    find_in,
    json_response,
    require_phone,
    store,
    this_phone,
)
from scorekeeper.web.http.static_files import (
    BUNDLES,
    LATER_STYLES,
    START_STYLES,
    YEAR,
    Content,
    cached_until_files_change,
    content_of,
    folder,
    module_url,
    send,
    send_shared,
    static_url,
)
from scorekeeper.web.phrases import game_words, phone_words, rules_text_of
from scorekeeper.web.text.rule_books import BOOK_GROUPS, group_of

pages = Blueprint("offline", __name__)


def init_app(app: Flask) -> None:
    """Give templates the phrases for offline use."""
    app.jinja_env.globals.update(
        game_words=game_words, phone_words=phone_words, pieces_url=pieces_url
    )
    app.jinja_env.filters["script_json"] = script_json


@pages.get("/sign-in")
def sign_in() -> AnyResponse:
    """Lead back to a page, once a login in front of the server lets this through.

    The service worker leaves this address alone, so that the login is shown.
    """
    back = local_path(request.args.get("back", ""))
    return redirect(back if back != "/" else url_for("table.home"), 303)


PAPER, CLOTH = "#faf7ee", "#005a3c"  # background of pages in light mode, and of the icon


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Send the web app manifest."""
    return send_shared(_manifest, "application/manifest+json; charset=utf-8")


def _manifest() -> str:
    """Return the manifest in the language of the request."""
    home, icon = url_for("table.home"), _icon("icons/icon-192.png", "192x192")
    described: dict[str, Any] = {
        "id": home,
        "name": _("Scorekeeper"),
        "short_name": _("Scores"),
        "description": _("Keeps score for your Spades table, even offline."),
        "lang": i18n.language(),
        "dir": i18n.direction(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": CLOTH,
        "categories": ["games", "utilities"],
        "icons": [
            _icon("icon.svg", "any"),
            icon,
            _icon("icons/icon-512.png", "512x512"),
            _icon("icons/maskable.svg", "any", "maskable"),
            _icon("icons/maskable-512.png", "512x512", "maskable"),
        ],
        "shortcuts": [
            {"name": _("Continue"), "url": url_for("offline.play_on"), "icons": [icon]},
            {"name": _("New game"), "url": url_for("new_game.new"), "icons": [icon]},
        ],
        "screenshots": [
            {**_icon("screenshots/phone.png", "585x1266"), "form_factor": "narrow"},
            {**_icon("screenshots/wide.png", "1280x720"), "form_factor": "wide"},
        ],
        "file_handlers": [
            {
                "action": url_for("imports.choose"),
                "accept": {"text/csv": [".csv"], "application/json": [".json"]},
            }
        ],
    }
    return json.dumps(described, ensure_ascii=False)


def _icon(path: str, sizes: str, purpose: str = "any") -> dict[str, str]:
    kind = "image/svg+xml" if path.endswith(".svg") else "image/png"
    return {"src": static_url(path), "sizes": sizes, "type": kind, "purpose": purpose}


WORKER = "js/offline/worker.js"
# The service worker connects to this server only.
WORKER_POLICY = "default-src 'none'; connect-src 'self'; script-src 'self'"
# By the app, which loads the others later.
SCRIPTS = (
    *BUNDLES,
    "js/game/motion.js",
    "js/game/sounds.js",
    "js/table/settings.js",
    "js/table/shortcuts.js",
)


@pages.get("/sw.js")
def worker() -> Response:
    """Send the service worker, whose text changes with every file that it caches."""
    response = send_shared(_service_worker, "text/javascript; charset=utf-8")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return response


def _service_worker() -> str:
    """Return the text of the service worker with the list of files that it caches."""
    shell, aside = url_for("offline.shell"), url_for("settings.sound")
    other_words = [page for words in i18n.WORDS[1:] for page in _pages_with(words)]
    files = [
        *(module_url(path) for path in SCRIPTS),
        *(module_url(f"css/{name}.css") for name in (*START_STYLES, *LATER_STYLES, "toast")),
        module_url("menu.svg"),
        static_url("icon.svg"),
        static_url("css/windows.css"),
        url_for("offline.manifest"),
        pieces_url(),
        *(url for url, _page in other_words),
    ]
    pages = [render_template(page) for page in ("offline/shell.html", "table/sound.html")]
    content = "".join([*pages, *(page for _url, page in other_words), *files])
    state = hashlib.sha256(content.encode()).hexdigest()[:10]
    base = request.script_root
    cached = {"state": state, "base": base, "shell": shell, "aside": aside, "files": files}
    text = (folder("static") / WORKER).read_text("utf-8")
    return f"const KEEP = {json.dumps(cached)};\n{text}"


def _pages_with(words: str) -> list[tuple[str, str]]:
    """Return the URLs that a game with another word for a bid needs, each with its page."""
    i18n.use_words(words)
    shell = (url_for("offline.shell", words=words), render_template("offline/shell.html"))
    pages = [shell, (pieces_url(), "")]
    i18n.use_words("bid")
    return pages


@pages.get("/phone", defaults={"words": "bid"})
@pages.get("/phone/<any(call):words>")
def shell(words: str) -> Response:
    """Show the page that a phone keeps for offline use; it holds no data of a table.

    `words` is the word for a bid.
    """
    i18n.use_words(words)
    return send_shared(lambda: render_template("offline/shell.html"))


@pages.get("/play-on")
def play_on() -> AnyResponse:
    """Go to the game that was played last: the start URL of the installed app's shortcut."""
    games = recent_games(database(), require_phone().table_id, 1)
    if games:
        return redirect(url_for("game.show", game_id=games[0].id), 303)
    return redirect(url_for("table.home"), 303)


@pages.get("/phone/pieces/<language>", defaults={"words": "bid"})
@pages.get("/phone/pieces/<language>/<words>")
def pieces(language: str, words: str) -> Response:
    """Send the templates and phrases of the game page in a language, for the phone's scripts.

    `words` is the word for a bid. The response is cacheable for a year if the URL contains the hash
    of its content.
    """
    if language not in i18n.LANGUAGES or words not in i18n.WORDS:
        abort(404)
    i18n.set_language(language)
    i18n.use_words(words)
    content = _pieces(language, words, request.script_root)
    response = send(content, "text/plain; charset=utf-8")  # as it is no page to be shown
    is_current = request.args.get("v") == content.tag
    response.cache_control.max_age = YEAR if is_current else 0
    return response


def pieces_url() -> str:
    """Return the URL of the templates and phrases of the game page, which changes with them."""
    language, words = i18n.language(), i18n.words()
    content = _pieces(language, words, request.script_root)
    return url_for("offline.pieces", language=language, words=words, v=content.tag)


@cached_until_files_change
def _pieces(_language: str, _words: str, _script_root: str) -> Content:
    return content_of(render_template("offline/pieces.html").encode())


@pages.get("/phone.json")
def table() -> Response:
    """Send the snapshot of the phone's table, or 304 where the phone has it.

    A phone that joined after a backup was made which has been restored is answered that it is lost:
    it then keeps its games until it joins again. A phone that was removed gets a plain 404, and one
    that only keeps score at a club night what it needs to go on with its game.
    """
    joined = session.get("phone")
    if joined and this_phone() is None and not was_phone(database(), joined):
        return json_response({"lost": True}, 404)
    if this_phone() is None and keeps_at(database(), session.get(KEEPERS, [])):
        return _facts({"owner": owner_of(Phone("", "", "", home=NO_HOME)), "games": []})
    return _facts(table_facts(database(), require_phone()))


@pages.get("/games/<game_id>/phone.json")
def game(game_id: str) -> Response:
    """Send the snapshot of a game, or 304 where the phone has it.

    `seen` is the revision that the phone knows. The answer says where the server does not have it,
    or has no such game, as after a restored backup.
    """
    phone, db = require_phone(), database()
    game = find_in(db, phone.table_id, game_id)
    if game is None:
        tables = {phone.table_id, *(at[0] for at in keeps_at(db, session.get(KEEPERS, [])))}
        is_lost = all(is_unknown_at(db, table_id, game_id) for table_id in tables)
        return json_response({"lost": is_lost, "owner": owner_of(phone)}, 404)
    restored = is_gone(db, game, request.args.get("seen", ""))
    return _facts(facts_for(db, phone, game), restored=restored)


def _facts(facts: dict[str, Any], *, restored: bool = False) -> Response:
    """Answer with facts, their ETag, and a CSRF token to send what was recorded offline."""
    tag = hash_of(json.dumps(facts))[:20]
    if request.if_none_match.contains_weak(tag):
        return Response(status=304)
    if restored:
        facts["game"]["restored"] = True
    response = json_response({**facts, "token": generate_csrf()})
    response.set_etag(tag)
    return response


GAMES_SENT = 5  # the phone keeps others that it has shown
GAMES_KEPT = 20  # MAX_GAMES of sync.js


def table_facts(db: Database, phone: Phone) -> Json:
    """Return the players of a table, its rule books, and the games that were played last.

    `texts` are those of house rules; the texts of the rule books are among the phrases.
    """
    games = recent_games(db, phone.table_id, GAMES_SENT)
    known = known_players(db, phone.table_id)
    ours = [saved.rules for saved in list_saved_rules(db, phone.table_id)]
    return {
        "owner": owner_of(phone),
        "names": [one.name for one in known],
        "faces": [(one.shape, one.color) for one in known],
        "last": list(games[0].names) if games else [],
        "stake": games[0].stake if games else None,
        "books": _books(games, ours),
        "texts": _texts([*ours, *recent_rules(db, phone.table_id, GAMES_KEPT)]),
        "games": [game_facts(db, game, phone.zone) for game in games],
    }


def _books(games: list[Game], ours: list[RuleSet]) -> list[Json]:
    """Return the rules of each group: those of the table, those played last, the presets."""
    played = [as_chosen(game.rules, len(game.starters)) for game in games]
    own = [rules for rules in played if rules != PRESETS.get(rules.key)]
    books = dict.fromkeys([*ours, *own, *PRESETS.values()])
    last = played[0] if played else DEFAULT
    titles = [translate(title) for title, _keys in BOOK_GROUPS]
    found = [
        {
            **rules.values,
            "sizes": list(tables(rules)),
            "house": house_of(rules),
            "named": rules.name != PRESETS[rules.key].name,
            "last": rules == last,
            "group": group_of(None if rules.name != PRESETS[rules.key].name else rules),
        }
        for rules in books
        if rules.key in PRESETS
    ]
    return sorted(found, key=lambda book: titles.index(book["group"]))


def _texts(found: Iterable[RuleSet]) -> list[Json]:
    """Return the texts of rules that differ from their book, each once."""
    return [
        {"key": rules.key, "house": house, "text": rules_text_of(rules)}
        for rules in dict.fromkeys(found)
        if (house := house_of(rules))
    ]


@pages.post("/phone/games")
def begin() -> Response:
    """Start a game that was started offline; sent again, the request leads to the same game.

    `owner` is the table that the game belongs to, which the phone may have left since. `game_id` is
    that of a game which a restored backup does not have: the first phone that sends it starts it
    again, under its old address. `age` is how many seconds ago the game was started, as the
    clock of the phone may be wrong.
    """
    phone, form = require_phone(), NewGameForm(request.form).new_game()
    if request.form.get("owner", owner_of(phone)) != owner_of(phone):
        return json_response({}, 404)
    if whose_deal := request.form.get("first_dealer_rule"):
        form.house["first_dealer"] = whose_deal  # the field `first_dealer` is a seat of this game
    is_right = form.check()
    form.rules = _named(form.rules, request.form.get("rules_name", ""))
    sent = form.request() if is_right else None
    incomplete = _("This game can’t be started: something is missing.")
    if sent is None or form.is_drawn:
        return json_response({"sentence": " ".join(form.errors.values()) or incomplete}, 422)
    try:
        game_id = _start(phone, form.setup(), sent, request.form.get("game_id") or None, _began())
    except OtherContent:
        return json_response({"sentence": incomplete}, 422)
    return json_response({"game": game_facts(database(), find_game_or_404(game_id), phone.zone)})


MAX_AGE = 604_800  # seconds: a week without the server


def _began() -> datetime:
    """Return when a phone started a game; the present where `age` is missing or malformed."""
    age = request.form.get("age", "")
    is_number = age.isascii() and age.isdecimal() and len(age) < 10
    return now() - timedelta(seconds=min(int(age), MAX_AGE) if is_number else 0)


def _start(
    phone: Phone, setup: GameSetup, sent: StartRequest, old_id: str | None, began: datetime
) -> str:
    """Return the id of the game that a phone started. Raises `OtherContent`."""
    with store().write(phone.table_id) as db:
        restored = old_id and load_game(db, phone.table_id, old_id)
        started = restored.id if restored else game_started(db, phone.table_id, sent)
        if started is None and old_id and not is_unknown(db, old_id):
            raise OtherContent
        return start_game(
            db, phone.table_id, setup, Start(sent, started, old_id), Who(phone.id, began)
        )


def _named(rules: RuleSet, name: str) -> RuleSet:
    """Return rules under the name that the phone has for them, if that is a valid name."""
    try:
        return replace(rules, name=normalize_name(name))
    except NameRefused:
        return rules
