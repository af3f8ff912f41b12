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
from scorekeeper.store.statistics import Selection, Span, Standing, players_of
from scorekeeper.web.game.result import plain
from scorekeeper.web.http.requests import database, require_phone, use_zone_of_table
from scorekeeper.web.players import figures
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
    money = _payments(games)
    return render_template(
        "game/evening.html",
        day=shown,
        title=title,
        lines=[_line(one) for one in standings if one.totals.luck.games],
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
