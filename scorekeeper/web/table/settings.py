"""Settings: where each is found, those that a browser keeps for itself, the table's time zone."""

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import ValidationError

from scorekeeper.clock import zone_names
from scorekeeper.i18n import gettext as _
from scorekeeper.store.tables import joined_phones, set_zone_of_table
from scorekeeper.web.http.current import database, require_phone, store, this_phone
from scorekeeper.web.http.form_fields import Form, TextField
from scorekeeper.web.http.language import told_zone
from scorekeeper.web.http.static_files import send_drawn

pages = Blueprint("settings", __name__)


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
def index() -> str:
    """List the settings; a phone that has not joined a table has no devices and no zone."""
    phone = this_phone()
    devices = len(joined_phones(database(), phone.table_id)) if phone else 0
    return render_template("table/settings.html", devices=devices, phone=phone)


@pages.get("/settings/sound")
def show() -> Response:
    """Show the switches of sound and display, which a script reads and stores, and the keys."""
    return send_drawn(lambda: render_template("table/sound.html"))


@pages.get("/settings/zone")
def choose_zone() -> str:
    """Ask for the time zone of the table."""
    return _zone_page(ZoneForm(None))


@pages.post("/settings/zone")
def set_zone() -> AnyResponse | tuple[str, int]:
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
