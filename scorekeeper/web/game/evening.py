"""An evening of a table: who won, its games, and who pays whom, as page, picture and text."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from scorekeeper.clock import evening_of, evening_span, midnight, this_evening
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.payments import stake_balances
from scorekeeper.store.games import Game
from scorekeeper.store.history import Search, games_by_start
from scorekeeper.store.player_games import seating_of
from scorekeeper.store.players import Player
from scorekeeper.store.records import MOST_SHARED, Feat
from scorekeeper.store.statistics import Selection, Span, Standing, people_of, players_of
from scorekeeper.web.game.evening_picture import (
    Evening,
    evening_picture,
    picture_note,
    picture_title,
)
from scorekeeper.web.game.result import directed, plain, turn_lines
from scorekeeper.web.http.requests import (
    database,
    in_language_of_table,
    require_phone,
    use_zone_of_table,
    wants_names,
)
from scorekeeper.web.players import figures
from scorekeeper.web.players.record_rows import Row, holders, record_row
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.cards import result_card
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import day as day_of
from scorekeeper.web.text.wording import fill, listed, payment_lines, title_line

pages = Blueprint("evening", __name__, url_prefix="/evening")
MOST_GAMES = 50
MOST_WINNERS = 2  # who are named


class Line(NamedTuple):
    """What a player did in an evening."""

    one: Standing
    won: str
    luck: str
    ahead: str
    is_ahead: bool


@pages.get("")
def show() -> str:
    """Show an evening, from six to six: that of `day`, or the last one with a game."""
    evening, with_names = _evening(), wants_names()
    closest = _closest(evening.ended)
    turning = turn_lines(closest) if closest else []  # of one game, as it takes up to 23 ms
    with in_language_of_table(require_phone().table_id) as spoken:
        told = _evening() if spoken else evening
        said = turn_lines(closest) if closest and spoken else turning
        sent = {
            "spoken": spoken,
            "picture_title": picture_title(told, with_names=with_names),
            "text": _text(told, _turning_text(closest, said) if closest else []),
        }
    return render_template(
        "game/evening.html",
        evening=evening,
        day=day_of(midnight(evening.day)),
        lines=list(map(_line, evening.standings)),
        closest=closest,
        closest_title=title_line(closest) if closest else "",
        turning=turning,
        games=[result_card(game, with_rules=True) for game in evening.games],
        payments=_payments(evening),
        note=picture_note(evening, with_names=with_names),
        with_names=with_names,
        **sent,
    )


@pages.get("/picture.svg")
def picture_file() -> Response:
    """Return the picture of an evening in which a game has ended; with `names=no` without names."""
    with in_language_of_table(require_phone().table_id):
        evening = _evening()
        if not evening.ended:
            abort(404)
        picture = evening_picture(evening, with_names=wants_names())
        page = render_template("game/evening_picture.svg", picture=picture)
    return Response(page, content_type="image/svg+xml; charset=utf-8")


def _evening() -> Evening:
    """Return what the evening was that is asked for, in the time zone of the table."""
    phone = require_phone()
    use_zone_of_table(phone)
    newest = games_by_start(database(), phone.table_id, Search(), 1)
    last = evening_of(newest[0].started) if newest else this_evening()
    day = _day(request.args.get("day", "")) or last
    span = Span(*evening_span(day))
    games = games_by_start(database(), phone.table_id, Search(since=span.since, until=span.until),
                           MOST_GAMES)[::-1]  # fmt: skip
    found = players_of(database(), phone.table_id, Selection(span=span))
    ended = [one for one in (found[0] if found else []) if one.totals.luck.games]
    standings = sorted(ended, key=lambda one: -one.totals.luck.ahead)
    winners = _winners(standings)
    count = ngettext("{n} game", "{n} games", len(games)).format(n=len(games))
    return Evening(
        day=day,
        title=_title(standings, winners),
        about=f"{day_of(midnight(day))} · {count}",
        winners=winners,
        standings=standings,
        games=games,
        moments=_moments(games),
        balances=_balances(games),
    )


def _day(text: str) -> date | None:
    """Return the day of an address; None where it has none. Answers 404 for another text."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        abort(404)
    return day if 1970 <= day.year <= 2999 else abort(404)


