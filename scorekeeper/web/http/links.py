"""Links as they arrive: chats and people add a slash, a full stop or a line break, or capitals.

A path that leads nowhere as it was sent is read again, without all of that; if it then is one of
ours, the visitor is sent there. Paths of ours have no capitals, and end with a letter or a digit.
"""

import re
import unicodedata
from urllib.parse import quote

from flask import Flask, redirect, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

LONGEST = 500  # characters; ours are shorter, also with an address in front
AS_MADE = re.compile(r"/([a-z0-9._-]+/)*[a-z0-9._-]*[a-z0-9]|/")
INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Zs")  # categories of Unicode: controls, formats and blanks
NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # what no chat adds
AT_THE_END = re.compile(r"[^a-z0-9]+\Z")
TAKE_ANY_TEXT = {"key", "game_id", "rules_id"}  # variables of rules


def init_app(app: Flask) -> None:
    """Redirect links that were changed on the way."""
    app.before_request(_redirect_to_mended)


def mended(path: str, host: str, prefix: str = "") -> str:
    """Return a path without what chats and people add to it.

    >>> mended("/WATCH//ABC123).", "spades.example.org")
    '/watch/abc123'
    >>> mended("/spades.example.org/join/abc123/", "spades.example.org")
    '/join/abc123'
    """
    seen = "".join(sign for sign in path if unicodedata.category(sign) not in INVISIBLE).lower()
    parts = [part for part in seen.split("/") if part]
    if parts[:1] in (["http:"], ["https:"]):
        del parts[0]
    if parts[:1] == [host.lower()]:  # a link without its scheme, taken for one on the same page
        del parts[0]
    plain = AT_THE_END.sub("", "/" + "/".join(parts)) or "/"
    return plain.removeprefix(prefix.lower()) or "/"


def _redirect_to_mended() -> Response | None:
    path, rule = request.path, request.url_rule
    if request.method not in ("GET", "HEAD") or len(path) > LONGEST or NO_TEXT.search(path):
        return None
    if path.startswith("/api/"):  # for programs, which make no such mistakes
        return None
    if rule and (AS_MADE.fullmatch(path) or not TAKE_ANY_TEXT & rule.arguments):
        return None
    plain = mended(path, request.host, request.script_root)
    if plain == path or not AS_MADE.fullmatch(plain) or not _leads_somewhere(plain):
        return None
    query = request.query_string.decode("latin-1")
    return redirect(f"{request.script_root}{quote(plain)}{'?' if query else ''}{query}")


def _leads_somewhere(path: str) -> bool:
    adapter = request_ctx.url_adapter
    assert adapter is not None
    try:
        adapter.match(path, method="GET")
    except HTTPException:
        return False
    return True
