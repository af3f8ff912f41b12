"""The web app manifest and the service worker, which make the pages an installable app."""

import hashlib
import json
from typing import Any

from flask import Blueprint, Flask, Response, abort, render_template, request, url_for

from scorekeeper import i18n
from scorekeeper.i18n import gettext as _
from scorekeeper.web.game.facts import script_json
from scorekeeper.web.http.static_files import (
    JOINED_LATER,
    LATER_STYLES,
    START_STYLES,
    YEAR,
    Content,
    app_url,
    content_of,
    folder,
    kept,
    module_url,
    send,
    send_drawn,
    static_url,
)
from scorekeeper.web.offline.phrases import game_words, phone_words

pages = Blueprint("pwa", __name__)
PAPER, CLOTH = "#faf7ee", "#005a3c"  # background of pages in light mode, and of the icon
WORKER = "js/offline/worker.js"
# By the app:
LOADED_LATER = (
    *JOINED_LATER,
    "js/game/confetti.js",
    "js/game/menu-style.js",
    "js/game/motion.js",
    "js/table/settings.js",
    "js/table/shortcuts.js",
)
# The service worker connects to this server only.
WORKER_POLICY = "default-src 'none'; connect-src 'self'; script-src 'self'"


def init_app(app: Flask) -> None:
    """Give templates the phrases for offline use."""
    app.jinja_env.globals.update(
        game_words=game_words, phone_words=phone_words, pieces_url=pieces_url
    )
    app.jinja_env.filters["script_json"] = script_json


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Send the web app manifest."""
    return send_drawn(_manifest, "application/manifest+json; charset=utf-8")


def _manifest() -> str:
    """Return the manifest in the language of the request."""
    home = url_for("home.home")
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
        "icons": [
            _icon("icon.svg", "any"),
            _icon("icons/icon-192.png", "192x192"),
            _icon("icons/icon-512.png", "512x512"),
            _icon("icons/maskable.svg", "any", "maskable"),
            _icon("icons/maskable-512.png", "512x512", "maskable"),
        ],
        "shortcuts": [
            {"name": _("Continue"), "url": url_for("sync.play_on")},
            {"name": _("New game"), "url": url_for("new_game.new")},
        ],
    }
    return json.dumps(described, ensure_ascii=False)


@pages.get("/sw.js")
def worker() -> Response:
    """Send the service worker, whose text changes with every file that it caches."""
    response = send_drawn(_service_worker, "text/javascript; charset=utf-8")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return response


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
    return url_for("pwa.pieces", language=language, words=words, v=content.tag)


@kept
def _pieces(_language: str, _words: str, _script_root: str) -> Content:
    return content_of(render_template("offline/pieces.html").encode())


def _service_worker() -> str:
    """Return the text of the service worker with the list of files that it caches."""
    shell, aside = url_for("sync.shell"), url_for("settings.show")
    other_words = [page for words in i18n.WORDS[1:] for page in _pages_with(words)]
    files = [
        app_url(),
        *(module_url(path) for path in LOADED_LATER),
        *(module_url(f"css/{name}.css") for name in (*START_STYLES, *LATER_STYLES)),
        module_url("menu.svg"),
        static_url("icon.svg"),
        url_for("pwa.manifest"),
        pieces_url(),
        *(url for url, _page in other_words),
    ]
    pages = [render_template(page) for page in ("offline/shell.html", "table/sound.html")]
    content = "".join([*pages, *(page for _url, page in other_words), *files])
    state = hashlib.sha256(content.encode()).hexdigest()[:10]
    cached = {"state": state, "shell": shell, "aside": aside, "files": files}
    text = (folder("static") / WORKER).read_text("utf-8")
    return f"const KEEP = {json.dumps(cached)};\n{text}"


def _pages_with(words: str) -> list[tuple[str, str]]:
    """Return the URLs that a game with another word for a bid needs, each with its page."""
    i18n.use_words(words)
    shell = (url_for("sync.shell", words=words), render_template("offline/shell.html"))
    pages = [shell, (pieces_url(), "")]
    i18n.use_words("bid")
    return pages


def _icon(path: str, sizes: str, purpose: str = "any") -> dict[str, str]:
    kind = "image/svg+xml" if path.endswith(".svg") else "image/png"
    return {"src": static_url(path), "sizes": sizes, "type": kind, "purpose": purpose}
