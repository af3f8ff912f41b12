"""Session cookies, CSRF, host and origin checks, and security headers."""

import hmac
import re
from datetime import timedelta
from functools import lru_cache
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from flask import Flask, Response, current_app, g, request, session
from flask import Request as FlaskRequest
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFProtect, generate_csrf
from itsdangerous import BadData
from werkzeug.exceptions import Forbidden, LengthRequired
from werkzeug.sansio.utils import host_is_trusted

from scorekeeper.addresses import is_address
from scorekeeper.i18n import gettext as _
from scorekeeper.store.games import LRUCache
from scorekeeper.web.http.static_files import style_hashes, version

MAX_SIGNED = 8192  # tokens, each of some 300 bytes: the phones of 2,000 tables
FIELD = "csrf_token"


class FormTokens(CSRFProtect):  # type: ignore[misc]  # it comes without types
    """Flask-WTF's CSRF protection, with the tokens signed last in a cache.

    A phone sends the token of its page with every request that changes something. A token that
    this process signed for the phone's session need not be verified again; any other token is. A
    tap takes a seventh longer without it: the row `tap` of the benchmark needs it.
    """

    def init_app(self, app: Flask) -> None:
        """Check the token of every form, and let templates write it."""
        super().init_app(app)
        app.extensions["signed_tokens"] = LRUCache[str, str](MAX_SIGNED)
        app.jinja_env.globals[FIELD] = form_token
        app.context_processor(lambda: {FIELD: form_token})

    def protect(self, apply_exemptions: bool = False) -> None:
        """Raise `CSRFError` for a form without the token of this phone."""
        if request.method == "POST" and (token := _signed_tokens().get(session.get(FIELD, ""))):
            sent = request.form.get(FIELD, "")
            if hmac.compare_digest(token.encode(), sent.encode()):
                g.csrf_valid = True
                return
        super().protect(apply_exemptions=apply_exemptions)


def form_token() -> str:
    """Return the CSRF token for forms of this phone."""
    token = _signed_tokens().get(session.get(FIELD, ""))
    if token is None:
        token = cast(str, generate_csrf())
        _signed_tokens()[session[FIELD]] = token
    return token


def _signed_tokens() -> LRUCache[str, str]:
    """Return the tokens that this application signed last, by the random token in the session."""
    return cast("LRUCache[str, str]", current_app.extensions["signed_tokens"])


csrf = FormTokens()


SESSION_LIFETIME = timedelta(days=180)
MAX_AGE = int(SESSION_LIFETIME.total_seconds())
EXPIRES = re.compile(r"Expires=[^;]*(?!.*Max-Age)")
LARGEST_BODY = 64 * 1024  # bytes; imports allow more
MAX_SESSIONS = 8192  # unpacked cookies, each of some 600 bytes: the phones of 2,000 tables
# Over plain http browsers ignore these, and log an error about the opener policy.
OVER_HTTPS = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


class Request(FlaskRequest):
    """A request whose host is one of `TRUSTED_HOSTS`, in any spelling, or an IP address.

    For other hosts, which a page of another site may have bound to our address (DNS rebinding),
    Flask raises `SecurityError`. A browser that asks for an address shows its own page.
    """

    _names: list[str] | None = None

    @property
    def trusted_hosts(self) -> list[str] | None:
        """The trusted names; None, which trusts any, where the host was found to be one."""
        host = self.environ.get("HTTP_HOST", "")
        if not host_is_trusted(host):  # as its characters are none of a host
            return self._names
        name = re.sub(r":[0-9]+$", "", host.lower()).removesuffix(".")
        trusted = is_address(name.strip("[]")) or host_is_trusted(name, self._names)
        return None if trusted else self._names

    @trusted_hosts.setter
    def trusted_hosts(self, names: list[str] | None) -> None:
        self._names = names


