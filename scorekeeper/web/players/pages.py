"""Pages of players: compared, one by one, renamed and merged."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import name_key
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.games import load_games
from scorekeeper.store.stats import players, queries
from scorekeeper.store.stats.players import BothPlayed, Player
from scorekeeper.store.stats.queries import ALL
from scorekeeper.web.http.current import database, require_phone, store
from scorekeeper.web.http.form_fields import Form, TextField, valid_name
from scorekeeper.web.players import charts, comparison
from scorekeeper.web.players.awards import awards_won
from scorekeeper.web.players.statistics import (
    headline,
    key_figures,
    left_out,
    mean,
    points_shown_by,
    statistics,
)
from scorekeeper.web.text.cards import result_card

pages = Blueprint("players", __name__, url_prefix="/players")
Answer = str | Response | tuple[str, int]
FINISHES_SHOWN = 7
RESULTS_SHOWN = 5


class NameForm(Form):
    """The new name of a player."""

    name = TextField(validators=[valid_name])


@pages.get("")
def index() -> str:
    """Compare the players of the table, a page of them at a time, sorted by any column."""
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
        rows=comparison.rows(found[0], by, rules),
        columns=comparison.columns(rules),
        by=by,
        after=found[1],
        rules=rules,
        books={ALL: _("all rules"), **_book_names()},
        left_out=left_out(rules),
    )


@pages.get("/<player_id>")
def show(player_id: str) -> Answer:
    player = _find(player_id)
    if str(player.id) != player_id:  # merged into another
        return _redirect_to(player)
    return _player_page(player, NameForm(None, name=player.name))


@pages.post("/<player_id>/name")
def rename(player_id: str) -> Answer:
    """Rename a player in every game, or offer to merge with the player who has that name."""
    player, form = _find(player_id), NameForm(request.form)
    if not form.validate():
        return _player_page(player, form), 422
    name = form.name.data
    with store().write(require_phone().table_id) as db:
        other = players.namesake(db, require_phone().table_id, player, name)
        if other is None and name != player.name:
            players.rename(db, require_phone().table_id, player, name)
    if other is None:
        return _redirect_to(player)
    question = url_for("players.ask", player_id=player.id, other_id=other.id, name=name)
    return redirect(question, 303)


@pages.get("/<player_id>/merge/<other_id>")
def ask(player_id: str, other_id: str) -> Answer:
    """Ask for confirmation before two players are merged."""
    player, other = _find(player_id), _find(other_id)
    if player == other:
        return _redirect_to(other)
    return _merge_page(player, other, NameForm(request.args))


@pages.post("/<player_id>/merge/<other_id>")
def merge(player_id: str, other_id: str) -> Answer:
    """Merge a player into another; 422 where both played in one game."""
    player, other = _find(player_id), _find(other_id)
    if player != other:
        try:
            with store().write(require_phone().table_id) as db:
                name = _name_for(other, NameForm(request.form))
                players.merge(db, require_phone().table_id, player, other, name)
        except BothPlayed:
            return _merge_page(player, other, NameForm(None)), 422
    return _redirect_to(other)


def _merge_page(player: Player, other: Player, form: NameForm) -> str:
    table_id = require_phone().table_id
    return render_template(
        "players/merge.html",
        player=player,
        other=other,
        name=_name_for(other, form),
        together=players.game_of_both(database(), table_id, player, other),
        games=[queries.begun(database(), table_id, one.id) for one in (player, other)],
    )


def _name_for(player: Player, form: NameForm) -> str:
    """Return the spelling to keep: the one typed if it is the same name, else the old one."""
    same = form.validate() and name_key(form.name.data) == name_key(player.name)
    return str(form.name.data) if same else player.name


def _player_page(player: Player, form: NameForm) -> str:
    rules, table_id = _rules(), require_phone().table_id
    totals = queries.totals_of(database(), table_id, player.id)
    shown = totals.get(rules) or queries.NONE
    games = queries.last_games(database(), table_id, player.id, rules)
    record = queries.record_of(database(), table_id, player.id, rules)
    oldest_first = games[::-1]
    recent = load_games(database(), table_id, [one.game_id for one in games])
    return render_template(
        "players/show.html",
        player=player,
        rules=rules,
        books={ALL: _("all rules")}
        | {key: name for key, name in _book_names().items() if key in totals},
        headline=headline(shown),
        key_figures=key_figures(shown, record, rules),
        statistics=statistics(shown, record, rules),
        finishes=[game for game in oldest_first if game.place is not None][-FINISHES_SHOWN:],
        awards=awards_won(recent, player.name),
        results=[result_card(game, with_rules=True) for game in recent[:RESULTS_SHOWN]],
        games=games,
        places=charts.places(oldest_first),
        points=charts.points(oldest_first, rules),
        bids=charts.bids(oldest_first),
        pairs=queries.pairs_of(database(), table_id, player.id),
        mean=mean,
        presets=PRESETS,
        points_shown_by=points_shown_by,
        left_out=left_out(rules),
        form=form,
    )


def _find(player_id: str) -> Player:
    """Return a player of this phone's table or the one they were merged into, or answer 404."""
    if not _is_number(player_id):
        abort(404)
    table_id = require_phone().table_id
    now = players.player_now(database(), table_id, int(player_id))
    return players.find_player(database(), table_id, now) or abort(404)


def _redirect_to(player: Player) -> Response:
    return redirect(url_for("players.show", player_id=player.id), 303)


def _rules() -> str:
    rules = request.args.get("rules", ALL)
    return rules if rules == ALL or rules in PRESETS else abort(404)


def _book_names() -> dict[str, str]:
    return {key: rules.name for key, rules in PRESETS.items()}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text
