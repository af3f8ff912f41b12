"""The table of a phone: home page, join links, settings."""

import re
from itertools import takewhile
from typing import NamedTuple
from unicodedata import normalize

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError
from wtforms.validators import Optional

from scorekeeper.clock import now, zone_names
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store import statistics as queries
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, count_listed_games, recent_games
from scorekeeper.store.tables import (
    KEY_LENGTH,
    MAX_LINKS,
    MAX_LISTED,
    SERVER_LINK,
    JoinedPhone,
    Link,
    count_phones,
    end_link,
    has_most_links,
    join,
    joined_phones,
    label_of_join_key,
    make_join_key,
    make_table,
    open_links,
    remove_others,
    remove_phone,
    server_table,
    set_first_zone,
    set_zone_of_table,
    table_of_join_key,
)
from scorekeeper.version import __version__
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Form, TextField, text_limits, valid_name
from scorekeeper.web.http.loopback import is_local_request
from scorekeeper.web.http.requests import (
    Answer,
    database,
    error_page,
    remember,
    require_phone,
    store,
    this_phone,
    told_zone,
)
from scorekeeper.web.http.static_files import send_shared
from scorekeeper.web.http.templates import SharedLink, shared_link
from scorekeeper.web.text.cards import result_card, standings_card
from scorekeeper.web.text.wording import fill, listed, series

pages = Blueprint("table", __name__)


class LabelForm(Form):
    """The label of a phone or of a join link, which may be left empty."""

    label = TextField(filters=[str.strip], validators=[Optional(), valid_name])


class ZoneForm(Form):
    """The name of a time zone, in any case and with blanks for underscores."""

    zone = TextField(filters=[lambda text: "_".join(text.split())])

    def validate_zone(self, field: TextField) -> None:
        """Replace the name by its usual form. Refuses one that no zone has."""
        usual = {name.lower(): name for name in zone_names()}.get(field.data.lower())
        if usual is None:
            raise ValidationError(_("Unknown time zone. Choose one like Europe/Berlin."))
        field.data = usual


@pages.get("/settings")
def settings() -> str:
    """List the settings; a phone that has not joined a table has no devices and no zone."""
    phone = this_phone()
    devices = count_phones(database(), phone.table_id) if phone else 0
    return render_template("table/settings.html", devices=devices, phone=phone, version=__version__)


@pages.get("/settings/sound")
def sound() -> Response:
    """Show the switches of sound and display, which a script reads and stores, and the keys."""
    return send_shared(lambda: render_template("table/sound.html"))


@pages.get("/settings/zone")
def choose_zone() -> str:
    """Ask for the time zone of the table."""
    return _zone_page(ZoneForm(None))


@pages.post("/settings/zone")
def set_zone() -> Response | tuple[str, int]:
    """Store the time zone of the table."""
    phone, form = require_phone(), ZoneForm(request.form)
    if not form.validate():
        return _zone_page(form), 422
    with store().write(phone.table_id) as db:
        set_zone_of_table(db, phone.table_id, form.zone.data)
    return redirect(url_for("table.settings"), 303)


def _zone_page(form: ZoneForm) -> str:
    listed = sorted(name for name in zone_names() if "/" in name and not name.startswith("Etc/"))
    return render_template(
        "table/zone.html", zone=require_phone().zone, told=told_zone(), form=form, listed=listed
    )


class LinkForm(LabelForm):
    """The label of a new join link."""

    def validate_label(self, field: Field) -> None:
        """Refuse the label that marks the link which the server prints when it starts."""
        if field.data == SERVER_LINK:
            sentence = _("The server’s own link has that name. Choose another.")
            raise ValidationError(sentence)


@pages.get("/table")
def devices() -> str:
    """List the table's join links and the phones that keep score for it."""
    return _devices_page(LinkForm(None))


@pages.post("/table/links")
def make_link() -> Answer:
    """Make a join link and show it. Only its hash is stored, so it cannot be shown again."""
    phone, form = require_phone(), LinkForm(request.form)
    if not form.validate():
        return _devices_page(form), 422
    label = form.label.data or _("Unnamed phone")
    with store().write(phone.table_id) as db:
        is_full = has_most_links(db, phone.table_id)
        key = "" if is_full else make_join_key(db, phone.table_id, label, now(), phone.id)
    if is_full:
        sentence = _("This table already has {n} join links. Revoke one first.")
        return _devices_page(form, sentence.format(n=MAX_LINKS)), 409
    link = shared_link(url_for("table.invitation", key=key))
    return render_template("table/join_link_made.html", label=label, link=link)


