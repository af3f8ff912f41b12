"""A secret address from which a spreadsheet reads the games of a table."""

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.exceptions import BadRequest

from scorekeeper.clock import now
from scorekeeper.files.exports import ROWS, csv_pieces, games_csv_pieces
from scorekeeper.i18n import gettext as _
from scorekeeper.store.history import tag_of_games
from scorekeeper.store.tables import (
    MAX_LINKS,
    has_most_links,
    make_feed_key,
    table_of_feed_key,
)
from scorekeeper.version import __version__
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import Answer, database, error_page, require_phone, store
from scorekeeper.web.http.templates import shared_link

pages = Blueprint("feed", __name__)


@pages.post("/history/feed")
def make() -> Answer:
    """Make an address and show it. Only the hash of its key is stored."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        is_full = has_most_links(db, phone.table_id)
        label = _("Spreadsheet")
        key = "" if is_full else make_feed_key(db, phone.table_id, label, now(), phone.id)
    if is_full:
        sentence = _("This table already has {n} join links. Remove one first.")
        return error_page(409, sentence.format(n=MAX_LINKS))
    links = [shared_link(url_for("feed.read", key=key, rows=rows)) for rows in reversed(ROWS)]
    return render_template("history/feed_made.html", links=links)


@pages.get("/feed/<key>.csv")
def read(key: str) -> Response:
    """Stream the games as CSV, with a row for each player and game unless rounds are asked for."""
    table_id = table_of_feed_key(database(), key)
    if table_id is None:
        rate_limits.wrong_key()
        abort(404)
    rows = request.args.get("rows", "games")
    if rows not in ROWS:
        raise BadRequest(_("“rows” must be “rounds” or “games”."))
    tag = f"{tag_of_games(database(), table_id)}-{rows}-{__version__}"
    if request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        rate_limits.feed()
        written = games_csv_pieces if rows == "games" else csv_pieces
        pieces = written(store(), table_id, skips_damaged=True)
        response = Response(pieces, content_type="text/csv; charset=utf-8")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
