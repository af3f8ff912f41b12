"""Statistics of players: queries of `player_games`, which has a row for each player and game."""

from itertools import groupby
from typing import NamedTuple

from scorekeeper.rules.presets import OTHER_POINTS
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.stats.player_games import Sums
from scorekeeper.store.stats.players import Player

ALL = "all"  # in place of a rule set: all of them together
GAMES_SHOWN = 20
OTHERS_SHOWN = 30
PLAYERS_SHOWN = 50


class Totals(NamedTuple):
    """The totals of a player, over all rule sets or one.

    `begun` counts the games of the player, `games` the finished ones, and `places` is the sum of
    the places in those. `points` and the `point_rounds` that they were scored in leave out, over
    all rule sets, those of `OTHER_POINTS`.
    """

    begun: int
    games: int
    wins: int
    places: int
    sums: Sums
    points: int = 0
    point_rounds: int = 0


NONE = Totals(0, 0, 0, 0, Sums())


class Record(NamedTuple):
    """Records of a player: games won in a row, and the largest deficit before winning."""

    run: int
    comeback: int


class Played(NamedTuple):
    """A game of a player; `place` among `sides` is None until the game is over."""

    game_id: str
    started: str
    rules: str
    place: int | None
    sides: int
    rounds: int
    points: int
    bids: int
    bid_tricks: int
    taken: int


class Pair(NamedTuple):
    """Finished games of a player against another player, and with them as partner."""

    other: Player
    against: int
    ahead: int
    behind: int
    together: int
    together_won: int


def _sum(column: str) -> str:
    return f"CAST(coalesce(sum({column}), 0) AS BIGINT)"  # PostgreSQL's sums are no integers


APART = ", ".join(f"'{book}'" for book in OTHER_POINTS)
COUNTS = (
    "count(*), count(place), count(*) FILTER (WHERE place = 1), "
    f"{_sum('place')}, {', '.join(_sum(name) for name in Sums._fields)}"
)
POINTS = ", ".join(_sum(f"CASE WHEN rules NOT IN ({APART}) THEN {name} END")
                   for name in ("points", "rounds"))  # fmt: skip


def totals_of(db: Database, table_id: str, player_id: int) -> dict[str, Totals]:
    """Return the totals of a player by rule set, and over all of them under `all`."""
    games = "FROM player_games WHERE table_id = ? AND player_id = ?"
    rows = db.execute(
        f"SELECT rules, {COUNTS} {games} GROUP BY rules ORDER BY rules", [table_id, player_id]
    ).fetchall()
    if not rows:
        return {}
    of_all = db.execute(f"SELECT {COUNTS}, {POINTS} {games}", [table_id, player_id]).fetchone()
    return {ALL: _totals_of_all(of_all), **{row[0]: _totals(row[1:]) for row in rows}}


def begun(db: Database, table_id: str, player_id: int) -> int:
    """Return the number of games of a player, without removed ones."""
    query = "SELECT count(*) FROM player_games WHERE table_id = ? AND player_id = ?"
    return scalar(db, query, [table_id, player_id]) or 0


def record_of(db: Database, table_id: str, player_id: int, rules: str = ALL) -> Record:
    """Return the records of a player, under one rule set or all.

    The deficit over all rule sets leaves out `OTHER_POINTS`.
    """
    within, values = ("", []) if rules == ALL else ("AND rules = ?", [rules])
    finished = (
        f"FROM player_games WHERE table_id = ? AND player_id = ? {within} AND place IS NOT NULL"
    )
    places = db.execute(
        f"SELECT place {finished} ORDER BY started, game_id", [table_id, player_id, *values]
    )
    runs = (len(list(games)) for won, games in groupby(places, lambda row: row[0] == 1) if won)
    comparable = f"AND rules NOT IN ({APART})" if rules == ALL else ""
    comeback = scalar(
        db, f"SELECT max(comeback) {finished} {comparable}", [table_id, player_id, *values]
    )
    return Record(max(runs, default=0), comeback or 0)


