"""Who keeps score: the join links of a table and the phones that joined, made and ended."""

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.store.tables import (
    HOUSE_LINK,
    end_link,
    joined_phones,
    make_key,
    open_links,
    remove_others,
    remove_phone,
)
from scorekeeper.web.http.current import database, require_phone, store
from scorekeeper.web.http.qr_codes import absolute, opens_here_only, svg

pages = Blueprint("join_links", __name__, url_prefix="/table")
Answer = str | Response | tuple[str, int]


@pages.get("")
def index() -> str:
    """List the table's join links and the phones that keep score for it."""
    return _list()


@pages.post("/links")
def make() -> Answer:
    """Make a join link and show it in this answer, once: no address ever leads back to it."""
    phone = require_phone()
    typed = request.form.get("label", "")
    try:
        label = normalize_name(typed.strip() or _("a phone"))
    except NameRefused as refused:
        return _list(typed, str(refused)), 422
    if label == HOUSE_LINK:
        return _list(typed, _("The server’s own link is called so: choose another name.")), 422
    with store().write() as db:
        key = make_key(db, phone.table_id, label, now())
    link = absolute(url_for("home.invitation", key=key))
    return render_template(
        "table/join_link_made.html",
        label=label,
        link=link,
        code=svg(link),
        here_only=opens_here_only(link),
    )


@pages.post("/links/<short>/end")
def end(short: str) -> Response:
    """End a join link; phones that joined with it stay joined."""
    phone = require_phone()
    with store().write() as db:
        if not end_link(db, phone.table_id, short, now()):
            abort(404)
    return redirect(url_for("join_links.index"), 303)


@pages.post("/phones/<short>/remove")
def remove(short: str) -> Response:
    """Remove a phone, which is out at its next request; it may be the very phone that asks."""
    phone = require_phone()
    with store().write() as db:
        if not remove_phone(db, phone.table_id, short, now()):
            abort(404)
    if short != phone.short:
        return redirect(url_for("join_links.index"), 303)
    session.clear()
    return redirect(url_for("home.home"), 303)


@pages.post("/others/remove")
def remove_all_others() -> Response:
    """Remove every other phone and end every link at once."""
    phone = require_phone()
    with store().write() as db:
        remove_others(db, phone, now())
    return redirect(url_for("join_links.index"), 303)


def _list(typed: str = "", error: str = "") -> str:
    phone = require_phone()
    return render_template(
        "table/join_links.html",
        phone=phone,
        phones=joined_phones(database(), phone.table_id),
        links=open_links(database(), phone.table_id),
        house_link=HOUSE_LINK,
        typed=typed,
        error=error,
    )
