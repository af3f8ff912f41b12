"""Templates and static files: beside the package in a checkout, inside it in a wheel."""

import base64
import gzip
import hashlib
import re
from functools import cache
from pathlib import Path

from flask import Flask, Response, abort, request

STYLES = ("tokens", "base", "layout", "parts", "entry", "pages", "history", "settings")
YEAR = 31_536_000  # seconds
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
}
COMMENT_LINES = re.compile(r"^[ \t]*(?://.*|/\*[\s\S]*?\*/[ \t]*)\n", re.MULTILINE)
STATIC = "/static"  # every page has several such addresses, which url_for takes long to make
TOGETHER = "all-"  # begins a folder that holds every file at once, in one state


@cache  # key: the name; where the program lies does not change while it runs
def folder(name: str) -> Path:
    """Return the folder of templates or static files, wherever the program was installed."""
    package = Path(__file__).resolve().parent.parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


@cache  # no key: the files do not change while the program runs, here and below
def style() -> str:
    """Return all style sheets as one text, which every page carries in itself.

    A separate file would hold up the first paint by one round trip.
    """
    sheets = [(folder("static") / "css" / f"{name}.css").read_text("utf-8") for name in STYLES]
    bare = " ".join(re.sub(r"/\*.*?\*/", "", "\n".join(sheets), flags=re.DOTALL).split())
    for sign in "{};,>":
        bare = bare.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return bare.replace(";}", "}")


@cache
def style_hash() -> str:
    """Return the hash by which the content security policy knows our style, and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()


@cache  # key: the path
def fingerprint(path: str) -> str:
    """Return a few letters that change with a static file's content."""
    return hashlib.sha256((folder("static") / path).read_bytes()).hexdigest()[:10]


@cache
def static_files() -> tuple[str, ...]:
    """Return the paths of all static files."""
    root = folder("static")
    found = (path for path in root.rglob("*") if path.is_file() and path.suffix in TYPES)
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))


@cache  # key: the path, one of static_files(); both encodings are kept, and the view chooses
def as_sent(path: str) -> tuple[bytes, bytes]:
    """Return a static file as phones get it, and the same compressed, once somebody asks for it."""
    content = _bare(folder("static") / path)
    return content, gzip.compress(content, 9)


def _bare(path: Path) -> bytes:
    """Return a file's content: our scripts without the lines that only people read."""
    if path.suffix != ".js" or path.parent.name == "vendor":
        return path.read_bytes()
    return COMMENT_LINES.sub("", path.read_text("utf-8")).encode()


@cache
def version() -> str:
    """Return a few letters that change whenever any static file does."""
    prints = "".join(path + fingerprint(path) for path in static_files())
    return hashlib.sha256(prints.encode()).hexdigest()[:10]


def static_url(path: str) -> str:
    """Return the address of a static file, a new one when its content changes."""
    return f"{request.script_root}{STATIC}/{path}?v={fingerprint(path)}"


def together_url(path: str) -> str:
    """Return the address of a script that imports others: what it finds beside it is as new."""
    return f"{request.script_root}{STATIC}/{TOGETHER}{version()}/{path}"


def send_static(filename: str) -> Response:
    """Answer with a static file; kept for a year by phones when its fingerprint is given."""
    asked = request.args.get("v", "")
    if filename.startswith(TOGETHER):
        asked, _slash, filename = filename.removeprefix(TOGETHER).partition("/")
    if filename not in static_files():
        abort(404)
    content, packed = as_sent(filename)
    response = Response(content, content_type=TYPES[Path(filename).suffix])
    if request.accept_encodings.quality("gzip") > 0 and len(packed) < len(content):
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.cache_control.public = True
    fresh = asked in (version(), fingerprint(filename))
    response.cache_control.max_age = YEAR if fresh else 300
    return response


def init_app(app: Flask) -> None:
    """Serve static files and give templates the style and the addresses."""
    app.add_url_rule(f"{STATIC}/<path:filename>", "static", send_static)
    app.add_url_rule("/robots.txt", "robots", send_static, defaults={"filename": "robots.txt"})
    app.jinja_env.globals.update(style=style, static_url=static_url, together_url=together_url)
