"""Folders of templates and static files, and serving of static files and of pages like them.

Joined scripts share one scope, so they need no imports and exports among each other. Only what our
scripts use of the syntax of modules is known here: imports and exports by name, each statement
beginning a line. A test loads every script joined and by itself.
"""

import base64
import gzip
import hashlib
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, Response, abort, current_app, request
from markupsafe import Markup
from rjsmin import jsmin

from scorekeeper.i18n import language

NAMES = r"\{\s*(\w+(?:,\s+\w+)*),?\s*\}"
IMPORT = re.compile(rf'^import {NAMES} from "([^"]+)";\n', re.MULTILINE)
EXPORT_LIST = re.compile(rf"^export {NAMES};\n", re.MULTILINE)
DECLARATION = re.compile(
    r"^(export )?((?:(?:async )?function|const|let|class) (\w+|\[\w+(?:, \w+)*\]))", re.MULTILINE
)
OTHER_STATEMENT = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)
LAZY_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')


@dataclass(frozen=True)
class Module:
    """A script, apart from its imports and exports."""

    path: str
    code: str
    sources: list[str]  # paths of the modules that it imports from
    imported: list[str]
    declared: list[str]  # names of the top level
    exported: list[str]


def join_scripts(root: Path, entries: Mapping[str, str]) -> dict[str, str]:
    """Return scripts with all that they import as one each, by the paths where these are served.

    `entries` has the scripts by the same paths, in the order in which a page loads them. Each one
    imports from those before it what they contain already, so that no module exists twice.

    Raises `ValueError` for a circle of modules, for modules with the same name at their top level,
    and for imports and exports other than by name.
    """
    joined: dict[str, list[Module]] = {}
    found: dict[str, Module] = {}
    for served, entry in entries.items():
        before = len(found)
        _collect(root, entry, (), found)
        joined[served] = list(found.values())[before:]
    homes = _homes(joined)
    return {served: _text(served, joined, homes) for served in joined}


def _collect(root: Path, path: str, above: tuple[str, ...], found: dict[str, Module]) -> None:
    """Add to `found` what a script imports, then the script."""
    if path in above:
        raise ValueError(" imports ".join([*above, path]))
    if path in found:
        return
    module = _read(root, path)
    for source in module.sources:
        _collect(root, source, (*above, path), found)
    found[path] = module


def _homes(joined: dict[str, list[Module]]) -> dict[str, str]:
    """Return the path where the module that declares a name is served, by the name."""
    homes: dict[str, str] = {}
    paths: dict[str, str] = {}
    for served, modules in joined.items():
        for module in modules:
            for name in module.declared:
                if name in paths:
                    raise ValueError(f"{name} is declared in {paths[name]} and {module.path}")
                paths[name], homes[name] = module.path, served
    return homes


def _text(served: str, joined: dict[str, list[Module]], homes: dict[str, str]) -> str:
    own = joined[served]
    exported = set(own[-1].exported)  # by the entry
    text = ""
    for other, modules in joined.items():
        if other != served:
            exported |= _wanted(modules, served, homes)
            if imported := _wanted(own, other, homes):
                text += f'import {_listed(imported)} from "{_address(served, other)}";\n'
    text += "".join(_code(module, served) for module in own)
    return text + (f"export {_listed(exported)};\n" if exported else "")


def _wanted(modules: list[Module], served: str, homes: dict[str, str]) -> set[str]:
    """Return the names that modules import and that are declared in the script served at a path."""
    return {name for module in modules for name in module.imported if homes.get(name) == served}


def _code(module: Module, served: str) -> str:
    """Return the code of a module with the addresses of its lazy imports as seen from a path."""
    return LAZY_IMPORT.sub(
        lambda found: f'import("{_address(served, _resolve(module.path, found[1]))}")', module.code
    )


def _read(root: Path, path: str) -> Module:
    text = (root / path).read_text("utf-8")
    declarations = DECLARATION.findall(text)
    imports = IMPORT.findall(text)
    exports = [*EXPORT_LIST.findall(text), *(names for export, _, names in declarations if export)]
    code = DECLARATION.sub(r"\2", EXPORT_LIST.sub("", IMPORT.sub("", text)))
    if other := OTHER_STATEMENT.search(code):
        raise ValueError(f"{path}: {other[0]}")
    return Module(
        path=path,
        code=code,
        sources=[_resolve(path, address) for _, address in imports],
        imported=_split(names for names, _ in imports),
        declared=_split(names for _, _, names in declarations),
        exported=_split(exports),
    )


