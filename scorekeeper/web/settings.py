"""Settings of a phone and of its table: how it sounds and looks, its name, language and zone."""

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import ValidationError
from wtforms.validators import AnyOf, Optional

from scorekeeper.clock import zone_names
from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n import gettext as _
from scorekeeper.store.backup import last_backup
from scorekeeper.store.games import Game, recent_games
from scorekeeper.store.phones import language_of_table, name_table, set_language_of_table
from scorekeeper.store.tables import Phone, count_phones, own_seat, set_zone_of_table
from scorekeeper.version import __version__
from scorekeeper.web.http.forms import Form, TextField, valid_name
from scorekeeper.web.http.requests import (
    Answer,
    database,
    require_phone,
    store,
    this_phone,
    told_zone,
)
from scorekeeper.web.http.static_files import (
    SCHEME_COOKIE,
    SCHEMES,
    YEAR,
    scheme,
    send_shared,
)

pages = Blueprint("settings", __name__)


class SchemeForm(Form):
    """Light or dark colors, or those of the device."""

    scheme = TextField(validators=[AnyOf(("automatic", *SCHEMES))])


class TableForm(Form):
    """The name of a table, which may be left empty."""

    name = TextField(filters=[str.strip], validators=[Optional(), valid_name])


class ZoneForm(Form):
    """The name of a time zone or of its city, in any case and with blanks for underscores."""

    zone = TextField(filters=[lambda text: "_".join(text.split())])

    def validate_zone(self, field: TextField) -> None:
        """Replace the name by its usual form. Refuses one that no zone, or more than one, has."""
        found = zones_called(field.data)
        if len(found) != 1:
            examples = ", ".join(found[:MOST_OFFERED]) or "Europe/Berlin"
            sentence = _("Which time zone? Choose one like {zones}.")
            if not found:
                sentence = _("Unknown time zone. Choose one like {zones}.")
            raise ValidationError(sentence.format(zones=examples))
        field.data = found[0]


MOST_OFFERED = 4


def zones_called(name: str) -> list[str]:
    """Return the zone of a name in any case, else those whose city has the name or begins with it.

    >>> zones_called("berlin")
    ['Europe/Berlin']
    """
    wanted, names = name.lower(), sorted(zone_names())
    if usual := [zone for zone in names if zone.lower() == wanted]:
        return usual
    listed = [zone for zone in names if "/" in zone and not zone.startswith("Etc/")]
    cities = {zone: zone.rpartition("/")[2].lower() for zone in listed}
    exactly = [zone for zone in listed if cities[zone] == wanted]
    return exactly or [zone for zone in listed if wanted and cities[zone].startswith(wanted)]


@pages.get("/settings")
def index() -> str:
    """List the settings; a phone that has not joined a table has none of a table."""
    phone = this_phone()
    devices = count_phones(database(), phone.table_id) if phone else 0
    backup = None if current_app.config["OPEN"] else last_backup(store().path)
    return render_template(
        "table/settings.html",
        devices=devices,
        phone=phone,
        seat=phone and _seat(phone),
        shared_language=phone and language_of_table(database(), phone.table_id),
        backup=backup,
        colors=scheme() or "automatic",
        version=__version__,
    )


def _seat(phone: Phone) -> tuple[Game, str] | None:
    """Return the game that is played, and whom this phone plays for in it, empty for everybody."""
    games = recent_games(database(), phone.table_id, 1)
    if not games or games[0].state.phase == "over":
        return None
    own = own_seat(database(), games[0], phone.id)
    return games[0], games[0].names[own.seat] if own and not own.taken_by else ""


@pages.post("/settings/display")
def set_display() -> Response:
    """Store in a cookie of this browser whether its pages are light or dark."""
    form = SchemeForm(request.form)
    if not form.validate():
        abort(400)
    response = redirect(url_for("settings.index"), 303)
    if form.scheme.data in SCHEMES:
        response.set_cookie(
            SCHEME_COOKIE,
            form.scheme.data,
            max_age=YEAR,
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            samesite="Lax",
        )
    else:
        response.delete_cookie(SCHEME_COOKIE)
    return response


@pages.get("/settings/sound")
def sound() -> Response:
    """Show the switches of sound and display, which a script reads and stores, and the keys."""
    return send_shared(lambda: render_template("table/sound.html"))


@pages.get("/settings/table")
def ask_name() -> str:
    """Ask for the name of the table."""
    return _table_page(TableForm(data={"name": require_phone().table_name}))


@pages.post("/settings/table")
def set_name() -> Answer:
    """Store the name of the table."""
    phone, form = require_phone(), TableForm(request.form)
    if not form.validate():
        return _table_page(form), 422
    with store().write(phone.table_id) as db:
        name_table(db, phone.table_id, form.name.data)
    return redirect(url_for("settings.index"), 303)


def _table_page(form: TableForm) -> str:
    require_phone()
    return render_template("table/name.html", form=form)


class SharedLanguageForm(Form):
    """The language of what a table shares, or an empty text for that of whoever asks."""

    language = TextField(validators=[AnyOf(("", *LANGUAGES))])


@pages.get("/settings/language")
def choose_language() -> str:
    """Ask for the language of what the table shares."""
    chosen = language_of_table(database(), require_phone().table_id)
    return render_template("table/shared_language.html", chosen=chosen)


@pages.post("/settings/language")
def set_language() -> Response:
    """Store the language of what the table shares."""
    phone, form = require_phone(), SharedLanguageForm(request.form)
    if not form.validate():
        abort(400)
    with store().write(phone.table_id) as db:
        set_language_of_table(db, phone.table_id, form.language.data)
    return redirect(url_for("settings.index"), 303)


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
    return redirect(url_for("settings.index"), 303)


def _zone_page(form: ZoneForm) -> str:
    listed = sorted(name for name in zone_names() if "/" in name and not name.startswith("Etc/"))
    return render_template(
        "table/zone.html", zone=require_phone().zone, told=told_zone(), form=form, listed=listed
    )
