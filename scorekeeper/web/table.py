"""The table of a phone: the home page, and how a phone joins."""

import re
from datetime import date, timedelta
from itertools import takewhile
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
from wtforms import ValidationError

from scorekeeper.clock import evening_span, find_zone, now, set_zone, stamp, this_evening
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.store import club as club_nights
from scorekeeper.store import statistics as queries
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, count_listed_games, games_tonight, recent_games
from scorekeeper.store.invitations import FORM, Invitation, signed_invitation
from scorekeeper.store.phones import name_of_table
from scorekeeper.store.tables import (
    KEY_LENGTH,
    join,
    label_of_join_key,
    make_table,
    server_table,
    set_first_zone,
    table_of_join_key,
    zone_of_table,
)
from scorekeeper.web.devices import LabelForm
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Form, TextField, text_limits
from scorekeeper.web.http.fragments import cached_fragment
from scorekeeper.web.http.loopback import is_local_request
from scorekeeper.web.http.requests import (
    KEEPERS,
    Answer,
    database,
    error_page,
    remember,
    secret,
    store,
    this_phone,
    told_zone,
)
from scorekeeper.web.http.templates import SharedLink, shared_link
from scorekeeper.web.players import figures
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.cards import final_card, result_card, standings_card
from scorekeeper.web.text.wording import fill, listed, when

pages = Blueprint("table", __name__)


GAMES_SHOWN = 8
MOST_COUNTED = 1000  # games; the number of more is not shown


@pages.get("/")
def home() -> Answer:
    """Show the table of this phone, or how to join one.

    One that only keeps score at a club night goes to its table there.
    """
    phone = this_phone()
    if phone is None and KEEPERS in session:
        return redirect(url_for("club_keeper.tonight"), 303)
    if phone is None:
        return _welcome(PasteForm(None))
    games = recent_games(database(), phone.table_id, GAMES_SHOWN)
    current = _current(games)
    finished = [game for game in games if game.state.phase == "over"]
    going_on = [game for game in games if game not in (current, *finished)]
    a_day_ago = stamp(now() - timedelta(days=1))
    idle = [game for game in going_on if game.changed < a_day_ago]
    count = count_listed_games(database(), phone.table_id, MOST_COUNTED)
    return render_template(
        "table/home.html",
        table_name=phone.table_name,
        current=current and standings_card(current),
        last=next(iter(finished), None),
        last_standings=None if current or not finished else final_card(finished[0]),
        last_rules=book_name(games[0].rules) if games else "",
        in_progress=[result_card(game) for game in going_on if game not in idle],
        idle=[(game, result_card(game)) for game in idle],
        results=[result_card(game) for game in finished[0 if current else 1 :]],
        count=count if count < MOST_COUNTED else None,
        year=_year_line(phone.table_id),
        nights=club_nights.going_on(database(), phone.table_id, now()),
        tonight=games_tonight(database(), phone.table_id),
    )


# A game of the demo, which the first page of a public server shows.
SAMPLE_NAMES = ("June", "Nora", "Theo", "Sam", "Maya")
SAMPLE_ROUNDS = (
    Round((3, 1, 3, 1, Nil.NIL), (3, 3, 3, 1, 0)),
    Round((1, 1, 1, 2, 4), (1, 3, 1, 1, 4)),
    Round((3, 1, 1, 2, 1), (3, 3, 1, 2, 1)),
    Round((1, 2, 2, 2, 1), (2, 2, 4, 1, 1)),
    Round((1, 2, 2, 1, 3), (0, 3, 1, 2, 4)),
)


def _sample() -> Markup:
    """Return the standings of the example game after each of its rounds."""

    def render() -> str:
        started = stamp(now())
        games = [
            Game("", "", CUTTHROAT_LITE, SAMPLE_NAMES, 4, None, started, 1, started, rounds)
            for rounds in (SAMPLE_ROUNDS[:n] for n in range(1, len(SAMPLE_ROUNDS) + 1))
        ]
        cards = [(final_card if game.state.winners else standings_card)(game) for game in games]
        return render_template("table/sample.html", cards=cards)

    return cached_fragment("sample", render)


def _welcome(form: "PasteForm") -> str:
    link = _link_of_this_start()
    return render_template(
        "table/welcome.html",
        may_open=current_app.config["OPEN"],
        sample=_sample() if current_app.config["OPEN"] else "",
        is_local=is_local_request(),
        link=link if link and link.url else None,
        obstacle=link.obstacle if link else "",
        form=form,
    )


def _current(games: list[Game]) -> Game | None:
    """Return the game that is played: of those begun since the last one ended, with a round."""
    going_on = list(takewhile(lambda game: game.state.phase != "over", games))
    scored = [game for game in going_on if game.state.rounds]
    return next(iter(scored + going_on), None)


