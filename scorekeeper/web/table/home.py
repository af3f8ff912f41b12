"""The home page of a table, joining a table by its link, and opening a new one."""

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.store.games import count_listed_games, recent_games
from scorekeeper.store.tables import (
    join,
    label_of_join_key,
    make_table,
    server_table,
    table_of_join_key,
)
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database, remember, store, this_phone
from scorekeeper.web.http.error_page import error_page
from scorekeeper.web.http.language import told_zone
from scorekeeper.web.http.local_request import is_local_request
from scorekeeper.web.table.label_form import LabelForm
from scorekeeper.web.text.cards import result_card, standings_card

pages = Blueprint("home", __name__)
GAMES_SHOWN = 8
MOST_COUNTED = 1000  # games; the number of more is not shown


@pages.get("/")
def home() -> str:
    """Show the table of this phone, or how to join one."""
    phone = this_phone()
    if phone is None:
        return render_template(
            "table/welcome.html", may_open=current_app.config["OPEN"], is_local=is_local_request()
        )
    games = recent_games(database(), phone.table_id, GAMES_SHOWN)
    current = games.pop(0) if games and games[0].state.phase != "over" else None
    count = count_listed_games(database(), phone.table_id, MOST_COUNTED)
    return render_template(
        "table/home.html",
        current=current and standings_card(current),
        last=next((game for game in games if game.state.phase == "over"), None),
        results=[result_card(game) for game in games],
        count=count if count < MOST_COUNTED else None,
    )


@pages.get("/join/<key>")
def invitation(key: str) -> str | tuple[str, int]:
    """Ask whether this phone should join the table; only the POST joins it."""
    table_id = table_of_join_key(database(), key)
    if table_id is None:
        return _invalid_link()
    phone = this_phone()
    return render_template(
        "table/join.html",
        key=key,
        joined=phone is not None and phone.table_id == table_id,
        form=LabelForm(None),
    )


@pages.post("/join/<key>")
def accept(key: str) -> Response | tuple[str, int]:
    """Join this phone to the table, then redirect so that the key leaves the address bar."""
    table_id = table_of_join_key(database(), key)
    if table_id is None:
        return _invalid_link()
    form = LabelForm(request.form)
    if not form.validate():
        return render_template("table/join.html", key=key, form=form), 422
    label = form.label.data or label_of_join_key(database(), key) or _("a phone")
    rate_limits.change(table_id)
    with store().write(table_id) as db:
        if table_of_join_key(db, key) is not None:
            remember(join(db, table_id, label, now(), told_zone()))
            return redirect(url_for("home.home"), 303)
    return _invalid_link()


@pages.post("/this-computer")
def use_this_computer() -> Response:
    """Join this browser to the server's own table; 404 unless it runs on the same computer."""
    if not is_local_request():
        abort(404)
    if this_phone() is None:
        with store().write() as db:
            table_id = server_table(db, now())
            remember(join(db, table_id, _("the computer"), now(), told_zone()))
    return redirect(url_for("home.home"), 303)


@pages.post("/tables")
def open_table() -> Response:
    """Make a table with this phone as its first; 404 unless the server is open to everybody."""
    if not current_app.config["OPEN"]:
        abort(404)
    rate_limits.new_table()
    with store().write() as db:
        table_id = make_table(db, now())
        remember(join(db, table_id, _("the first phone"), now(), told_zone()))
    return redirect(url_for("new_game.new"), 303)


def _invalid_link() -> tuple[str, int]:
    rate_limits.wrong_key()
    sentence = _(
        "This link no longer works. Ask for a new one: create it on a phone at the table, or "
        "use the one the server shows at startup."
    )
    return error_page(404, sentence, _("Link not valid"))