class CookieSessions(SecureCookieSessionInterface):
    """Flask's signed session cookies, with three differences.

    Publicly cacheable responses, such as static files, carry no cookie. Unpacked cookies are
    cached. This computer's clock may be wrong and set right later, so a cookie is valid whenever it
    was signed, and browsers are told Max-Age instead of Expires: a phone is out once its row says
    that it was removed.
    """

    def __init__(self, app: Flask) -> None:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None

        # A phone sends the same cookie with every request, and checking it is a third of the work
        # of a tap: the row `tap` of the benchmark needs the cache. It belongs to one application,
        # as does the key that signs its cookies.
        @lru_cache(MAX_SESSIONS)
        def unpack(signed: str) -> dict[str, Any]:
            values: dict[str, Any] = serializer.loads(signed)
            return values

        self._unpack = unpack

    def open_session(self, app: Flask, request: FlaskRequest) -> SecureCookieSession:
        """Return the session in the cookie of a request, empty if its signature is wrong."""
        signed = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(self._unpack(signed))
        except BadData:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the session cookie where it changed, with Max-Age."""
        if _is_public(response):
            return
        if not session.modified:  # Flask would look up every attribute of the cookie first
            if session.accessed:
                response.vary.add("Cookie")
            return
        super().save_session(app, session, response)
        if self.should_set_cookie(app, session):
            name = self.get_cookie_name(app)
            cookies = [
                EXPIRES.sub(f"Max-Age={MAX_AGE}", cookie)
                if cookie.startswith(f"{name}=")
                else cookie
                for cookie in response.headers.getlist("Set-Cookie")
            ]
            response.headers.setlist("Set-Cookie", cookies)


def init_app(app: Flask) -> None:
    """Set up sessions, CSRF protection, checks of every request and security headers."""
    https = app.config["BASE_URL"].startswith("https://")
    app.config.update(
        # The __Host- prefix keeps other hosts from setting the cookie, but browsers accept it only
        # over https.
        SESSION_COOKIE_NAME="__Host-s" if https else "s",
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=SESSION_LIFETIME,
        SESSION_REFRESH_EACH_REQUEST=False,  # this_phone() does it once a day
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        # By default a token expires after an hour, and an evening is longer.
        WTF_CSRF_TIME_LIMIT=None,
        # It would refuse phones that send no Referer; _check_origin checks better headers.
        WTF_CSRF_SSL_STRICT=False,
    )
    app.session_interface = CookieSessions(app)
    app.request_class = Request
    app.before_request(_check_origin)
    app.before_request(_require_whole_body)
    csrf.init_app(app)
    app.after_request(_set_headers)


def _check_origin() -> None:
    """Refuse unsafe requests from pages of other sites."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    foreign = origin is not None and origin not in _own_origins()
    if foreign or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise Forbidden(_("This change was requested by another site, so it was blocked."))


def _own_origins() -> set[str]:
    """Return the origins of our pages: scheme, host and port.

    The configured address says which scheme its host has. Where none is configured, TLS may end at
    a proxy that does not tell the server, so a page over https counts as ours whatever came here.
    """
    configured = urlsplit(current_app.config["BASE_URL"].lower())
    own = {f"{configured.scheme}://{_host_of(configured)}"} if configured.netloc else set()
    if _host_of(configured) != request.host:
        own |= {f"{scheme}://{request.host}" for scheme in (request.scheme, "https")}
    return own


def _host_of(url: SplitResult) -> str:
    """Return host and port as an origin names them, without the scheme's own port."""
    usual = {"http": ":80", "https": ":443"}.get(url.scheme, "")
    return url.netloc.rpartition("@")[2].removesuffix(usual)


def _require_whole_body() -> None:
    """Have a body refused that ends before its Content-Length, as when a phone loses its network.

    A part of a form is another form: `tricks-4=1` may be the beginning of `tricks-4=10`.
    """
    # gunicorn sets this, but ends a body silently where the client leaves. Without it Werkzeug
    # counts the bytes, and raises `ClientDisconnected` if some are missing.
    ends_itself = request.environ.pop("wsgi.input_terminated", False)
    if ends_itself and request.content_length is None and "Transfer-Encoding" in request.headers:
        raise LengthRequired


def _set_headers(response: Response) -> Response:
    # Scripts tell by it whether this server answered, or a captive portal.
    response.headers["Scorekeeper"] = version()
    if _is_public(response) and response.mimetype != "text/html":
        # The other headers concern pages only, and would make every static file larger.
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    response.headers.extend(_page_headers(current_app.config["BASE_URL"].startswith("https://")))
    if request.path != "/" or response.status_code != 200:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    if not _is_public(response):
        response.headers["Cache-Control"] = "no-store"
    return response


def _page_headers(https: bool) -> tuple[tuple[str, str], ...]:
    """Return the security headers of every page."""
    policy = (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' {style_hashes()}; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
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
    """Return whether shared caches may store a response."""
    return "public" in response.headers.get("Cache-Control", "")