@pages.post("/table/links/<short>/end")
def revoke_link(short: str) -> Response:
    """Revoke a join link; phones that joined with it stay joined."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if not end_link(db, phone.table_id, short, now()):
            abort(404)
    return redirect(url_for("table.devices"), 303)


@pages.post("/table/phones/<short>/remove")
def disconnect_phone(short: str) -> Response:
    """Remove a phone, which loses access at its next request; it may be this phone itself.

    The links that were chosen end, and where another phone removes it those that it made.
    """
    phone, links = require_phone(), request.form.getlist("link")
    is_own = short == phone.short
    with store().write(phone.table_id) as db:
        if not remove_phone(db, phone.table_id, short, now(), keeps_links=is_own):
            abort(404)
        for link in links:
            end_link(db, phone.table_id, link, now())
    if not is_own:
        return redirect(url_for("table.devices"), 303)
    session.clear()
    return redirect(url_for("table.home"), 303)


@pages.post("/table/others/remove")
def remove_other_phones() -> Response:
    """Remove every other phone and revoke every link."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        remove_others(db, phone, now())
    return redirect(url_for("table.devices"), 303)


class LinksOf(NamedTuple):
    """The join links that end with a phone, and those of which its removal asks."""

    ends: list[Link]
    asked: list[Link]


def _links_of(phone: JoinedPhone, links: list[Link], *, is_own: bool) -> LinksOf:
    """Return the links of a phone; one that signs itself out may leave those that it made."""
    made = [link for link in links if phone.made(link)]
    if is_own:
        return LinksOf([], made)
    return LinksOf(made, [link for link in links if phone.may_have(link)])


def _devices_page(form: LinkForm, obstacle: str = "") -> str:
    phone = require_phone()
    phones = joined_phones(database(), phone.table_id, request.args.get("after", ""))
    shown, links = phones[:MAX_LISTED], open_links(database(), phone.table_id)
    return render_template(
        "table/join_links.html",
        phone=phone,
        phones=sorted(shown, key=lambda one: one.short != phone.short),
        after=shown[-1].short if len(phones) > MAX_LISTED else None,
        links=links,
        links_of=lambda one: _links_of(one, links, is_own=one.short == phone.short),
        is_last=count_phones(database(), phone.table_id) == 1,
        server_link=SERVER_LINK,
        form=form,
        obstacle=obstacle,
    )


GAMES_SHOWN = 8
MOST_COUNTED = 1000  # games; the number of more is not shown


@pages.get("/")
def home() -> str:
    """Show the table of this phone, or how to join one."""
    phone = this_phone()
    if phone is None:
        return _welcome(PasteForm(None))
    games = recent_games(database(), phone.table_id, GAMES_SHOWN)
    current = _current(games)
    finished = [game for game in games if game.state.phase == "over"]
    count = count_listed_games(database(), phone.table_id, MOST_COUNTED)
    return render_template(
        "table/home.html",
        current=current and standings_card(current),
        last=next(iter(finished), None),
        last_rules=games[0].rules.name if games else "",
        in_progress=[result_card(one) for one in games if one not in (current, *finished)],
        results=[result_card(game) for game in finished],
        count=count if count < MOST_COUNTED else None,
        year=_year_line(phone.table_id),
    )


def _welcome(form: "PasteForm") -> str:
    return render_template(
        "table/welcome.html",
        may_open=current_app.config["OPEN"],
        is_local=is_local_request(),
        link=_link_of_this_start(),
        form=form,
    )


def _current(games: list[Game]) -> Game | None:
    """Return the game that is played: of those begun since the last one ended, with a round."""
    going_on = list(takewhile(lambda game: game.state.phase != "over", games))
    scored = [game for game in going_on if game.state.rounds]
    return next(iter(scored + going_on), None)


def _year_line(table_id: str) -> tuple[Markup, Markup] | None:
    """Return who won most games this year, and by how many wins; None before the first win."""
    wins = queries.most_wins(database(), table_id, f"{now().year}-01-01")
    if not wins:
        return None
    most = wins[0][1]
    leaders = [player.name for player, n in wins if n == most]
    sentence = ngettext("{names} leads the year", "{names} lead the year", len(leaders))
    parts = [fill(ngettext("{n} win", "{n} wins", most), n=most)]
    if after := [(player.name, n) for player, n in wins if n < most]:
        seconds = [name for name, n in after if n == after[0][1]]
        more = most - after[0][1]
        than = ngettext("{n} more than {names}", "{n} more than {names}", more)
        parts.append(fill(than, n=more, names=listed(seconds)))
    return fill(sentence, names=listed(leaders)), series(parts)


def _link_of_this_start() -> SharedLink | None:
    """Return the link that the terminal shows, for a browser on the same computer alone."""
    path = current_app.extensions.get("join_path", "/")
    key = path.removeprefix("/join/")
    if not is_local_request() or table_of_join_key(database(), key) is None:
        return None
    link = shared_link(url_for("table.invitation", key=key))
    return None if link.obstacle else link


MOST_PASTED = 2000  # characters: a message around a link


class PasteForm(Form):
    """A join link or its key, as somebody pastes it; `key` is the key."""

    link = TextField()
    key = ""

    def validate_link(self, field: TextField) -> None:
        """Find the key in the text. Refuses one by which nobody can join."""
        self.key = key_in(field.data)
        if table_of_join_key(database(), self.key) is None:
            sentence = _(
                "That’s no join link of this server. Ask the table for a new one:"
                " Settings → Devices → Invite a scorekeeper."
            )
            raise ValidationError(sentence)


