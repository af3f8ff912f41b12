"""The page “Devices”: the join links of a table and the phones that joined it."""

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store.tables import (
    SERVER_LINK,
    end_link,
    joined_phones,
    make_join_key,
    open_links,
    remove_others,
    remove_phone,
)
from scorekeeper.web.http.current import database, require_phone, store
from scorekeeper.web.http.qr_codes import shared_link
from scorekeeper.web.table.label_form import LabelForm

pages = Blueprint("join_links", __name__, url_prefix="/table")
Answer = str | Response | tuple[str, int]


class LinkForm(LabelForm):
    """The label of a new join link."""

    def validate_label(self, field: Field) -> None:
        """Refuse the label that marks the link which the server prints when it starts."""
        if field.data == SERVER_LINK:
            sentence = _("The server’s own link has that name. Choose another.")
            raise ValidationError(sentence)


@pages.get("")
def index() -> str:
    """List the table's join links and the phones that keep score for it."""
    return _index_page(LinkForm(None))


@pages.post("/links")
def make() -> Answer:
    """Make a join link and show it. Only its hash is stored, so it cannot be shown again."""
    phone, form = require_phone(), LinkForm(request.form)
    if not form.validate():
        return _index_page(form), 422
    label = form.label.data or _("a phone")
    if obstacle := shared_link("").obstacle:  # a link that cannot be shown is not made
        return _index_page(form, obstacle), 409
    with store().write(phone.table_id) as db:
        key = make_join_key(db, phone.table_id, label, now())
    link = shared_link(url_for("home.invitation", key=key))
    return render_template("table/join_link_made.html", label=label, link=link)


@pages.post("/links/<short>/end")
def end(short: str) -> Response:
    """Revoke a join link; phones that joined with it stay joined."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if not end_link(db, phone.table_id, short, now()):
            abort(404)
    return redirect(url_for("join_links.index"), 303)


@pages.post("/phones/<short>/remove")
def remove(short: str) -> Response:
    """Remove a phone, which loses access at its next request; it may be this phone itself."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if not remove_phone(db, phone.table_id, short, now()):
            abort(404)
    if short != phone.short:
        return redirect(url_for("join_links.index"), 303)
    session.clear()
    return redirect(url_for("home.home"), 303)


@pages.post("/others/remove")
def remove_all_others() -> Response:
    """Remove every other phone and revoke every link."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        remove_others(db, phone, now())
    return redirect(url_for("join_links.index"), 303)


def _index_page(form: LinkForm, obstacle: str = "") -> str:
    phone = require_phone()
    return render_template(
        "table/join_links.html",
        phone=phone,
        phones=joined_phones(database(), phone.table_id),
        links=open_links(database(), phone.table_id),
        server_link=SERVER_LINK,
        form=form,
        obstacle=obstacle,
    )
