"""The games of a club night: begun for each table of a match, read for the desk, ended on time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scorekeeper.club.events import Event, GameBegun, Reported, Started
from scorekeeper.club.games import dealer_at, names_at, result_of, rules_of
from scorekeeper.club.match import Match, Reports
from scorekeeper.rules.entry import call_last_round, end_now, ending_now
from scorekeeper.store.club import ClubNight, as_it_is_now, follow
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game, enter
from scorekeeper.store.games import Game, load_game, load_games
from scorekeeper.store.journal import Who


class TableNow(NamedTuple):
    """A table of a match as it is now; `game` is None where it has not begun, or was deleted."""

    number: int
    names: tuple[str, ...]
    game: Game | None
    reports: Reports

    @property
    def is_over(self) -> bool:
        """Whether the table has a result: of its game, or by hand."""
        return self.reports.counted is not None


def tables_now(db: Database, club: ClubNight, match: Match) -> list[TableNow]:
    """Return the tables of a match, with what their games say now."""
    games = {game.id: game for game in load_games(db, club.table_id, [*match.games.values()])}
    tables = []
    for number in match.numbers:
        game = games.get(match.games.get(number, ""))
        reports = match.at(number)
        if game:
            reports = reports.after(result_of(game.state), by_hand=False)
        tables.append(TableNow(number, names_at(club.night, match, number), game, reports))
    return tables


def begin_games(db: Database, club: ClubNight, number: int, who: Who) -> Iterator[None]:
    """Begin the games of a match that has started, and yield after each; those there are stay.

    They belong to the act that started it. Others may write between two games: nobody waits until
    all have begun, and what was interrupted goes on when this is called again.
    """
    now = as_it_is_now(db, club)
    while now is not None:
        match = next((one for one in now.night.begun if one.number == number), None)
        if match is None or match.state != "running" or not match.waiting:
            return
        table = match.waiting[0]
        setup = GameSetup(
            rules_of(now.night.plan),
            names_at(now.night, match, table),
            dealer_at(now.night, match, table),
        )
        game = create_game(db, now.table_id, setup, who)
        now = follow(db, now, [GameBegun(number, table, game)], who, Started(number))
        yield
        now = as_it_is_now(db, now)


def heard(db: Database, club: ClubNight, match: Match) -> list[Event]:
    """Return the results that games have now and the evening does not know yet."""
    return [
        Reported(match.number, table.number, table.reports.game)
        for table in tables_now(db, club, match)
        if table.reports.game != match.at(table.number).game
    ]


def still_playing(tables: Iterable[TableNow]) -> Sequence[Game]:
    """Return the games of tables that have no result yet."""
    return [table.game for table in tables if table.game and table.game.state.phase != "over"]


def end_all_in_time(store: Store, club: ClubNight, match: Match, who: Who) -> None:
    """Call the last round at every table of a match, of which one that has done so stays as it is.

    Table by table, so that nobody who taps there waits long.
    """
    for playing in still_playing(tables_now(store.db, club, match)):
        with store.write(club.table_id) as db:
            if game := load_game(db, club.table_id, playing.id):
                end_in_time(db, game, who)


def end_in_time(db: Database, game: Game, who: Who) -> Game:
    """Make the round in play the last one of a game; between two deals the game ends at once.

    Raises `EditConflict` where the game has changed meanwhile.
    """
    state = game.state
    if state.phase == "over" or state.open.notes.last_round:
        return game
    ending = ending_now(state)
    if ending and not ending.drops:
        newest = len(state.rounds)
        last = end_now(state, newest, game.round(newest))
        return enter(db, game, Entry(newest, last, "end"), game.version, who)
    number = state.number
    return enter(db, game, Entry(number, call_last_round(game.round(number))), game.version, who)
