"""Players of a table ranked by their wins against luck, and the page of each of them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request
from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.luck import MIN_GAMES
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.result import awards
from scorekeeper.store import players
from scorekeeper.store import statistics as queries
from scorekeeper.store.games import Game, load_games
from scorekeeper.store.players import Player
from scorekeeper.store.records import best_pairs
from scorekeeper.store.statistics import Played, Selection, Standing, Totals
from scorekeeper.web.http.requests import Answer, database, require_phone
from scorekeeper.web.players import charts, figures
from scorekeeper.web.players.addresses import find, is_number, to_player
from scorekeeper.web.players.bids import bids_made
from scorekeeper.web.players.choice import Choice, chosen
from scorekeeper.web.players.comparison import columns, group_of, rows
from scorekeeper.web.players.pairs import pair_row
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.cards import result_card
from scorekeeper.web.text.wording import fill, listed

pages = Blueprint("players", __name__, url_prefix="/players")
FORM_SHOWN = 7
RESULTS_SHOWN = 5
STEPS = 3  # of the podium
ON_A_STEP = 3  # players who are shown on it
LONGEST_BAR = 96  # percent of its place


class Ranked(NamedTuple):
    """A player in the list: what is said of the games, and the bar with the tick of luck.

    `place` is empty for one of too few games, and has a sign where it is shared.
    """

    player: Player
    place: str
    won: str
    ahead: str
    is_ahead: bool
    luck: str
    bar: str
    tick: str


class Step(NamedTuple):
    """A step of the podium with those who stand on it."""

    place: int
    players: Sequence[Player]
    others: int
    ahead: str
    won: str


class Tile(NamedTuple):
    """A finished game in the form of a player."""

    game: Played
    kind: str  # won, last or neither


@pages.get("")
def index() -> Answer:
    """Rank the players of the table, and compare a page of them in a table sorted by any column."""
    choice, table_id = chosen(), require_phone().table_id
    after = request.args.get("after", "")
    if after and not is_number(after):
        abort(404)
    is_one_book = choice.wanted.rules in PRESETS or len(choice.books) < 3
    everybody = queries.standings(database(), table_id, choice.wanted, with_sums=is_one_book)
    found = queries.page_of(database(), table_id, everybody, int(after) if after else None)
    listed, last = found or abort(404)
    group = group_of(listed) if is_one_book else None
    by = request.args.get("by", "")
    shown = columns(group)
    numbers = {group.sides for *_one, totals in everybody for group in totals.groups}
    page = render_template(
        "players/index.html",
        choice=choice,
        sides=choice.sides(numbers - {0, 1}),
        title=title(listed),
        steps=[] if after else podium(listed),
        ranked=ranked(listed),
        min_games=MIN_GAMES,
        twins=[] if after else players.twins(database(), table_id),
        rows=rows(listed, by, shown),
        columns=shown,
        by=by,
        after=last,
        is_alike=group is not None,
    )
    return (page, 422) if choice.form.errors else page


def title(standings: Sequence[Standing]) -> tuple[Markup, Markup]:
    """Return who is ahead of luck by most, in a sentence, and what that is counted from."""
    first = [one for one in standings if one.place == 1]
    if not first:
        return fill(_("No places yet")), fill(_("From five games on a player gets a place."))
    luck, names = first[0].totals.luck, listed([one.player.name for one in first])
    if luck.shown_ahead <= 0:
        return fill(_("Nobody is ahead of luck yet")), figures.counted(luck) if len(
            first
        ) == 1 else fill("")
    wins = luck.shown_ahead
    sentence = ngettext(
        "{name} is {n} win ahead of luck",
        "{name} is {n} wins ahead of luck",
        1 if wins == 1 else 100,
    )
    if len(first) > 1:
        sentence = ngettext(
            "{names} are {n} win ahead of luck",
            "{names} are {n} wins ahead of luck",
            1 if wins == 1 else 100,
        )
    shown = "1" if wins == 1 else figures.tenth(wins)
    return fill(sentence, name=names, names=names, n=shown), figures.counted(luck)


def podium(standings: Sequence[Standing]) -> list[Step]:
    """Return the first steps: of those who are ahead of luck, equal ones on one step."""
    first = [
        one
        for one in standings
        if one.place and one.place <= STEPS and one.totals.luck.shown_ahead > 0
    ]
    found = []
    for place, group in groupby(first, lambda one: one.place):
        alike = [*group]
        luck = alike[0].totals.luck
        wins = {figures.won(one.totals.luck) for one in alike}
        found.append(
            Step(
                place or 0,
                [one.player for one in alike[:ON_A_STEP]],
                len(alike[ON_A_STEP:]),
                figures.ahead(luck),
                wins.pop() if len(wins) == 1 else "",
            )
        )
    return found


def ranked(standings: Sequence[Standing]) -> list[Ranked]:
    """Return the rows of the list, whose bars and ticks are of one scale."""
    lucks = [one.totals.luck for one in standings]
    longest = max((max(luck.wins, luck.expected) for luck in lucks), default=0) or 1
    places = Counter(one.place for one in standings)

    def percent(wins: float) -> str:
        return f"{LONGEST_BAR * wins / float(longest):.1f}"

    return [
        Ranked(
            one.player,
            f"{one.place}{'=' if places[one.place] > 1 else ''}" if one.place else "",
            figures.won(luck),
            figures.ahead(luck),
            luck.shown_ahead > 0,
            figures.expected(luck),
            percent(float(luck.wins)),
            percent(float(luck.expected)),
        )
        for one, luck in zip(standings, lucks, strict=True)
    ]


@pages.get("/<player_id>")
def show(player_id: str) -> Answer:
    """Show a player among the others in the chosen games."""
    player = find(player_id)
    if str(player.id) != player_id:  # merged into another
        return to_player(player)
    choice, table_id = chosen(), require_phone().table_id
    everybody = queries.standings(database(), table_id, choice.wanted)
    own = next(((place, one) for who, place, one in everybody if who == player.id), None)
    place, totals = own or (None, queries.NONE)
    games = queries.last_games(database(), table_id, player.id, choice.wanted)
    pairs = queries.pairs_of(database(), table_id, player.id, choice.wanted)
    together = best_pairs(database(), table_id, choice.wanted, player.id)
    record = queries.record_of(database(), table_id, player.id, choice.wanted)
    by_number = queries.bids_of(database(), table_id, player.id, choice.wanted)
    recent = load_games(database(), table_id, [one.game_id for one in games])
    page = render_template(
        "players/show.html",
        player=player,
        choice=choice,
        sides=choice.sides({group.sides for group in totals.groups} - {0, 1}),
        standing=_standing(place, sum(1 for _who, one, _totals in everybody if one), totals),
        headline=figures.headline(totals),
        key_figures=figures.key_figures(totals),
        statistics=figures.statistics(totals, record, choice.wanted.rules),
        is_alike=len(totals.scored) < 2,
        tiles=_tiles(games),
        bids=bids_made(by_number, totals),
        awards=awards_won(recent, player.name),
        results=[result_card(game, with_rules=True) for game in recent[:RESULTS_SHOWN]],
        games=games,
        trends=_trends(player, choice, totals),
        pairs=pairs,
        together=[pair_row(one) for one in together],
        longest=max((max(pair.ahead, pair.behind) for pair in pairs), default=0),
        mean=figures.mean,
        presets=PRESETS,
        points_shown_by=figures.points_shown_by,
    )
    return (page, 422) if choice.form.errors else page


def _standing(place: int | None, placed: int, totals: Totals) -> list[Markup]:
    """Return the place of a player and the wins that it comes from, line by line."""
    if not totals.luck.games:
        return []
    lines = [fill(_("Place {n} of {whole}"), n=place, whole=placed)] if place else []
    return [*lines, figures.counted(totals.luck)]


def _tiles(games: Sequence[Played]) -> list[Tile]:
    """Return the latest finished games, newest last; several may share a last place."""
    ended = [game for game in games if game.place is not None][:FORM_SHOWN]
    return [
        Tile(game, "won" if game.place == 1 else "last" if game.place == game.lowest else "")
        for game in reversed(ended)
    ]


def _trends(player: Player, choice: Choice, totals: Totals) -> tuple[str, list[Markup]]:
    """Return the rule book that a player scored most rounds of, and its charts."""
    rounds = Counter[str]()
    for group, counts in totals.groups.items():
        rounds[group.rules] += counts.sums.rounds
    book = max(rounds, key=lambda key: rounds[key], default="")
    if book not in PRESETS:
        return "", []
    wanted = Selection(book, choice.wanted.sides, choice.wanted.span)
    games = queries.last_games(database(), require_phone().table_id, player.id, wanted)[::-1]
    drawn = [charts.points(games, player.face), charts.bids(games, player.face)]
    return book_name(PRESETS[book]), [chart for chart in drawn if chart]


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
