"""Folders of templates and static files, and serving of static files and of pages like them."""

import base64
import gzip
import hashlib
import posixpath
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, Response, abort, current_app, g, request
from markupsafe import Markup
from rjsmin import jsmin

from scorekeeper.i18n import language

# The scripts of the app are sent as four: what a page needs before it takes a tap, what talks to
# the server, the views beside a game, and its moments. Each is sent in place of its last script,
# and consists of these, in the order in which they run.
BUNDLES = {
    "js/game/page.js": (
        "js/rules/sentence.js",
        "js/rules/bidding.js",
        "js/rules/scoring.js",
        "js/rules/seating.js",
        "js/rules/outcome.js",
        "js/rules/game.js",
        "js/rules/entry.js",
        "js/model/facts.js",
        "js/model/db.js",
        "js/draw/phrases.js",
        "js/game/input.js",
        "js/game/loading.js",
        "js/game/scoreboard.js",
        "js/game/keypad.js",
        "js/game/screen.js",
        "js/game/app.js",
        "js/game/page.js",
    ),
    "js/model/online.js": (
        "js/model/merge.js",
        "js/model/sync.js",
        "js/game/announcement.js",
        "js/game/stream-sharing.js",
        "js/game/leaving.js",
        "js/game/focus.js",
        "js/game/stream.js",
        "js/model/online.js",
    ),
    "js/draw/views.js": (
        "js/rules/explain.js",
        "js/rules/certainty.js",
        "js/rules/hints.js",
        "js/rules/what-it-takes.js",
        "js/rules/notes.js",
        "js/rules/result.js",
        "js/players/names.js",
        "js/game/setup.js",
        "js/table/drafts.js",
        "js/game/bubble.js",
        "js/game/countdown.js",
        "js/game/chart.js",
        "js/game/panel.js",
        "js/game/notes.js",
        "js/game/rounds.js",
        "js/game/rematch.js",
        "js/game/ending.js",
        "js/game/conflict.js",
        "js/game/menu.js",
        "js/model/undo.js",
        "js/offline/new-game.js",
        "js/game/actions.js",
        "js/draw/home.js",
        "js/draw/views.js",
    ),
    "js/game/moments.js": (
        "js/game/stage.js",
        "js/game/felt.js",
        "js/game/tickets.js",
        "js/game/winner.js",
        "js/game/replay.js",
        "js/game/moments.js",
    ),
}
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)


def join_scripts(served: str) -> str:
    """Return the scripts of a bundle as one, which imports only what other bundles contain.

    The top level of all bundles is one scope: no name is declared twice.
    """
    homes = {path: bundle for bundle, paths in BUNDLES.items() for path in paths}
    imported: dict[str, set[str]] = {}
    code = ""
    for path in BUNDLES[served]:
        text = (folder("static") / path).read_text("utf-8")
        for names, address in IMPORT.findall(text):
            bundle = homes[posixpath.normpath(posixpath.join(posixpath.dirname(path), address))]
            imported.setdefault(bundle, set()).update(re.findall(r"\w+", names))
        code += IMPORT.sub("", text)
    imported.pop(served, None)
    imports = (
        f'import {{ {", ".join(sorted(names))} }} from "../../{bundle}";\n'
        for bundle, names in imported.items()
    )
    return "".join(imports) + code


MIN_BYTES = 500  # smaller responses gain too little
LEVEL = 6


def _compress(response: Response) -> Response:
    """Compress a text response for clients that accept gzip."""
    if not _is_compressible(response):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0:
        # mtime=0 gives equal bodies equal bytes.
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_compressible(response: Response) -> bool:
    """Return whether a response is whole, uncompressed text that is large enough."""
    if response.direct_passthrough or response.is_streamed or len(response.get_data()) < MIN_BYTES:
        return False
    mimetype = response.mimetype or ""
    return not (
        300 <= response.status_code < 400
        or "Content-Encoding" in response.headers
        or not (mimetype.startswith("text/") or mimetype == "application/json")
    )


