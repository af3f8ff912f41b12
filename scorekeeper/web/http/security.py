"""Session cookies, CSRF, host and origin checks, and security headers."""

import re
from datetime import timedelta
from urllib.parse import SplitResult, urlsplit

from flask import Flask, Request, Response, abort, current_app, g, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFProtect
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.exceptions import Forbidden, LengthRequired, SecurityError
from werkzeug.sansio.utils import host_is_trusted

from scorekeeper.addresses import is_address
from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.web.http.slow_bodies import end_slow_body
from scorekeeper.web.http.static_files import scheme, style_hashes, version

LARGEST_BODY = 64 * 1024  # bytes; imports allow more
csrf = CSRFProtect()


def init_app(app: Flask) -> None:
    """Set up sessions, CSRF protection, checks of every request and security headers."""
    https = app.config["BASE_URL"].startswith("https://")
    app.config.update(
        # The __Host- prefix keeps other hosts from setting the cookie, but browsers accept it only
        # over https.
        SESSION_COOKIE_NAME="__Host-s" if https else "s",
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        # By default a token expires after an hour, and an evening is longer.
        WTF_CSRF_TIME_LIMIT=None,
        # It would refuse phones that send no Referer; _check_origin checks better headers.
        WTF_CSRF_SSL_STRICT=False,
    )
    app.session_interface = CookieSessions()
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(_require_whole_body)
    app.before_request(end_slow_body)  # before anything reads it
    csrf.init_app(app)
    app.after_request(_set_headers)
    app.after_request(_share_with_origins)
    app.add_url_rule("/.well-known/security.txt", "security_txt", _security_txt)


SESSION_LIFETIME = timedelta(days=180)  # since the last day of use, see `this_phone`


class CookieSessions(SecureCookieSessionInterface):
    """Flask's signed session cookies, whatever the clock of this computer says.

    It may be wrong and set right later. So a cookie is valid whenever it was signed, and browsers
    are told Max-Age: a phone is out once its row says that it was removed. Responses that shared
    caches may store, such as static files, carry no cookie.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return the session in the cookie of a request, empty if its signature is wrong."""
        try:
            signed = request.cookies.get(self.get_cookie_name(app), "")
            return self.session_class(self._serializer(app).loads(signed))
        except BadData:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the session cookie where the session changed."""
        if _is_public(response):
            return
        if session.accessed:
            response.vary.add("Cookie")
        if session.modified:
            response.set_cookie(
                self.get_cookie_name(app),
                self._serializer(app).dumps(dict(session)),
                max_age=SESSION_LIFETIME if session.permanent else None,
                path=self.get_cookie_path(app),
                secure=self.get_cookie_secure(app),
                httponly=True,
                samesite=self.get_cookie_samesite(app),
            )

    def _serializer(self, app: Flask) -> URLSafeTimedSerializer:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None  # there is a secret key
        return serializer


VALID = timedelta(days=180)  # as long as a contact is promised to be right


def _security_txt() -> Response:
    """Say whom to tell about a vulnerability (RFC 9116); 404 where the host has set no contact."""
    contact = current_app.config["CONTACT"] or abort(404)
    text = f"Contact: {contact}\nExpires: {now() + VALID:%Y-%m-%dT00:00:00Z}\n"
    return Response(text, content_type="text/plain; charset=utf-8")


def _check_host() -> None:
    """Refuse hosts that are none of our names and no IP address.

    A page of another site may have bound its host to our address (DNS rebinding). A browser that
    asks for an address shows its own page.
    """
    name = re.sub(r":[0-9]+$", "", request.host.lower()).removesuffix(".")
    is_ours = is_address(name.strip("[]")) or host_is_trusted(name, current_app.config["NAMES"])
    if not is_ours:
        raise SecurityError


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
    framed_by = current_app.config["FRAMED_BY"] if request.endpoint in FRAMED else frozenset()
    https = current_app.config["BASE_URL"].startswith("https://")
    response.headers.extend(_page_headers(https, framed_by, scheme(), g.get("more_styles", ())))
    if request.path != "/" or response.status_code != 200:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    if not _is_public(response):
        response.headers["Cache-Control"] = "no-store"
    return response


def _share_with_origins(response: Response) -> Response:
    """Let pages of the allowed origins read the API with a key (CORS); they change nothing."""
    allowed = current_app.config["ORIGINS"]
    if not allowed or not request.path.startswith("/api/"):
        return response
    response.vary.add("Origin")
    origin = request.headers.get("Origin", "")
    if origin not in allowed or request.method not in ("GET", "HEAD", "OPTIONS"):
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET"
        response.headers["Access-Control-Allow-Headers"] = "Authorization, If-None-Match"
        response.headers["Access-Control-Max-Age"] = "600"
    else:
        response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
    return response


# Over plain http browsers ignore these, and log an error about the opener policy.
OVER_HTTPS = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


FRAMED = (
    "live.watch",
    "live.overlay",
    "live.compact",
)  # can change nothing, and show what their link opens


def _page_headers(
    https: bool, framed_by: frozenset[str], colors: str, more_styles: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return the security headers of a page of some colors, which `framed_by` may embed."""
    ancestors = " ".join(["'self'", *sorted(framed_by)]) if framed_by else "'none'"
    policy = (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' {style_hashes(colors, more_styles)}; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
        "base-uri 'none'; "
        f"frame-ancestors {ancestors}"
    )
    return (
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        *(() if framed_by else (("X-Frame-Options", "DENY"),)),  # it knows no list of origins
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "cross-origin" if framed_by else "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
        *(OVER_HTTPS.items() if https else ()),
    )


def _is_public(response: Response) -> bool:
    """Return whether shared caches may store a response."""
    return "public" in response.headers.get("Cache-Control", "")