def last_games(db: Database, table_id: str, player_id: int, rules: str = ALL) -> list[Played]:
    """Return the last games of a player with a scored round, newest first."""
    within, values = ("", []) if rules == ALL else ("AND rules = ?", [rules])
    rows = db.execute(
        f"SELECT {', '.join(Played._fields)} FROM player_games "
        f"WHERE table_id = ? AND player_id = ? {within} AND rounds > 0 "
        "ORDER BY started DESC, game_id DESC LIMIT ?",
        [table_id, player_id, *values, GAMES_SHOWN],
    )
    return [Played(*row) for row in rows.fetchall()]


def pairs_of(db: Database, table_id: str, player_id: int) -> list[Pair]:
    """Return the other players met most often in finished games."""
    rows = db.execute(
        "SELECT other.player_id, name, count(*) FILTER (WHERE other.side <> own.side), "
        "count(*) FILTER (WHERE other.side <> own.side AND own.place < other.place), "
        "count(*) FILTER (WHERE other.side <> own.side AND own.place > other.place), "
        "count(*) FILTER (WHERE other.side = own.side), "
        "count(*) FILTER (WHERE other.side = own.side AND own.place = 1) "
        "FROM player_games AS own JOIN player_games AS other "
        "ON other.table_id = own.table_id AND other.game_id = own.game_id "
        "AND other.player_id <> own.player_id "
        "JOIN players ON players.table_id = other.table_id AND players.id = other.player_id "
        "WHERE own.table_id = ? AND own.player_id = ? "
        "AND own.place IS NOT NULL AND other.place IS NOT NULL "
        "GROUP BY other.player_id, name ORDER BY count(*) DESC, other.player_id LIMIT ?",
        [table_id, player_id, OTHERS_SHOWN],
    )
    return [Pair(Player(*row[:2]), *row[2:]) for row in rows.fetchall()]


def players_of(
    db: Database, table_id: str, rules: str = ALL, after: int | None = None
) -> tuple[list[tuple[Player, Totals]], int | None] | None:
    """Return a page of players, those with most games first, and the last one if there are more.

    The page begins after the player `after`; None where that is no player of the table.
    """
    within, values = ("", []) if rules == ALL else ("AND rules = ?", [rules])
    page, place = "", []
    if after is not None:
        games = f"FROM player_games WHERE table_id = ? AND player_id = ? {within}"
        begun = scalar(db, f"SELECT count(*) {games}", [table_id, after, *values])
        if not begun:
            return None
        page, place = "HAVING (-count(*), player_id) > (?, ?)", [-begun, after]
    rows = db.execute(
        f"SELECT player_id, name, {COUNTS}, {POINTS} FROM player_games "
        "JOIN players ON players.table_id = player_games.table_id AND id = player_id "
        f"WHERE player_games.table_id = ? {within} GROUP BY player_id, name {page} "
        "ORDER BY count(*) DESC, player_id LIMIT ?",
        [table_id, *values, *place, PLAYERS_SHOWN + 1],
    ).fetchall()
    read = _totals_of_all if rules == ALL else _totals
    shown = [(Player(*row[:2]), read(row[2:])) for row in rows[:PLAYERS_SHOWN]]
    return shown, rows[PLAYERS_SHOWN - 1][0] if len(rows) > PLAYERS_SHOWN else None


def _totals_of_all(row: tuple[int, ...]) -> Totals:
    """Return totals whose points and point rounds stand in columns of their own, at the end."""
    *counts, points, rounds = row
    return _totals(tuple(counts))._replace(points=points, point_rounds=rounds)


def _totals(row: tuple[int, ...]) -> Totals:
    sums = Sums(*row[4 : 4 + len(Sums._fields)])
    return Totals(row[0], row[1], row[2], row[3], sums, sums.points, sums.rounds)
