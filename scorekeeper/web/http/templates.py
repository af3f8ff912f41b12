"""What templates share: pieces that the phone fills too, compiled templates, links with QR codes.

A piece is a Jinja macro that takes one object with all of its values. Called with the values of a
game it is part of the server's page. Called with `Blank()` it is the content of a `<template>`:
each value is a placeholder then, `{name}` or `{name?text}` for a text that stands only where the
value is not empty. Lists of elements have `<template data-slot="name">` instead, and an element
that is left out where a value is empty has `data-if="name"`.

So the words of what both draw are written once: the bar, the scoreboard, the rounds, the end.
"""

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, current_app, request, url_for
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from scorekeeper.addresses import is_loopback, opens_here_only, urls_for_phones
from scorekeeper.i18n import gettext as _


def init_app(app: Flask, data: Path) -> None:
    """Give templates their helpers and their caches, one of them in the data folder."""
    app.jinja_env.tests["blank"] = is_blank
    app.jinja_env.globals.update(
        Blank=Blank, optional=optional, slot=slot, flag=flag, attribute=attribute, link=link
    )
    _cache_templates(app, data)


VARIABLE = re.compile(r"<(?:[^:<>]+:)?(\w+)>")  # in the rule of a URL


class Blank:
    """A value that stands for any value: it is true and prints its name as a placeholder."""

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> "Blank":
        if name.startswith("_"):
            raise AttributeError(name)
        return Blank(name)

    def __html__(self) -> str:
        return f"{{{self._name}}}"

    __str__ = __html__


def optional(value: object) -> Markup:
    """Return the mark of an element that stands under `{% if value %}`; empty where not blank."""
    return Markup(' data-if="{}"').format(name_of(value)) if is_blank(value) else Markup()


def slot(value: Any) -> Any:
    """Return a value that holds elements; a blank one as a slot, which may stand in a table."""
    if not is_blank(value):
        return value
    return Markup('<template data-slot="{}"></template>').format(name_of(value))


def flag(value: object, text: str) -> Markup:
    """Return a text if the value is true."""
    if is_blank(value):
        return Markup("{{{}?{}}}").format(name_of(value), text)
    return escape(text if value else "")


def attribute(name: str, value: object, text: str | None = None) -> Markup:
    """Return an attribute if the value is true, with the value or `text` in it."""
    if not value:
        return Markup()
    shown = value if text is None else flag(value, text)
    return Markup(' {}="{}"').format(name, shown)


def link(endpoint: str, **values: Any) -> str:
    """Return a URL; where a value is blank, with the variables of its rule as placeholders."""
    if not any(map(is_blank, values.values())):
        return url_for(endpoint, **values)
    rule = next(current_app.url_map.iter_rules(endpoint)).rule
    return request.script_root + VARIABLE.sub(r"{\1}", rule)


def name_of(blank: object) -> str:
    """Return the name of a blank value."""
    return str(blank)[1:-1]


def is_blank(value: object) -> bool:
    """Return whether a value is one of a blank copy."""
    return isinstance(value, Blank)


FOLDER = "template-cache"  # in the data folder; may be deleted at any time


class TemplateCache(FileSystemBytecodeCache):
    """Jinja's cache, without which a page is shown too: where files are damaged or not writable."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # a file that was cut short is unpickled with nearly any error
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _cache_templates(app: Flask, data: Path) -> None:
    """Cache the compiled templates of an application, which are code, for its owner alone."""
    folder = data / FOLDER
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    app.jinja_env.bytecode_cache = TemplateCache(str(folder))


QUIET_ZONE = 4  # modules of white around a code, as the standard requires
LONGEST_SCANNED = 300  # characters: phones can't read a larger code from a screen


class SharedLink(NamedTuple):
    """A link that other devices can open: the best URL, others, or why there is none.

    `here` is the URL by which this device asked for the page.
    """

    url: str
    others: list[str]
    obstacle: str
    here: str

    @property
    def code(self) -> Markup | None:
        """The QR code of the URL; None where there is none, or it is too long to be scanned."""
        return svg(self.url) if 0 < len(self.url) <= LONGEST_SCANNED else None


def shared_link(path: str) -> SharedLink:
    """Return the link of a path.

    The host is the configured one, else that of the request, which was checked before. Where that
    is a name of this computer for itself, it is an address by which phones reach it.
    """
    bases, obstacle = _bases()
    url, *others = [base + path for base in bases] or [""]
    return SharedLink(url, others, obstacle, request.host_url.rstrip("/") + path)


def _bases() -> tuple[list[str], str]:
    """Return the URLs of this server for other devices, best first, or why there are none."""
    base: str = current_app.config["BASE_URL"]
    if base or not opens_here_only(request.host_url):
        return [base or request.host_url.rstrip("/")], ""
    if not is_loopback(request.remote_addr or ""):
        # A container or a proxy passed it on, so phones reach this server by another address.
        return [], _("Set SCOREKEEPER_URL to the address by which other devices open Scorekeeper.")
    environ = request.environ
    return urls_for_phones(environ["SERVER_NAME"], int(environ["SERVER_PORT"]), request.scheme)


def svg(link: str) -> Markup:
    """Return the QR code of a link as inline SVG, dark on white.

    Inline, as the URL of an image would put the link into browser histories and logs.
    """
    label = _("QR code for the link")
    return Markup('<div role="img" aria-label="{}">{}</div>').format(label, _drawn(link))


@lru_cache(maxsize=64)
def _drawn(link: str) -> Markup:
    """Return a code, which takes 10 to 20 ms to draw: the same page may be asked for again."""
    import segno  # only here, as it takes more memory than most pages need

    code = segno.make_qr(link).svg_inline(
        border=QUIET_ZONE, light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(code)  # safe, as it contains coordinates, not the text of the link