STYLES = ("tokens", "base", "layout", "parts", "entry", "settings")
# Of all pages but that of a game being played, and of home, a new game and others of their kind,
# after those above. The app loads them as files.
PAGE_STYLES = ("pages", "end")
START_STYLES = (*PAGE_STYLES, "cards", "home", "new-game")
CLUB_STYLES = ("pages", "cards", "home")  # of club nights, which have a file of their own besides
# Of the page of a game being played, which loads them once it can take taps.
LATER_STYLES = ("menu", "clock", "rows", "moments", "rules")
# Of games in windows that are wide or low, or narrow for large text, which nobody waits for in
# others. Text that a page alone enlarges is styled once the app has loaded.
WINDOWS = "(min-width: 40rem), (max-height: 30rem), (max-width: 19.8rem)"
YEAR = 31_536_000  # seconds
SCHEME_COOKIE = "scheme"  # read by js/table/scheme.js too
SCHEMES = ("light", "dark")
HTML = "text/html; charset=utf-8"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
}
STATIC = "/static"
AT_THE_ROOT = {  # where programs look without being told
    "robots.txt": "robots.txt",
    "favicon.ico": "favicon.ico",
    "apple-touch-icon.png": "icons/touch-180.png",
}
_caches: list[Any] = []
Function = TypeVar("Function", bound=Callable[..., Any])
VERSION_PREFIX = "all-"  # of a virtual folder that contains every file, in one version


def cached_until_files_change(function: Function) -> Function:
    """Cache what a function makes of the files, which change only where somebody works on them."""
    cached = cache(function)
    _caches.append(cached)
    return cast("Function", cached)


class Content(NamedTuple):
    """What is sent to everybody: plain and compressed, with a tag that changes with it."""

    plain: bytes
    compressed: bytes
    tag: str


def content_of(text: bytes) -> Content:
    """Return a text or file as it is sent."""
    return Content(text, gzip.compress(text, 9, mtime=0), hashlib.sha256(text).hexdigest()[:10])


@cache
def folder(name: str) -> Path:
    """Return the folder `templates` or `static`: inside the package in a wheel, else beside it."""
    package = Path(__file__).resolve().parent.parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


@cached_until_files_change
def style(names: tuple[str, ...] = STYLES) -> str:
    """Return style sheets as one minified text, those that every page contains by default.

    A separate file would delay the first paint by one round trip.
    """
    sheets = [(folder("static") / "css" / f"{name}.css").read_text("utf-8") for name in names]
    css = " ".join(re.sub(r"/\*.*?\*/", "", "\n".join(sheets), flags=re.DOTALL).split())
    for sign in "{};,>":
        css = css.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return css.replace(": ", ":").replace(";}", "}")


def scheme() -> str:
    """Return the colors that this browser has chosen, `light` or `dark`; empty for its own.

    Pages that are the same for everybody follow a script, `js/table/scheme.js`.
    """
    chosen = request.cookies.get(SCHEME_COOKIE, "") if request else ""
    return chosen if chosen in SCHEMES and "is_shared" not in g else ""


@cached_until_files_change
def style_in(names: tuple[str, ...], chosen: str) -> str:
    """Return style sheets as one text in light or dark colors, whichever the device prefers."""
    css = style(names)
    if not chosen:
        return css
    condition = "all" if chosen == "dark" else "not all"
    css = css.replace("@media (prefers-color-scheme:dark)", f"@media {condition}")
    return css.replace("color-scheme:light dark", f"color-scheme:{chosen}")


def inline_style() -> Markup:
    """Return the inline style of all pages, as an element."""
    return Markup("<style>{}</style>").format(Markup(style_in(STYLES, scheme())))


def page_style() -> Markup:
    """Return the inline style of a page that shows no game being played, as an element."""
    css = Markup(style_in(PAGE_STYLES, scheme()))
    return Markup('<style id="page-style">{}</style>').format(css)


def start_style() -> Markup:
    """Return the inline style of home and of pages like it, as an element."""
    css = Markup(style_in(START_STYLES, scheme()))
    return Markup('<style id="start-style">{}</style>').format(css)


def club_style() -> Markup:
    """Return the inline style of pages of a club night, as an element; no other page allows it."""
    g.more_styles = CLUB_STYLES
    css = Markup(style_in(CLUB_STYLES, scheme()))
    return Markup('<style id="club-style">{}</style>').format(css)


def window_style() -> Markup:
    """Return the link to the style of a game in wide and low windows, and with large text."""
    link = '<link rel="stylesheet" id="window-style" href="{}" media="{}">'
    return Markup(link).format(static_url("css/windows.css"), WINDOWS)


def print_style() -> Markup:
    """Return the link to the style of a page on paper, which a screen does not wait for."""
    link = '<link rel="stylesheet" href="{}" media="print">'
    return Markup(link).format(static_url("css/print.css"))


@cached_until_files_change
def style_hashes(chosen: str, more: tuple[str, ...]) -> str:
    """Return the hashes of inline styles, also of `more`, for Content-Security-Policy."""
    schemes = dict.fromkeys(("", chosen))  # the first for pages that are the same for everybody
    every = (STYLES, PAGE_STYLES, START_STYLES, *([more] if more else []))
    sheets = (style_in(names, scheme) for scheme in schemes for names in every)
    digests = (hashlib.sha256(sheet.encode()).digest() for sheet in sheets)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


