"""Who keeps score for a table: invitations, phones, join links and live links."""

from collections.abc import Callable
from datetime import timedelta

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError
from wtforms.validators import Optional

from scorekeeper.clock import now, stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, load_games
from scorekeeper.store.invitations import make_invitation
from scorekeeper.store.phones import (
    find_joined_phone,
    must_store_seen,
    open_watch_links,
    rename_phone,
    restore_link,
    restore_phone,
    store_seen,
)
from scorekeeper.store.tables import (
    MAX_LINKS,
    MAX_LISTED,
    SERVER_LINK,
    JoinedPhone,
    count_phones,
    end_link,
    end_watch_link,
    has_most_links,
    joined_phones,
    make_join_key,
    open_links,
    remove_others,
    remove_phone,
)
from scorekeeper.web.http.forms import Form, TextField, valid_name
from scorekeeper.web.http.requests import (
    Answer,
    database,
    error_page,
    find_game_or_404,
    forget,
    require_phone,
    secret,
    store,
    this_phone,
)
from scorekeeper.web.http.templates import shared_link
from scorekeeper.web.text.wording import bdi, fill

pages = Blueprint("devices", __name__)
A_NIGHT = timedelta(days=1)  # in which phones are listed that joined for a club night


class LabelForm(Form):
    """The label of a phone or of a join link, which may be left empty."""

    label = TextField(filters=[str.strip], validators=[Optional(), valid_name])


class LinkForm(LabelForm):
    """The label of a new join link."""

    def validate_label(self, field: Field) -> None:
        """Refuse the label that marks the link which the server prints when it starts."""
        if field.data == SERVER_LINK:
            sentence = _("The server’s own link has that name. Choose another.")
            raise ValidationError(sentence)


class NameForm(Form):
    """The new name of a phone."""

    label = TextField(filters=[str.strip])

    def validate_label(self, field: TextField) -> None:
        """Refuse an empty name, and one that no phone can have."""
        if not field.data:
            raise ValidationError(_("Enter a name."))
        valid_name(self, field)


@pages.before_app_request
def note_seen() -> None:
    """Store when a phone was seen that enters something, a few times an hour at most."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.path.startswith("/api/"):
        return
    phone = this_phone()
    if phone and must_store_seen(phone, now()):
        with store().write(phone.table_id) as db:
            store_seen(db, phone, now())


@pages.get("/table")
def index() -> str:
    """Show an invitation, and list phones, live links and join links of the table."""
    return _page(LinkForm(None))


@pages.post("/table/links")
def make_link() -> Answer:
    """Make a join link and show it. Only its hash is stored, so it cannot be shown again."""
    phone, form = require_phone(), LinkForm(request.form)
    if not form.validate():
        return _page(form), 422
    label = form.label.data or _("Unnamed phone")
    with store().write(phone.table_id) as db:
        is_full = has_most_links(db, phone.table_id)
        key = "" if is_full else make_join_key(db, phone.table_id, label, now(), phone.id)
    if is_full:
        sentence = _("This table already has {n} join links. Remove one first.")
        return _page(form, sentence.format(n=MAX_LINKS)), 409
    link = shared_link(url_for("table.invitation", key=key))
    return render_template("table/join_link_made.html", label=label, link=link)


@pages.post("/table/links/<short>/remove")
def remove_link(short: str) -> Response:
    """Remove a join link or the address of a feed; phones that joined with it stay joined."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if not end_link(db, phone.table_id, short, now()):
            abort(404)
    _offer_undo(_("Link removed"), url_for("devices.undo_link", short=short))
    return redirect(url_for("devices.index"), 303)


@pages.post("/table/links/<short>/restore")
def undo_link(short: str) -> Answer:
    """Undo the removal of a link."""
    return _undo(lambda db, table_id: restore_link(db, table_id, short, now()))


@pages.get("/table/phones/<short>")
def phone(short: str) -> str:
    """Ask for the name of a phone; this phone can be removed there too."""
    one = _joined_phone_or_404(short)
    return _phone_page(one, NameForm(data={"label": one.label}))


@pages.post("/table/phones/<short>/name")
def rename(short: str) -> Answer:
    """Name a phone, which the change log then calls so."""
    asker, one, form = require_phone(), _joined_phone_or_404(short), NameForm(request.form)
    if not form.validate():
        return _phone_page(one, form), 422
    with store().write(asker.table_id) as db:
        rename_phone(db, asker.table_id, short, form.label.data)
    return redirect(url_for("devices.index"), 303)


