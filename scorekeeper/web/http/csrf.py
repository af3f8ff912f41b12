"""CSRF protection of every form, with a cache of signed tokens."""

import hmac
from typing import cast

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect, generate_csrf

from scorekeeper.store.lru import LRUCache

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