def key_in(text: str) -> str:
    """Return the key in a pasted link, or the key itself; empty where there is none.

    The link may be broken into lines, have lost its scheme, or stand in a message.
    """
    letters = "".join(sign for sign in normalize("NFKC", text) if sign.isprintable())
    found = re.findall(rf"(?:^|join/)([a-z0-9]{{{KEY_LENGTH}}})", "".join(letters.split()).lower())
    return found[-1] if found else ""


@pages.post("/join")
@text_limits(link=MOST_PASTED)
def paste() -> Answer:
    """Join this phone by a link that was pasted, as an app on a Home Screen opens none."""
    form = PasteForm(request.form)
    if form.validate():
        return accept(form.key)
    rate_limits.wrong_key()
    return _welcome(form), 422


@pages.get("/join/<key>")
def invitation(key: str) -> Answer:
    """Ask whether this phone should join the table; only the POST joins it.

    A phone that has joined goes straight on to the game that is being played.
    """
    table_id = table_of_join_key(database(), key)
    if table_id is None:
        return _invalid_link()
    game = _game_going_on(table_id)
    phone = this_phone()
    if phone is None or phone.table_id != table_id:
        return _join_page(key, game, LabelForm(None))
    flash(_("You’re in"))
    here = url_for("game.show", game_id=game.id) if game else url_for("table.home")
    return redirect(here, 303)


@pages.post("/join/<key>")
def accept(key: str) -> Response | tuple[str, int]:
    """Join this phone to the table, then redirect so that the key leaves the address bar."""
    table_id = table_of_join_key(database(), key)
    if table_id is None:
        return _invalid_link()
    form = LabelForm(request.form)
    if not form.validate():
        return _join_page(key, _game_going_on(table_id), form), 422
    label = form.label.data or _name_by_link(key)
    rate_limits.change(table_id)
    with store().write(table_id) as db:
        if table_of_join_key(db, key) is not None:
            _join(db, table_id, label, key)
            return redirect(url_for("table.home"), 303)
    return _invalid_link()


def _join(db: Database, table_id: str, label: str, key: str = "") -> None:
    """Join this phone to a table, which gets the time zone of the phone if it has none."""
    set_first_zone(db, table_id, told_zone())
    remember(join(db, table_id, label, now(), key))


def _game_going_on(table_id: str) -> Game | None:
    games = recent_games(database(), table_id, 1)
    return games[0] if games and games[0].state.phase != "over" else None


def _join_page(key: str, game: Game | None, form: LabelForm) -> str:
    return render_template(
        "table/join.html",
        key=key,
        game=game,
        form=form,
        name=_name_by_link(key),
        is_computer=is_computer(),
    )


def _name_by_link(key: str) -> str:
    """Return the name of a phone that gives itself none: that of its link, else of its browser."""
    return label_of_join_key(database(), key) or device_name() or _("Unnamed phone")


@pages.post("/this-computer")
def use_this_computer() -> Response:
    """Join this browser to the server's own table; 404 unless it runs on the same computer."""
    if not is_local_request():
        abort(404)
    if this_phone() is None:
        label = device_name() or _("The server’s computer")
        with store().write() as db:
            table_id = server_table(db, now())
            _join(db, table_id, label)
    to_new_game = request.form.get("then") == "new game"
    return redirect(url_for("new_game.new" if to_new_game else "table.home"), 303)


@pages.post("/tables")
def open_table() -> Response:
    """Make a table with this phone as its first; 404 unless the server is open to everybody."""
    if not current_app.config["OPEN"]:
        abort(404)
    rate_limits.new_table()
    with store().write() as db:
        table_id = make_table(db, now())
        label = device_name() or _("First phone")
        _join(db, table_id, label)
    return redirect(url_for("new_game.new"), 303)


def _invalid_link() -> tuple[str, int]:
    rate_limits.wrong_key()
    return error_page(404, _("Ask someone at the table for a new one."), _("This link has expired"))


# Marks in the User-Agent header, the more special first: every browser also names those it is like.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "FxiOS": "Firefox",
    "Firefox": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
COMPUTERS = ("ChromeOS", "Windows", "Mac", "Linux")


def device_name() -> str:
    """Return a name like "Safari on iPhone" for the device that asks, or nothing if unknown."""
    browser, system = _named_in_header(BROWSERS), _named_in_header(SYSTEMS)
    if not (browser and system):
        return ""
    return _("{browser} on {system}").format(browser=browser, system=system)


def is_computer() -> bool:
    """Return whether the device that asks says that it is a computer, not a phone or tablet."""
    return _named_in_header(SYSTEMS) in COMPUTERS


def _named_in_header(names: dict[str, str]) -> str:
    header = request.headers.get("User-Agent", "")
    return next((name for mark, name in names.items() if mark in header), "")
