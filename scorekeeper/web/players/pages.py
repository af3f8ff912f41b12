"""Players: their statistics, compared and one by one, and their names."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.stats import players, queries
from scorekeeper.store.stats.players import BothPlayed, Player
from scorekeeper.store.stats.totals import ALL
from scorekeeper.web.http.current import database, require_phone, store
from scorekeeper.web.players import charts, comparison
from scorekeeper.web.players.statistics import figures, headline, mean

pages = Blueprint("players", __name__, url_prefix="/players")
Answer = str | Response | tuple[str, int]


@pages.get("")
def index() -> str:
    """Compare the players of the table, a page of them at a time."""
    phone, rules = require_phone(), _rules()
    after = request.args.get("after", "")
    if after and not _is_number(after):
        abort(404)
    found = queries.players_of(
        database(), phone.table_id, rules, int(after) if after else None
    ) or abort(404)
    by = request.args.get("by", "")
    return render_template(
        "players/index.html",
        rows=comparison.rows(found[0], by),
        columns=comparison.columns(),
        by=by,
        after=found[1],
        rules=rules,
        books={ALL: _("all rule books"), **_book_names()},
    )


@pages.get("/<player_id>")
def show(player_id: str) -> Answer:
    """Show everything counted about one player."""
    player = _find(player_id)
    return _page(player) if str(player.id) == player_id else _to(player)


@pages.post("/<player_id>/name")
def rename(player_id: str) -> Answer:
    """Give a player another name everywhere, or ask whether two spellings are one person."""
    player, typed = _find(player_id), request.form.get("name", "")
    try:
        name = normalize_name(typed)
    except NameRefused as refused:
        return _page(player, typed, str(refused)), 422
    with store().write() as db:
        other = players.namesake(db, require_phone().table_id, player, name)
        if other is None and name != player.name:
            players.rename(db, player, name)
    if other is None:
        return _to(player)
    question = url_for("players.ask", player_id=player.id, other_id=other.id, name=name)
    return redirect(question, 303)


@pages.get("/<player_id>/merge/<other_id>")
def ask(player_id: str, other_id: str) -> Answer:
    """Ask whether two spellings are one person; nothing happens before that is answered."""
    player, other = _find(player_id), _find(other_id)
    if player == other:
        return _to(other)
    return _question(player, other, request.args.get("name", ""))


@pages.post("/<player_id>/merge/<other_id>")
def merge(player_id: str, other_id: str) -> Answer:
    """Let one player's games be another's, or say why they cannot be."""
    player, other = _find(player_id), _find(other_id)
    if player != other:
        try:
            with store().write() as db:
                players.merge(db, player, other, _name_for(other, request.form.get("name", "")))
        except BothPlayed:
            return _question(player, other, ""), 422
    return _to(other)


def _question(player: Player, other: Player, name: str) -> str:
    return render_template(
        "players/merge.html",
        player=player,
        other=other,
        name=_name_for(other, name),
        together=players.game_of_both(database(), player, other),
        games=[queries.begun(database(), one.id) for one in (player, other)],
    )


def _name_for(player: Player, typed: str) -> str:
    """Return the spelling to keep: the one typed where it is a name of this player."""
    try:
        name = normalize_name(typed)
    except NameRefused:
        return player.name
    return name if name_key(name) == name_key(player.name) else player.name


def _page(player: Player, typed: str | None = None, error: str = "") -> str:
    rules, totals = _rules(), queries.totals_of(database(), player.id)
    shown = totals.get(rules) or queries.NONE
    games = queries.last_games(database(), player.id, rules)
    oldest_first = games[::-1]
    return render_template(
        "players/show.html",
        player=player,
        rules=rules,
        books={ALL: _("all rule books")}
        | {key: name for key, name in _book_names().items() if key in totals},
        headline=headline(shown),
        figures=figures(shown, queries.record_of(database(), player.id, rules)),
        games=games,
        places=charts.places(oldest_first),
        points=charts.points(oldest_first),
        bids=charts.bids(oldest_first),
        pairs=queries.pairs_of(database(), player.id),
        mean=mean,
        typed=player.name if typed is None else typed,
        error=error,
    )


def _find(player_id: str) -> Player:
    """Return a player of this phone's table, after a merger whoever they are now, or answer 404."""
    if not _is_number(player_id):
        abort(404)
    now = players.player_now(database(), int(player_id))
    return players.find_player(database(), require_phone().table_id, now) or abort(404)


def _to(player: Player) -> Response:
    return redirect(url_for("players.show", player_id=player.id), 303)


def _rules() -> str:
    rules = request.args.get("rules", ALL)
    return rules if rules == ALL or rules in PRESETS else abort(404)


def _book_names() -> dict[str, str]:
    return {key: rules.name for key, rules in PRESETS.items()}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text
