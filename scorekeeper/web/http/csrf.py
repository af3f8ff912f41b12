"""The token that every form carries, so that no page of another site can send one."""

import hmac
from typing import cast

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect, generate_csrf

from scorekeeper.store.lru import Recent

MOST_SIGNED = 1024  # each of some 300 bytes
FIELD = "csrf_token"


class FormTokens(CSRFProtect):  # type: ignore[misc]  # it comes without types
    """Flask-WTF's check of every form, with the tokens signed last still known.

    A phone sends the token of its page with every tap. What this very server signed for its
    cookie need not be taken apart again; anything else is.
    """

    def init_app(self, app: Flask) -> None:
        """Check every form, and let templates write the token into theirs."""
        super().init_app(app)
        app.extensions["signed"] = Recent[str, str](MOST_SIGNED)
        app.jinja_env.globals[FIELD] = form_token
        app.context_processor(lambda: {FIELD: form_token})

    def protect(self, apply_exemptions: bool = False) -> None:
        """Raise `CSRFError` for a form without this phone's token."""
        if request.method == "POST" and (known := _signed().get(session.get(FIELD, ""))):
            sent = request.form.get(FIELD, "")
            if hmac.compare_digest(known.encode(), sent.encode()):
                g.csrf_valid = True
                return
        super().protect(apply_exemptions=apply_exemptions)


def form_token() -> str:
    """Return this phone's token for forms."""
    known = _signed().get(session.get(FIELD, ""))
    if known:
        g.csrf_token = known
        return known
    token = cast(str, generate_csrf())
    _signed().keep(session[FIELD], token)
    return token


def _signed() -> Recent[str, str]:
    """Return the tokens signed last by this application. Key: what the cookie holds of each."""
    return cast("Recent[str, str]", current_app.extensions["signed"])


csrf = FormTokens()
