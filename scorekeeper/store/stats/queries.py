"""Queries of player statistics, which read few rows however many games there are."""

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.rules.presets import OTHER_POINTS
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


def totals_of(db: Database, table_id: str, player_id: int) -> dict[str, Totals]:
    """Return the totals of a player by rule set, and over all of them under `all`."""
    rows = db.execute(
        f"SELECT rules, {COLUMNS} FROM player_totals WHERE table_id = ? AND player_id = ? "
        "ORDER BY rules",
        [table_id, player_id],
    )
    found = {row[0]: _totals(row[1:]) for row in rows.fetchall()}
    if ALL in found:
        apart = [found[book].sums for book in OTHER_POINTS if book in found]
        found[ALL] = _without(found[ALL], [(one.points, one.rounds) for one in apart])
    return found


def begun(db: Database, table_id: str, player_id: int) -> int:
    """Return the number of games of a player, without removed ones."""
    query = "SELECT begun FROM player_totals WHERE table_id = ? AND player_id = ? AND rules = ?"
    return scalar(db, query, [table_id, player_id, ALL]) or 0


def record_of(db: Database, table_id: str, player_id: int, rules: str = ALL) -> Record:
    """Return the records of a player, under one rule set or all.

    The deficit over all rule sets leaves out `OTHER_POINTS`.
    """
    games = "FROM player_games WHERE table_id = ? AND player_id = ?"
    if rules == ALL:
        run = scalar(db, f"SELECT max(run) {games} AND run > 0", [table_id, player_id])
        books = totals_of(db, table_id, player_id).keys() - {ALL, *OTHER_POINTS}
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
    if rules == ALL:
        apart = _other_points(db, table_id, [player.id for player, _totals in shown])
        shown = [(one, _without(totals, apart[one.id])) for one, totals in shown]
    return shown, rows[PLAYERS_SHOWN - 1][0] if len(rows) > PLAYERS_SHOWN else None


def _totals(row: tuple[int, ...]) -> Totals:
    sums = Sums(*row[4:])
    return Totals(row[0], row[1], row[2], row[3], sums, sums.points, sums.rounds)


def _without(totals: Totals, apart: Sequence[tuple[int, int]]) -> Totals:
    """Return totals without the points, and the rounds that they were scored in, of some rules."""
    return totals._replace(
        points=totals.points - sum(points for points, _rounds in apart),
        point_rounds=totals.point_rounds - sum(rounds for _points, rounds in apart),
    )


def _other_points(
    db: Database, table_id: str, player_ids: Sequence[int]
) -> dict[int, list[tuple[int, int]]]:
    """Return each player's points and rounds under the rule sets of `OTHER_POINTS`."""
    found: dict[int, list[tuple[int, int]]] = {player_id: [] for player_id in player_ids}
    players, books = (", ".join("?" * len(some)) for some in (player_ids, OTHER_POINTS))
    if players:
        rows = db.execute(
            "SELECT player_id, points, rounds FROM player_totals "
            f"WHERE table_id = ? AND player_id IN ({players}) AND rules IN ({books})",
            [table_id, *player_ids, *OTHER_POINTS],
        )
        for player_id, points, rounds in rows.fetchall():
            found[player_id].append((points, rounds))
    return found


def _comeback(db: Database, table_id: str, player_id: int, rules: str) -> int:
    query = (
        "SELECT max(comeback) FROM player_games "
        "WHERE table_id = ? AND player_id = ? AND rules = ? AND comeback > 0"
    )
    return scalar(db, query, [table_id, player_id, rules]) or 0