def _winners(standings: Sequence[Standing]) -> list[Player]:
    """Return who has the most wins against luck; nobody where too many have as many."""
    best = standings[0].totals.luck.ahead if standings else 0
    first = [one.player for one in standings if one.totals.luck.ahead == best > 0]
    return first if len(first) <= MOST_WINNERS else []


def _title(standings: Sequence[Standing], winners: Sequence[Player]) -> Markup:
    """Return whose evening it was."""
    if winners:
        return fill(_("The evening of {who}"), who=listed([one.name for one in winners]))
    return fill(_("A level evening") if standings else _("No game has ended yet"))


def _line(one: Standing) -> Line:
    luck = one.totals.luck
    return Line(
        one,
        figures.won(luck),
        figures.expected(luck),
        figures.ahead(luck),
        luck.shown_ahead > 0,
    )


def _moments(games: Sequence[Game]) -> list[Row]:
    """Return the highest bid of a side that it made, with all who share it."""
    made = [
        (score.contract, (game, number, side))
        for game in games
        for number, played in enumerate(game.state.rounds, 1)
        for side, score in enumerate(played.scores)
        if score.made
    ]
    most = max((contract for contract, _place in made), default=0)
    best = [place for contract, place in made if contract == most > 0]
    feats = [
        Feat(most, game.id, game.started, _players(game, number, side), number)
        for game, number, side in best[:MOST_SHARED]
    ]
    people = people_of(database(), require_phone().table_id, holders({"bid": feats}))
    return [record_row("bid", feats, people, "")] if feats else []


def _players(game: Game, number: int, side: int) -> tuple[int, ...]:
    """Return the ids of who sat on a side in a round."""
    seated = seating_of(database(), game)
    seats = seated.rounds[number - 1] if seated.rounds else seated.players
    players = [seats[seat] for seat in game.state.sides[side]]
    return tuple([one for one in players if one is not None])


def _closest(ended: Sequence[Game]) -> Game | None:
    """Return the game that was won by the fewest points."""
    return min((game for game in ended if len(game.state.sides) > 1), key=_lead, default=None)


def _lead(game: Game) -> int:
    first, second, *_others = sorted(game.state.standing.totals, reverse=True)
    return first - second


def _balances(games: Sequence[Game]) -> Counter[str]:
    """Return what everybody wins over all games, or loses below zero, by name."""
    balances: Counter[str] = Counter()
    for game in games:
        if game.stake and game.state.phase == "over":
            paid = stake_balances(game.state, game.stake)
            balances.update(dict(zip(game.names, paid, strict=True)))
    return balances


def _payments(evening: Evening) -> list[Markup]:
    return payment_lines([*evening.balances], [*evening.balances.values()])


def _turning_text(closest: Game, turning: Sequence[Markup]) -> list[str]:
    """Return the turning point of a game as plain text, after who won it."""
    heading = f"{_('The turning point')}: {plain(title_line(closest))}"
    return [heading, *map(plain, turning)] if turning else []


def _text(evening: Evening, turning: Sequence[str]) -> str:
    """Return the evening as plain text, a line for each game, moment and payment."""
    lines = [plain(evening.title), evening.about, ""]
    for game in evening.ended:
        rounds = len(game.state.rounds)
        about = f"{book_name(game.rules)}, {say('rounds', rounds).format(n=rounds)}"
        lines.append(f"{plain(title_line(game))} ({about})")
    moments = [
        f"{row.label}: {say('series').join([plain(row.names), row.value])}"
        for row in evening.moments
    ]
    for part in (moments, turning, map(plain, _payments(evening))):
        found = list(part)
        lines += ["", *found] if found else []
    return "\n".join(map(directed, lines)).rstrip()
