"""Queries of player statistics, which read few rows however many games there are."""

from typing import NamedTuple

from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.stats.player_stats import Sums
from scorekeeper.store.stats.players import Player
from scorekeeper.store.stats.totals import ALL, SUMS

GAMES_SHOWN = 20
OTHERS_SHOWN = 30
PLAYERS_SHOWN = 50
COLUMNS = f"begun, games, wins, places, {', '.join(SUMS)}"


class Totals(NamedTuple):
    """The totals of a player, over all rule sets or one.

    `begun` counts the games of the player, `games` the finished ones, and `places` is the sum of
    the places in those.
    """

    begun: int
    games: int
    wins: int
    places: int
    sums: Sums


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


def totals_of(db: Database, table_id: str, player_id: int) -> dict[str, Totals]:
    """Return the totals of a player by rule set, and over all of them under `all`."""
    rows = db.execute(
        f"SELECT rules, {COLUMNS} FROM player_totals WHERE table_id = ? AND player_id = ? "
        "ORDER BY rules",
        [table_id, player_id],
    )
    return {row[0]: _totals(row[1:]) for row in rows.fetchall()}


def begun(db: Database, table_id: str, player_id: int) -> int:
    """Return the number of games of a player, without removed ones."""
    query = "SELECT begun FROM player_totals WHERE table_id = ? AND player_id = ? AND rules = ?"
    return scalar(db, query, [table_id, player_id, ALL]) or 0


def record_of(db: Database, table_id: str, player_id: int, rules: str = ALL) -> Record:
    """Return the records of a player, under one rule set or all."""
    games = "FROM player_games WHERE table_id = ? AND player_id = ?"
    if rules == ALL:
        run = scalar(db, f"SELECT max(run) {games} AND run > 0", [table_id, player_id])
        books = totals_of(db, table_id, player_id).keys() - {ALL}
        best = [_comeback(db, table_id, player_id, book) for book in books]
        return Record(run or 0, max(best, default=0))
    query = f"SELECT max(run_in_rules) {games} AND rules = ? AND run_in_rules > 0"
    run = scalar(db, query, [table_id, player_id, rules])
    return Record(run or 0, _comeback(db, table_id, player_id, rules))


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
        "SELECT other_id, name, against, ahead, behind, together, together_won FROM player_pairs "
        "JOIN players ON players.table_id = player_pairs.table_id AND players.id = other_id "
        "WHERE player_pairs.table_id = ? AND player_id = ? "
        "ORDER BY -against - together, other_id LIMIT ?",
        [table_id, player_id, OTHERS_SHOWN],
    )
    return [Pair(Player(*row[:2]), *row[2:]) for row in rows.fetchall()]


def players_of(
    db: Database, table_id: str, rules: str = ALL, after: int | None = None
) -> tuple[list[tuple[Player, Totals]], int | None] | None:
    """Return a page of players, those with most games first, and the last one if there are more.

    The page begins after the player `after`; None where that is no player of the table.
    """
    page, values = "", []
    if after is not None:
        begun = scalar(
            db,
            "SELECT begun FROM player_totals WHERE table_id = ? AND player_id = ? AND rules = ?",
            [table_id, after, rules],
        )
        if begun is None:
            return None
        page, values = "AND (-begun, player_id) > (?, ?)", [-begun, after]
    rows = db.execute(
        f"SELECT player_id, name, {COLUMNS} FROM player_totals "
        "JOIN players ON players.table_id = player_totals.table_id AND id = player_id "
        f"WHERE player_totals.table_id = ? AND rules = ? {page} "
        "ORDER BY -begun, player_id LIMIT ?",
        [table_id, rules, *values, PLAYERS_SHOWN + 1],
    ).fetchall()
    shown = [(Player(*row[:2]), _totals(row[2:])) for row in rows[:PLAYERS_SHOWN]]
    return shown, rows[PLAYERS_SHOWN - 1][0] if len(rows) > PLAYERS_SHOWN else None


def _totals(row: tuple[int, ...]) -> Totals:
    return Totals(row[0], row[1], row[2], row[3], Sums(*row[4:]))


def _comeback(db: Database, table_id: str, player_id: int, rules: str) -> int:
    query = (
        "SELECT max(comeback) FROM player_games "
        "WHERE table_id = ? AND player_id = ? AND rules = ? AND comeback > 0"
    )
    return scalar(db, query, [table_id, player_id, rules]) or 0
