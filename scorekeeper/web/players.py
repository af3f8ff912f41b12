"""Pages of players: compared, one by one, renamed and merged."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms.validators import NumberRange

from scorekeeper.free_text import name_key
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.faces import COLORS, SHAPES, Face
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.result import awards
from scorekeeper.store import players
from scorekeeper.store import statistics as queries
from scorekeeper.store.games import Game, load_games
from scorekeeper.store.players import BothPlayed, Player
from scorekeeper.store.statistics import ALL, FORM_SHOWN, Totals
from scorekeeper.web import player_statistics
from scorekeeper.web.http.forms import Form, StrictIntegerField, TextField, valid_name
from scorekeeper.web.http.requests import Answer, database, require_phone, store
from scorekeeper.web.player_statistics import (
    asks_for_exact_bids,
    has_bags,
    headline,
    key_figures,
    left_out,
    mean,
    points_shown_by,
    share,
    statistics,
)
from scorekeeper.web.text.cards import result_card
from scorekeeper.web.text.sentences import say


def awards_won(games: Iterable[Game], name: str) -> list[tuple[str, int]]:
    """Return the awards of a player in finished games and how often, the most frequent first."""
    titles = Counter(
        translate(award.title)
        for game in games
        if game.state.phase == "over" and name in game.names
        for award in awards(game.state)
        if any(game.names.index(name) in seats for seats in award.seats)
    )
    return titles.most_common()


class PlayerRow(NamedTuple):
    """A player and the text of each column."""

    player: Player
    cells: list[str]


class Column(NamedTuple):
    """A column: its numbers are a part and a whole, shown as a share or as a mean."""

    key: str
    name: str
    parts: Callable[[Totals], tuple[int, int]]
    shown: Callable[[int, int], str]
    low_is_good: bool = False
    is_key: bool = False  # shown on a phone


def columns(rules: str) -> list[Column]:
    """Return the columns of a rule book, or of all, from left to right."""
    is_exact = asks_for_exact_bids(rules)
    found = [
        Column(
            "games", _("Games"), lambda t: (t.begun, 1), lambda part, _one: str(part), is_key=True
        ),
        Column("won", _("Won"), lambda t: (t.wins, t.games), share, is_key=True),
        Column("place", _("Place"), lambda t: (t.places, t.games), mean, low_is_good=True),
        Column(
            "points",
            _("Points per round"),
            lambda t: (t.points, t.point_rounds * points_shown_by(rules)),
            mean,
            is_key=True,
        ),
        Column("made", _("Contracts made"), lambda t: (t.sums.made, t.sums.bids), share),
        Column("exact", _("Exact"), lambda t: (t.sums.exact, t.sums.bids), share, is_key=is_exact),
        Column("bid", _("Bid"), lambda t: (t.sums.bid_tricks, t.sums.bids), mean),
        Column("took", _("Tricks taken"), lambda t: (t.sums.taken, t.sums.bids), mean),
        Column("nil", say("nil_made"), lambda t: (t.sums.nils_made, t.sums.nils), share),
        Column("bags", _("Bags per round"), lambda t: (t.sums.bags, t.sums.rounds), mean),
    ]
    unused = {"made", "nil"} if is_exact else set()
    unused |= set() if has_bags(rules) else {"bags"}
    return [column for column in found if column.key not in unused]


def rows(players: Sequence[tuple[Player, Totals]], by: str, rules: str) -> list[PlayerRow]:
    """Return a row for each player, sorted by the column of a key if there is one."""
    order = {column.key: column for column in columns(rules)}.get(by)
    found = sorted(players, key=lambda one: _sort_key(order, one[1])) if order else players
    return [
        PlayerRow(player, [column.shown(*column.parts(totals)) for column in columns(rules)])
        for player, totals in found
    ]


class Ranked(NamedTuple):
    """A player on the podium or below it; `rank` is None for one of too few games.

    `counted` says what the value comes from, `form` which of the last games were won.
    """

    player: Player
    rank: int | None
    value: str
    counted: str
    form: list[bool]


MIN_GAMES = 5  # finished, of a player who is ranked; fewer where nobody has so many


def ranked(
    players: Sequence[tuple[Player, Totals]],
    by: str,
    rules: str,
    places: Mapping[int, Sequence[int]],
) -> list[Ranked]:
    """Return the players ranked by a column, then those of too few games.

    Players of equal numbers share a rank. `places` are those of the last games by player.
    """
    column = next(column for column in columns(rules) if column.key == by)
    least = min(MIN_GAMES, max((totals.games for _player, totals in players), default=0))
    keys = {player: _sort_key(column, totals) for player, totals in players}
    in_order = sorted(players, key=lambda one: (one[1].games < least, keys[one[0]]))
    counts = [keys[player] for player, totals in in_order if totals.games >= least]
    return [
        Ranked(
            player,
            counts.index(keys[player]) + 1
            if totals.games >= least and column.parts(totals)[1]
            else None,
            column.shown(*column.parts(totals)),
            _counted(column, totals),
            [place == 1 for place in places.get(player.id, ())],
        )
        for player, totals in in_order
    ]


def _podium_sorts(rules: str) -> dict[str, str]:
    """Return the columns by which players are ranked under a rule book, with their short names."""
    known = {column.key for column in columns(rules)}
    names = {"won": _("Won"), "points": _("Points"), "nil": say("nil"), "exact": _("Exact")}
    return {key: name for key, name in names.items() if key in known}


def _counted(column: Column, totals: Totals) -> str:
    part, whole = column.parts(totals)
    if column.shown is share:
        return _("{n} of {whole}").format(n=part, whole=whole) if whole else ""
    rounds = totals.point_rounds
    return say("rounds", rounds).format(n=rounds)


def _sort_key(column: Column, totals: Totals) -> tuple[bool, float]:
    """Return a key that sorts the best first, and players without numbers last."""
    part, whole = column.parts(totals)
    if not whole:
        return True, 0.0
    return False, part / whole if column.low_is_good else -part / whole


pages = Blueprint("players", __name__, url_prefix="/players")
FINISHES_SHOWN = 7
RESULTS_SHOWN = 5


class NameForm(Form):
    """The new name of a player."""

    name = TextField(validators=[valid_name])


class FaceForm(Form):
    """The new shape and color of a player."""

    shape = StrictIntegerField(validators=[NumberRange(1, SHAPES)])
    color = StrictIntegerField(validators=[NumberRange(1, COLORS)])


@pages.get("")
def index() -> str:
    """Rank the players of the table, and compare a page of them in a table sorted by any column."""
    phone, rules = require_phone(), _rules()
    after = request.args.get("after", "")
    if after and not _is_number(after):
        abort(404)
    found = queries.players_of(
        database(), phone.table_id, rules, int(after) if after else None
    ) or abort(404)
    by = request.args.get("by", "")
    ids = [player.id for player, _totals in found[0]]
    places = queries.last_places(database(), phone.table_id, ids, rules)
    asked = request.args.get("rank")
    sorts = _podium_sorts(rules)
    podium = asked if asked in sorts else "won"
    return render_template(
        "players/index.html",
        podium=podium,
        ranked=[] if after else ranked(found[0], podium, rules, places),
        twins=[] if after else players.twins(database(), phone.table_id),
        sorts=sorts,
        rows=rows(found[0], by, rules),
        columns=columns(rules),
        by=by,
        after=found[1],
        rules=rules,
        books={ALL: _("All rules"), **_book_names()},
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


@pages.post("/<player_id>/face")
def choose_face(player_id: str) -> Answer:
    """Give a player the shape and the color that were chosen, even where others have them."""
    player, form = _find(player_id), FaceForm(request.form)
    if not form.validate():
        abort(400)
    face = Face(form.shape.data or 0, form.color.data or 0)
    with store().write(require_phone().table_id) as db:
        players.give_face(db, require_phone().table_id, player, face)
    return _redirect_to(player)


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
    pairs = queries.pairs_of(database(), table_id, player.id)
    recent = load_games(database(), table_id, [one.game_id for one in games])
    return render_template(
        "players/show.html",
        player=player,
        rules=rules,
        books={ALL: _("All rules")}
        | {key: name for key, name in _book_names().items() if key in totals},
        headline=headline(shown),
        key_figures=key_figures(shown, record, rules),
        statistics=statistics(shown, record, rules),
        finishes=[game for game in oldest_first if game.place is not None][-FINISHES_SHOWN:],
        awards=awards_won(recent, player.name),
        results=[result_card(game, with_rules=True) for game in recent[:RESULTS_SHOWN]],
        games=games,
        places=player_statistics.places(oldest_first),
        points=player_statistics.points(oldest_first, rules),
        bids=player_statistics.bids(oldest_first),
        pairs=pairs,
        longest=max((max(pair.ahead, pair.behind) for pair in pairs), default=0),
        latest=[game.place == 1 for game in oldest_first if game.place is not None][-FORM_SHOWN:],
        mean=mean,
        presets=PRESETS,
        points_shown_by=points_shown_by,
        left_out=left_out(rules),
        form=form,
        shapes=_shape_names(),
        taken=_colors_taken(player),
    )


def _shape_names() -> list[str]:
    """Return the names of all shapes, in the order of their numbers."""
    return [
        *(_("Circle"), _("Triangle"), _("Square"), _("Diamond"), _("Star")),
        *(_("Plus"), _("Hourglass"), _("Ring"), _("Arrow"), _("Angle")),
    ]


def _colors_taken(player: Player) -> dict[int, list[int]]:
    """Return the colors in which other players of the table have a shape, by shapes."""
    taken = players.faces_taken(database(), require_phone().table_id)
    taken[player.face] = taken.get(player.face, 1) - 1
    found: dict[int, list[int]] = {}
    for shape, color in sorted(face for face, count in taken.items() if count):
        found.setdefault(shape, []).append(color)
    return found


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
