"""An evening of a table: who won, its games, and who pays whom, as a page and as text."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request
from markupsafe import Markup

from scorekeeper.clock import evening_of, evening_span, midnight, this_evening
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.payments import stake_balances
from scorekeeper.store.games import Game
from scorekeeper.store.history import Search, games_by_start
from scorekeeper.store.player_games import seating_of
from scorekeeper.store.records import MOST_SHARED, Feat
from scorekeeper.store.statistics import Selection, Span, Standing, people_of, players_of
from scorekeeper.web.game.result import plain, turn_lines
from scorekeeper.web.http.requests import database, require_phone, use_zone_of_table
from scorekeeper.web.players import figures
from scorekeeper.web.players.record_rows import Row, holders, record_row
from scorekeeper.web.text.cards import result_card
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import day as day_of
from scorekeeper.web.text.wording import fill, listed, payment_lines, title_line

pages = Blueprint("evening", __name__)
MOST_GAMES = 50
MOST_WINNERS = 2  # who are named


class Line(NamedTuple):
    """What a player did in an evening."""

    one: Standing
    won: str
    luck: str
    ahead: str
    is_ahead: bool


@pages.get("/evening")
def show() -> str:
    """Show an evening, from six to six: that of `day`, or the last one with a game."""
    phone = require_phone()
    use_zone_of_table(phone)
    newest = games_by_start(database(), phone.table_id, Search(), 1)
    last = evening_of(newest[0].started) if newest else this_evening()
    day = _day(request.args.get("day", "")) or last
    span = Span(*evening_span(day))
    games = games_by_start(database(), phone.table_id, Search(since=span.since, until=span.until),
                           MOST_GAMES)[::-1]  # fmt: skip
    found = players_of(database(), phone.table_id, Selection(span=span))
    standings = sorted(found[0] if found else [], key=lambda one: -one.totals.luck.ahead)
    title, shown = _title(standings), day_of(midnight(day))
    money, closest = _payments(games), _closest(games)
    return render_template(
        "game/evening.html",
        day=shown,
        title=title,
        lines=[_line(one) for one in standings if one.totals.luck.games],
        moments=_moments(games),
        closest=closest,
        closest_title=title_line(closest) if closest else "",
        turning=turn_lines(closest) if closest else [],  # of one game, as it takes up to 23 ms
        games=[result_card(game, with_rules=True) for game in games],
        payments=money,
        text=_text(title, shown, games, money),
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


def _title(standings: Sequence[Standing]) -> Markup:
    """Return whose evening it was: of those with the most wins against luck."""
    ended = [one for one in standings if one.totals.luck.games]
    if not ended:
        return fill(_("No game has ended yet"))
    best = ended[0].totals.luck.ahead
    first = [one.player.name for one in ended if one.totals.luck.ahead == best]
    if best <= 0 or len(first) > MOST_WINNERS:
        return fill(_("A level evening"))
    return fill(_("The evening of {who}"), who=listed(first))


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


def _closest(games: Sequence[Game]) -> Game | None:
    """Return the finished game that was won by the fewest points."""
    ended = [game for game in games if game.state.phase == "over" and len(game.state.sides) > 1]
    return min(ended, key=_lead, default=None)


def _lead(game: Game) -> int:
    first, second, *_others = sorted(game.state.standing.totals, reverse=True)
    return first - second


def _payments(games: Sequence[Game]) -> list[Markup]:
    """Return who pays whom over all games."""
    balances: Counter[str] = Counter()
    for game in games:
        if game.stake and game.state.phase == "over":
            paid = stake_balances(game.state, game.stake)
            balances.update(dict(zip(game.names, paid, strict=True)))
    return payment_lines([*balances], [*balances.values()])


def _text(title: Markup, day: str, games: Sequence[Game], money: Sequence[Markup]) -> str:
    """Return the evening as plain text, a line for each game and each payment."""
    ended = [game for game in games if game.state.phase == "over"]
    count = ngettext("{n} game", "{n} games", len(games)).format(n=len(games))
    lines = [plain(title), f"{day} · {count}", ""]
    for game in ended:
        rounds = len(game.state.rounds)
        about = f"{game.rules.name}, {say('rounds', rounds).format(n=rounds)}"
        lines.append(f"{plain(title_line(game))} ({about})")
    return "\n".join([*lines, *([""] if money else []), *map(plain, money)])