def _year_line(table_id: str) -> tuple[Markup, Markup] | None:
    """Return who leads this year by wins against luck, and by how many; None before a game ends.

    Until somebody has played enough games for a place, the year has its name alone.
    """
    year = this_evening().year
    span = queries.Span(evening_span(date(year, 1, 1))[0])
    wanted = queries.Selection(span=span)
    found = queries.standings(database(), table_id, wanted, with_sums=False)
    if not found:
        return None
    first = [(who, one.luck) for who, place, one in found if place == 1]
    ahead = [(who, luck) for who, luck in first if luck.shown_ahead > 0]
    if not ahead:
        return fill(_("The year {year}"), year=year), Markup()
    people = queries.people_of(database(), table_id, [who for who, _luck in ahead])
    names = [people[who].name for who, _luck in ahead]
    sentence = ngettext("{names} leads the year", "{names} lead the year", len(names))
    counted = figures.counted(ahead[0][1]) if len(ahead) == 1 else Markup()
    return fill(sentence, names=listed(names)), counted


def _link_of_this_start() -> SharedLink | None:
    """Return the link that the terminal shows, for a browser on the same computer alone.

    Where no other device can open it, it has the obstacle in place of a URL.
    """
    path = current_app.extensions.get("join_path", "/")
    key = path.removeprefix("/join/")
    if not is_local_request() or _table_of(key) is None:
        return None
    return shared_link(url_for("table.invitation", key=key))


MOST_PASTED = 2000  # characters: a message around a link


class PasteForm(Form):
    """A join link or its key, as somebody pastes it; `key` is the key."""

    link = TextField()
    key = ""

    def validate_link(self, field: TextField) -> None:
        """Find the key in the text. Refuses one by which nobody can join."""
        self.key = key_in(field.data)
        if _table_of(self.key) is None:
            sentence = _(
                "That’s no join link of this server. Ask the table for a new one:"
                " Settings → Devices."
            )
            if invitation := signed_invitation(database(), self.key, secret()):
                sentence = " · ".join([_("This link has expired"), _until_when(invitation)])
            raise ValidationError(sentence)


def key_in(text: str) -> str:
    """Return the key in a pasted link, or the key itself; empty where there is none.

    The link may be broken into lines, have lost its scheme, or stand in a message.
    """
    letters = "".join(sign for sign in normalize("NFKC", text) if sign.isprintable())
    found = re.findall(
        rf"(?:^|join/)({FORM.pattern}|[a-z0-9]{{{KEY_LENGTH}}})", "".join(letters.split()).lower()
    )
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
    table_id = _table_of(key)
    if table_id is None:
        return _invalid_link(key)
    phone = this_phone()
    if phone is None or phone.table_id != table_id:
        return _join_page(key, table_id, LabelForm(None))
    flash(_("You’re in"))
    game = _game_going_on(table_id)
    here = url_for("game.show", game_id=game.id) if game else url_for("table.home")
    return redirect(here, 303)


@pages.post("/join/<key>")
def accept(key: str) -> Response | tuple[str, int]:
    """Join this phone to the table, then redirect so that the key leaves the address bar."""
    table_id = _table_of(key)
    if table_id is None:
        return _invalid_link(key)
    form = LabelForm(request.form)
    if not form.validate():
        return _join_page(key, table_id, form), 422
    label = form.label.data or _name_by_link(key)
    rate_limits.change(table_id)
    with store().write(table_id) as db:
        if _table_of(key, db) is not None:
            _join(db, table_id, label, key)
            return redirect(url_for("table.home"), 303)
    return _invalid_link(key)


def _join(db: Database, table_id: str, label: str, key: str = "") -> None:
    """Join this phone to a table, which gets the time zone of the phone if it has none."""
    set_first_zone(db, table_id, told_zone())
    remember(join(db, table_id, label, now(), key))


def _game_going_on(table_id: str) -> Game | None:
    games = recent_games(database(), table_id, 1)
    return games[0] if games and games[0].state.phase != "over" else None


def _join_page(key: str, table_id: str, form: LabelForm) -> str:
    return render_template(
        "table/join.html",
        key=key,
        game=_game_going_on(table_id),
        table_name=name_of_table(database(), table_id),
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


def _table_of(key: str, db: Database | None = None) -> str | None:
    """Return the table that a join key or an invitation opens, if it does."""
    found = db or database()
    invitation = signed_invitation(found, key, secret())
    if invitation:
        return invitation.table_id if invitation.is_open(now()) else None
    return table_of_join_key(found, key)


def _invalid_link(key: str) -> tuple[str, int]:
    rate_limits.wrong_key()
    invitation = signed_invitation(database(), key, secret())
    ask = _("Ask someone at the table for a new one.")
    note = _until_when(invitation) if invitation else ""
    return error_page(404, ask, _("This link has expired"), note)


def _until_when(invitation: Invitation) -> str:
    """Return until when an invitation opened the table, in the zone of the phone or the table."""
    if told_zone() is None:
        set_zone(find_zone(zone_of_table(database(), invitation.table_id)))
    if invitation.void_since:
        sentence = _("A device was removed, and this link with it: {when}")
        return sentence.format(when=when(invitation.void_since))
    return _("Good until: {when}").format(when=when(stamp(invitation.until)))


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