def _split(lists: Iterable[str]) -> list[str]:
    return [name for names in lists for name in re.findall(r"\w+", names)]


def _listed(names: Iterable[str]) -> str:
    return f"{{ {', '.join(sorted(names))} }}"


def _resolve(path: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))


def _address(path: str, other: str) -> str:
    """Return the address of another path in a script that is served at one."""
    address = posixpath.relpath(other, posixpath.dirname(path) or ".")
    return address if address.startswith(".") else f"./{address}"


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
# Of the page of a game being played, which loads them once it can take taps.
LATER_STYLES = ("menu", "clock")
YEAR = 31_536_000  # seconds
HTML = "text/html; charset=utf-8"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
}
STATIC = "/static"
APP = "app.js"  # every script of the app in one file, which is made of this one and its imports:
APP_ENTRY = "js/offline/main.js"
# Each of these is sent with its imports, other than those of the app, which loads them, and of the
# ones before it.
JOINED_LATER = ("js/offline/online.js", "js/offline/views.js")
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


@cached_until_files_change
def page_style() -> Markup:
    """Return the inline style of a page that shows no game being played, as an element."""
    return Markup('<style id="page-style">{}</style>').format(Markup(style(PAGE_STYLES)))


@cached_until_files_change
def start_style() -> Markup:
    """Return the inline style of home and of pages like it, as an element."""
    return Markup('<style id="start-style">{}</style>').format(Markup(style(START_STYLES)))


@cached_until_files_change
def style_hashes() -> str:
    """Return the hashes of the inline styles for the Content-Security-Policy header."""
    sheets = (style(names) for names in (STYLES, PAGE_STYLES, START_STYLES))
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
    if path in joined_scripts():
        content = jsmin(joined_scripts()[path]).encode()
    elif path.endswith(".js"):
        content = jsmin((folder("static") / path).read_text("utf-8")).encode()
    else:
        content = (folder("static") / path).read_bytes()
    return content_of(content)


@cached_until_files_change
def joined_scripts() -> dict[str, str]:
    """Return the scripts of the app by the paths where they are served, each with its imports."""
    return join_scripts(folder("static"), {APP: APP_ENTRY, **{path: path for path in JOINED_LATER}})


@cached_until_files_change
def version() -> str:
    """Return a short hash of the content of all static files."""
    fingerprints = "".join(path + fingerprint(path) for path in static_files())
    return hashlib.sha256(fingerprints.encode()).hexdigest()[:10]


def static_url(path: str) -> str:
    """Return the URL of a static file, which changes with its content."""
    return f"{request.script_root}{STATIC}/{path}?v={fingerprint(path)}"


def app_url() -> str:
    """Return the URL of the app's scripts in one file."""
    return module_url(APP)


def module_url(path: str) -> str:
    """Return the URL of a script that imports others, so that it imports those of one version."""
    return f"{request.script_root}{STATIC}/{VERSION_PREFIX}{version()}/{path}"


def send_static(filename: str) -> Response:
    """Send a static file, cacheable for a year if the URL contains its current fingerprint."""
    requested = request.args.get("v", "")
    if filename.startswith(VERSION_PREFIX):
        requested, _slash, filename = filename.removeprefix(VERSION_PREFIX).partition("/")
    if filename != APP and filename not in static_files():
        abort(404)
    response = send(as_sent(filename), TYPES[Path(filename).suffix])
    fresh = requested == version() or (filename != APP and requested == fingerprint(filename))
    response.cache_control.max_age = YEAR if fresh else 300
    return response


def send_shared(render: Callable[[], str], content_type: str = HTML) -> Response:
    """Send a text that depends on the address and the language alone, rendered once for each.

    Clients revalidate what they have: all phones ask for the service worker and the app shell at
    each start, which take 20 ms to render.
    """
    key = (request.path, language())
    sent: dict[tuple[str, str], Content] = current_app.extensions["shared_pages"]
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
    app.add_url_rule("/robots.txt", "robots", send_static, defaults={"filename": "robots.txt"})
    app.jinja_env.globals.update(
        app_url=app_url,
        module_url=module_url,
        page_style=page_style,
        start_style=start_style,
        static_url=static_url,
        style=style,
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
