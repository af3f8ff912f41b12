"""The players of a table: finding, renaming and merging them."""

from typing import NamedTuple

from sqlite_utils import Database

from scorekeeper.player_names import name_key
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.stats.streaks import recount_streaks
from scorekeeper.store.stats.totals import ADD, PAIRS, TOTALS


class Player(NamedTuple):
    """A player of a table."""

    id: int
    name: str


class BothPlayed(Exception):
    """Two players who took part in the same game cannot be merged."""


def find_player(db: Database, table_id: str, player_id: int) -> Player | None:
    """Return a player of a table, or None for one that is unknown or merged into another."""
    row = db.execute(
        "SELECT id, name FROM players WHERE id = ? AND table_id = ? AND merged_into IS NULL",
        [player_id, table_id],
    ).fetchone()
    return Player(*row) if row else None


def players_called(db: Database, table_id: str, text: str, most: int) -> list[Player]:
    """Return the player of this name, else those whose name contains the text."""
    wanted = name_key(text)
    if not wanted:
        return []
    known = "SELECT id, name FROM players WHERE table_id = ? AND merged_into IS NULL"
    exact = db.execute(f"{known} AND same_name = ?", [table_id, wanted]).fetchall()
    rows = exact or db.execute(
        f"{known} AND instr(same_name, ?) ORDER BY same_name LIMIT ?", [table_id, wanted, most]
    )
    return [Player(*row) for row in rows]


def player_now(db: Database, player_id: int) -> int:
    """Return the player into whom a player was merged, or else the player."""
    into = scalar(db, "SELECT merged_into FROM players WHERE id = ?", [player_id])
    return player_id if into is None else into


def namesake(db: Database, table_id: str, player: Player, name: str) -> Player | None:
    """Return another player of the table who has this name."""
    row = db.execute(
        "SELECT id, name FROM players WHERE table_id = ? AND same_name = ? AND id != ? "
        "AND merged_into IS NULL",
        [table_id, name_key(name), player.id],
    ).fetchone()
    return Player(*row) if row else None


def rename(db: Database, player: Player, name: str) -> None:
    db.execute(
        "UPDATE players SET name = ?, same_name = ? WHERE id = ?",
        [name, name_key(name), player.id],
    )


def merge(db: Database, player: Player, into: Player, name: str) -> None:
    """Merge a player into another, who gets all games of both and the name `name`.

    Raises `BothPlayed` where both took part in one game, even in one that was removed.
    """
    if game_of_both(db, player, into):
        raise BothPlayed
    pair = [into.id, player.id]
    db.execute("UPDATE seats SET player_id = ? WHERE player_id = ?", pair)
    db.execute("UPDATE player_games SET player_id = ? WHERE player_id = ?", pair)
    _add_up(db, "player_totals", TOTALS, "player_id", pair)
    _add_up(db, "player_pairs", PAIRS, "player_id", pair)
    _add_up(db, "player_pairs", PAIRS, "other_id", pair)
    recount_streaks(db, into.id)
    db.execute("UPDATE players SET merged_into = ? WHERE merged_into = ?", pair)
    db.execute("UPDATE players SET merged_into = ? WHERE id = ?", pair)
    rename(db, into, name)


def game_of_both(db: Database, player: Player, other: Player) -> str | None:
    """Return when a game began in which both players took part, or None."""
    return scalar(
        db,
        "SELECT started FROM seats AS one JOIN seats AS two ON two.game_id = one.game_id "
        "JOIN games ON games.id = one.game_id "
        "WHERE one.player_id = ? AND two.player_id = ? LIMIT 1",
        [player.id, other.id],
    )


def _add_up(db: Database, table: str, names: tuple[str, ...], column: str, pair: list[int]) -> None:
    """Add the rows of one player to those of another, and delete them."""
    into, gone = pair
    at = names.index(column)
    rows = db.execute(
        f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ?", [gone]
    ).fetchall()
    db.execute(f"DELETE FROM {table} WHERE {column} = ?", [gone])
    db.conn.executemany(ADD[table], [(*row[:at], into, *row[at + 1 :]) for row in rows])
