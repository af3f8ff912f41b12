"""Settings: where each is found, and those that a browser keeps for itself."""

from flask import Blueprint, Response, render_template

from scorekeeper.store.tables import joined_phones
from scorekeeper.web.http.current import database, this_phone
from scorekeeper.web.http.static_files import send_drawn

pages = Blueprint("settings", __name__)


@pages.get("/settings")
def index() -> str:
    """List the settings; a phone that has not joined a table has no devices."""
    phone = this_phone()
    devices = len(joined_phones(database(), phone.table_id)) if phone else 0
    return render_template("table/settings.html", devices=devices)


@pages.get("/settings/sound")
def show() -> Response:
    """Show the switches of sound and display, which a script reads and stores, and the keys."""
    return send_drawn(lambda: render_template("table/sound.html"))