@pages.post("/table/phones/<short>/remove")
def disconnect_phone(short: str) -> Response:
    """Remove a phone, which loses access at its next request; it may be this phone itself.

    The links that it made and the one that it joined with end with it; where it removes itself,
    those of them that were chosen.
    """
    phone, chosen = require_phone(), request.form.getlist("link")
    is_own = short == phone.short
    one = find_joined_phone(database(), phone.table_id, short)
    with store().write(phone.table_id) as db:
        at = now()
        if not remove_phone(db, phone.table_id, short, at, keeps_links=is_own):
            abort(404)
        for link in chosen if is_own else []:
            end_link(db, phone.table_id, link, at)
    if is_own:
        forget()
        return redirect(url_for("table.home"), 303)
    if one:
        removed = fill(_("{phone} removed"), phone=bdi(one.label))
        _offer_undo(removed, url_for("devices.undo_phone", short=short))
    return redirect(url_for("devices.index"), 303)


@pages.post("/table/phones/<short>/restore")
def undo_phone(short: str) -> Answer:
    """Undo the removal of a phone and of its links."""
    return _undo(lambda db, table_id: restore_phone(db, table_id, short, now()))


@pages.post("/table/others/remove")
def remove_other_phones() -> Response:
    """Remove every other phone and every link."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        remove_others(db, phone, now())
    return redirect(url_for("devices.index"), 303)


@pages.post("/table/watching/<game_id>/remove")
def remove_live_link(game_id: str) -> Response:
    """Remove the live link of a game, after which nobody can watch it."""
    game = find_game_or_404(game_id)
    with store().write(game.table_id) as db:
        end_watch_link(db, game, now())
    return redirect(url_for("devices.index"), 303)


def _offer_undo(sentence: str, path: str) -> None:
    """Say above the next page what was removed, and offer to undo that."""
    flash(sentence, path)


def _undo(restore: Callable[[Database, str], bool]) -> Answer:
    phone = require_phone()
    with store().write(phone.table_id) as db:
        is_back = restore(db, phone.table_id)
    if is_back:
        return redirect(url_for("devices.index"), 303)
    return error_page(404, _("That was too long ago to undo. Invite the device again."))


def _joined_phone_or_404(short: str) -> JoinedPhone:
    return find_joined_phone(database(), require_phone().table_id, short) or abort(404)


def _phone_page(one: JoinedPhone, form: NameForm) -> str:
    phone = require_phone()
    links = open_links(database(), phone.table_id)
    return render_template(
        "table/phone.html",
        one=one,
        is_own=one.short == phone.short,
        is_last=count_phones(database(), phone.table_id) == 1,
        has_link=any(not link.is_feed for link in links),
        made=[link for link in links if one.made(link)],
        server_link=SERVER_LINK,
        form=form,
    )


def _watched(table_id: str) -> list[tuple[Game, str]]:
    """Return the games that live links show, each with the time when its link was made."""
    made = {link.game_id: link.since for link in open_watch_links(database(), table_id)}
    games = {game.id: game for game in load_games(database(), table_id, [*made])}
    return [(games[game_id], since) for game_id, since in made.items() if game_id in games]


def _page(form: LinkForm, obstacle: str = "") -> str:
    phone = require_phone()
    phones = joined_phones(database(), phone.table_id, request.args.get("after", ""))
    shown, keepers = phones[:MAX_LISTED], joined_phones(database(), phone.table_id, keepers=True)
    key = make_invitation(phone, secret(), now())
    return render_template(
        "table/devices.html",
        phone=phone,
        phones=sorted(shown, key=lambda one: one.short != phone.short),
        count=count_phones(database(), phone.table_id),
        keepers=[one for one in keepers if one.since > stamp(now() - A_NIGHT)][:MAX_LISTED],
        after=shown[-1].short if len(phones) > MAX_LISTED else None,
        invitation=shared_link(url_for("table.invitation", key=key)),
        links=open_links(database(), phone.table_id),
        watched=_watched(phone.table_id),
        server_link=SERVER_LINK,
        form=form,
        obstacle=obstacle,
    )