@cached_until_files_change
def fingerprint(path: str) -> str:
    """Return a short hash of the content of a static file."""
    return hashlib.sha256((folder("static") / path).read_bytes()).hexdigest()[:10]


@cached_until_files_change
def static_files() -> tuple[str, ...]:
    """Return the paths of all static files."""
    root = folder("static")
    found = (path for path in root.rglob("*") if path.is_file() and path.suffix in TYPES)
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))


@cached_until_files_change
def as_sent(path: str) -> Content:
    """Return the content of a static file as it is served."""
    if path in BUNDLES:
        content = jsmin(join_scripts(path)).encode()
    elif path.endswith(".js"):
        content = jsmin((folder("static") / path).read_text("utf-8")).encode()
    else:
        content = (folder("static") / path).read_bytes()
    return content_of(content)


@cached_until_files_change
def version() -> str:
    """Return a short hash of the content of all static files."""
    fingerprints = "".join(path + fingerprint(path) for path in static_files())
    return hashlib.sha256(fingerprints.encode()).hexdigest()[:10]


def static_url(path: str) -> str:
    """Return the URL of a static file, which changes with its content."""
    return f"{request.script_root}{STATIC}/{path}?v={fingerprint(path)}"


def module_url(path: str) -> str:
    """Return the URL of a script that imports others, so that it imports those of one version."""
    return f"{request.script_root}{STATIC}/{VERSION_PREFIX}{version()}/{path}"


def send_static(filename: str) -> Response:
    """Send a static file, cacheable for a year if the URL contains its current fingerprint."""
    requested = request.args.get("v", "")
    if filename.startswith(VERSION_PREFIX):
        requested, _slash, filename = filename.removeprefix(VERSION_PREFIX).partition("/")
    if filename not in static_files():
        abort(404)
    response = send(as_sent(filename), TYPES[Path(filename).suffix])
    is_fresh = requested in (version(), fingerprint(filename))
    response.cache_control.max_age = YEAR if is_fresh else 300
    return response


def send_shared(render: Callable[[], str], content_type: str = HTML) -> Response:
    """Send a text that depends on the address and the language alone, rendered once for each.

    Clients revalidate what they have: all phones ask for the service worker and the app shell at
    each start, which take 20 ms to render.
    """
    key = (request.path, language())
    sent: dict[tuple[str, str], Content] = current_app.extensions["shared_pages"]
    g.is_shared = True
    if key not in sent or current_app.debug:
        sent[key] = content_of(render().encode())
    response = send(sent[key], content_type)
    response.cache_control.no_cache = True
    response.vary.update(["Accept-Language", "Cookie"])
    return response


def send(content: Content, content_type: str) -> Response:
    """Send what is the same for everybody; 304 where the client has it."""
    has_it = request.if_none_match.contains_weak(content.tag)
    response = Response(status=304 if has_it else 200, content_type=content_type)
    response.set_etag(content.tag, weak=True)
    response.vary.add("Accept-Encoding")
    response.cache_control.public = True
    is_smaller = len(content.compressed) < len(content.plain)
    if is_smaller and request.accept_encodings.quality("gzip") > 0:
        response.headers["Content-Encoding"] = "gzip"
        response.set_data(b"" if has_it else content.compressed)
    else:
        response.set_data(b"" if has_it else content.plain)
    return response


def init_app(app: Flask) -> None:
    """Serve static files, compress responses, and let templates use the style and the URLs."""
    app.extensions["shared_pages"] = {}
    app.after_request(_compress)
    app.add_url_rule(f"{STATIC}/<path:filename>", "static", send_static)
    for path, name in AT_THE_ROOT.items():
        app.add_url_rule(f"/{path}", path, send_static, defaults={"filename": name})
    app.jinja_env.globals.update(
        inline_style=inline_style,
        module_url=module_url,
        page_style=page_style,
        start_style=start_style,
        club_style=club_style,
        scheme=scheme,
        static_url=static_url,
        window_style=window_style,
        print_style=print_style,
    )
    if app.debug:
        app.before_request(_reloader())


def _reloader() -> Callable[[], None]:
    """Return a function that clears the caches if a file has changed since its last call."""
    last = 0

    def reload() -> None:
        nonlocal last
        files = (path for name in ("static", "templates") for path in folder(name).rglob("*"))
        newest = max(path.stat().st_mtime_ns for path in files)
        if newest != last:
            last = newest
            clear_caches()

    return reload


def clear_caches() -> None:
    """Clear the caches of what was made of the files."""
    for cached in _caches:
        cached.cache_clear()
