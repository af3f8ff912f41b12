"""The players of a table: finding, renaming and merging them."""

from difflib import get_close_matches
from typing import NamedTuple

from scorekeeper.player_names import LONGEST, name_key
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rows import scalar

WHO_PLAYED = (
    "FROM players WHERE table_id = ? AND merged_into IS NULL AND EXISTS "
    "(SELECT 1 FROM player_games AS own "
    "WHERE own.table_id = players.table_id AND own.player_id = players.id)"
)
MOST_COMPARED = 500  # players, the newest: each takes some 0.05 ms to compare
# When games began in which two players took part; `player_games` has none that were removed.
GAMES_OF_BOTH = """
SELECT one.started FROM player_games AS one JOIN player_games AS two
    ON two.table_id = one.table_id AND two.game_id = one.game_id
WHERE one.table_id = :table AND one.player_id = :one AND two.player_id = :two
UNION ALL
SELECT started FROM games WHERE table_id = :table AND removed IS NOT NULL
    AND (SELECT count(DISTINCT player_id) FROM (
        SELECT player_id FROM seats WHERE seats.table_id = games.table_id AND game_id = games.id
        UNION ALL SELECT player_id FROM substitutes
        WHERE substitutes.table_id = games.table_id AND game_id = games.id
    ) AS seated WHERE player_id IN (:one, :two)) = 2
ORDER BY 1 LIMIT 1
"""


class Player(NamedTuple):
    """A player of a table."""

    id: int
    name: str


class BothPlayed(Exception):
    """Two players who took part in the same game cannot be merged."""


def find_player(db: Database, table_id: str, player_id: int) -> Player | None:
    """Return a player of a table, or None for one that is unknown or merged into another."""
    row = db.execute(
        "SELECT id, name FROM players WHERE table_id = ? AND id = ? AND merged_into IS NULL",
        [table_id, player_id],
    ).fetchone()
    return Player(*row) if row else None


def players_called(db: Database, table_id: str, text: str, most: int) -> list[Player]:
    """Return the player of this name, else those whose name contains the text."""
    wanted = name_key(text)
    if not wanted:
        return []
    known = f"SELECT id, name {WHO_PLAYED}"
    exact = db.execute(f"{known} AND same_name = ?", [table_id, wanted]).fetchall()
    rows = exact or db.execute(
        f"{known} AND instr(same_name, ?) > 0 ORDER BY same_name LIMIT ?", [table_id, wanted, most]
    )
    return [Player(*row) for row in rows]


def names_like(db: Database, table_id: str, text: str, most: int) -> list[str]:
    """Return the names of players that are spelt much like a text, the nearest first."""
    if len(text) > LONGEST:
        return []
    query = f"SELECT same_name, name {WHO_PLAYED} ORDER BY id DESC LIMIT {MOST_COMPARED}"
    names = dict(db.execute(query, [table_id]).fetchall())
    return [names[key] for key in get_close_matches(name_key(text), names, most)]


def player_now(db: Database, table_id: str, player_id: int) -> int:
    """Return the player into whom a player was merged, or else the player."""
    query = "SELECT merged_into FROM players WHERE table_id = ? AND id = ?"
    return scalar(db, query, [table_id, player_id]) or player_id


def namesake(db: Database, table_id: str, player: Player, name: str) -> Player | None:
    """Return another player of the table who has this name."""
    row = db.execute(
        "SELECT id, name FROM players WHERE table_id = ? AND same_name = ? AND id <> ? "
        "AND merged_into IS NULL",
        [table_id, name_key(name), player.id],
    ).fetchone()
    return Player(*row) if row else None


def rename(db: Database, table_id: str, player: Player, name: str) -> None:
    db.execute(
        "UPDATE players SET name = ?, same_name = ? WHERE table_id = ? AND id = ?",
        [name, name_key(name), table_id, player.id],
    )


def merge(db: Database, table_id: str, player: Player, into: Player, name: str) -> None:
    """Merge a player into another, who gets all games of both and the name `name`.

    Raises `BothPlayed` where both took part in one game, even in one that was removed.
    """
    if game_of_both(db, table_id, player, into):
        raise BothPlayed
    change = (into.id, table_id, player.id)
    db.execute("UPDATE player_games SET player_id = ? WHERE table_id = ? AND player_id = ?", change)
    for column in ("merged_into", "id"):
        db.execute(
            f"UPDATE players SET merged_into = ? WHERE table_id = ? AND {column} = ?", change
        )
    rename(db, table_id, into, name)


def game_of_both(db: Database, table_id: str, player: Player, other: Player) -> str | None:
    """Return when the first game began in which both players took part, or None."""
    both = {"table": table_id, "one": player.id, "two": other.id}
    found = db.execute(GAMES_OF_BOTH, both).fetchone()
    return found and str(found[0])
