"""Who may do what, and what browsers are told to refuse."""

import ipaddress
import re
import socket
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, TimestampSigner
from werkzeug.exceptions import BadRequest, Forbidden

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.web.http.csrf import csrf
from scorekeeper.web.http.static_files import style_hash, version

STAYS_JOINED = timedelta(days=180)
LIFE = int(STAYS_JOINED.total_seconds())
UNTIL = re.compile(r"Expires=[^;]*(?!.*Max-Age)")
LARGEST_BODY = 64 * 1024  # bytes
COOKIES_KNOWN = 1024  # each of some 200 bytes
# Over plain http browsers pass over all of these, and call the opener policy an error.
OVER_HTTPS = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


class Cookies(SecureCookieSessionInterface):
    """Signed cookies, sent with pages alone.

    What anybody on the way may keep, such as a static file, must not carry a phone's cookie. This
    computer's clock may be wrong, and set back later: a cookie that seems to be of the future is
    good, and a phone is told how long to keep it, not until when.
    """

    def __init__(self, app: Flask) -> None:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None
        signer = serializer.make_signer(serializer.salt)
        assert isinstance(signer, TimestampSigner)

        # A phone sends the same cookie with every tap; it is unpacked once. Key: the signed text;
        # the key that it is signed with belongs to the application, as this cache does.
        @lru_cache(COOKIES_KNOWN)
        def unpack(signed: str) -> tuple[dict[str, Any], datetime]:
            payload, since = signer.unsign(signed, return_timestamp=True)
            return serializer.load_payload(payload), since

        self._unpack = unpack

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what the cookie of a request holds; nothing where it is none of ours."""
        signed = request.cookies.get(self.get_cookie_name(app), "")
        try:
            kept, since = self._unpack(signed)
            if now() - since <= STAYS_JOINED:
                return self.session_class(kept)
        except BadData:
            pass
        return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if _is_public(response):
            return
        super().save_session(app, session, response)
        if self.should_set_cookie(app, session):
            name = self.get_cookie_name(app)
            cookies = [
                UNTIL.sub(f"Max-Age={LIFE}", cookie) if cookie.startswith(f"{name}=") else cookie
                for cookie in response.headers.getlist("Set-Cookie")
            ]
            response.headers.setlist("Set-Cookie", cookies)


def init_app(app: Flask) -> None:
    """Set cookies, limits, headers and the checks before every request."""
    https = app.config["BASE_URL"].startswith("https://")
    app.config.update(
        # Over https the name keeps other hosts from planting a cookie; plain http in the house
        # must do without, or no phone there would ever send the cookie back.
        SESSION_COOKIE_NAME="__Host-s" if https else "s",
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=STAYS_JOINED,
        SESSION_REFRESH_EACH_REQUEST=False,  # once a day is enough: this_phone does it
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        # An evening is longer than the hour a token would live by default.
        WTF_CSRF_TIME_LIMIT=None,
        # The Referer check it would add fails for phones that send none; _same_site does better.
        WTF_CSRF_SSL_STRICT=False,
    )
    app.session_interface = Cookies(app)
    app.before_request(_known_host)
    app.before_request(_same_site)
    csrf.init_app(app)
    app.after_request(_headers)


def _known_host() -> Response | None:
    """Refuse foreign host names: a page elsewhere could point its own name at this server.

    The answer is bare text, as a page has links, which cannot be made for every such name; a
    problem document has none.
    """
    if not _is_ours(request.host, current_app.config["BASE_URL"]):
        sentence = _(
            "This server does not go by that name. Use the address it printed when it started."
        )
        if request.path.startswith("/api/"):
            raise BadRequest(sentence)
        return Response(sentence, 400, content_type="text/plain; charset=utf-8")
    return None


def _same_site() -> None:
    """Refuse changes that a page of another site asks for."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    elsewhere = origin is not None and origin.partition("://")[2] != request.host
    if elsewhere or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise Forbidden(_("Another site asked for this change, so it was not made."))


@lru_cache(maxsize=64)  # key: the name asked for, and the configured address
def _is_ours(named: str, base_url: str) -> bool:
    """Return whether a server that phones reach at `base_url` goes by the name in a request."""
    try:
        host = urlsplit(f"//{named}").hostname or ""
    except ValueError:
        return False
    return _is_address(host) or host in _own_names(base_url)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache  # key: the configured address; a computer keeps its name
def _own_names(base_url: str) -> frozenset[str]:
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    endings = ("", ".local", ".lan", ".home", ".home.arpa", ".fritz.box", ".internal")
    configured = urlsplit(base_url).hostname if base_url else None
    return frozenset({"localhost", name, configured or "localhost", *(short + e for e in endings)})


def _headers(response: Response) -> Response:
    # A phone tells by it whether this server answered, or a hotel that wants to be logged in to.
    response.headers["Scorekeeper"] = version()
    if _is_public(response):
        # A file is no page: it shows nothing and leads nowhere, so a bad line is spared the rest.
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    response.headers.extend(_of_pages(current_app.config["BASE_URL"].startswith("https://")))
    if request.path != "/" or response.status_code != 200:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Cache-Control"] = "no-store"
    return response


@cache  # key: https or not; the hash of the style stays the same
def _of_pages(https: bool) -> tuple[tuple[str, str], ...]:
    """Return the headers of every page, which none sets by itself."""
    policy = (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' '{style_hash()}'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        "object-src 'none'; frame-ancestors 'none'"
    )
    return (
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
        *(OVER_HTTPS.items() if https else ()),
    )


def _is_public(response: Response) -> bool:
    """Return whether anybody on the way may keep an answer."""
    return "public" in response.headers.get("Cache-Control", "")
