"""The players of a table: their ids and faces, finding, renaming and merging them.

A player keeps the id when renamed, and refers to another one when merged, so the journal never
has to change.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple, Self

from scorekeeper.free_text import LONGEST, name_key, spelling_key
from scorekeeper.rules.faces import Face, free_face
from scorekeeper.rules.round import Round
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.games import MEMBER


def find_player_id(db: Database, table_id: str, name: str, *, exact: bool = False) -> int | None:
    """Return the player of this name at a table, or None.

    Of several whose names only a keyboard tells apart it is the one who is spelt so, else the
    first; with `exact` no other one.
    """
    found = _players_named(db, table_id, name)
    spelling = spelling_key(name)
    spelt_so = (player_id for player_id, known in found if spelling_key(known) == spelling)
    others = () if exact else (player_id for player_id, _known in found)
    return next(chain(spelt_so, others), None)


def _players_named(db: Database, table_id: str, name: str) -> list[tuple[int, str]]:
    """Return the ids and names of the players with the key of a name, the first one first."""
    return db.execute(
        "SELECT id, name FROM players WHERE table_id = ? AND same_name = ? "
        "AND merged_into IS NULL ORDER BY id",
        [table_id, name_key(name)],
    ).fetchall()


def player_of_name(
    db: Database, table_id: str, name: str, face: Face | None = None, *, exact: bool = False
) -> int:
    """Return the player of this name at a table, inserted where there is none.

    A new player gets this face where nobody has it, else the next that is free. `exact` is as in
    `find_player_id`.
    """
    found = find_player_id(db, table_id, name, exact=exact)
    if found is not None:
        return found
    taken = faces_taken(db, table_id)
    if face is None or face in taken:
        face = free_face(taken)
    inserted = db.execute(
        "INSERT INTO players (table_id, id, name, same_name, shape, color) "
        "SELECT ?, coalesce(max(id), 0) + 1, ?, ?, ?, ? FROM players WHERE table_id = ? "
        "RETURNING id",
        [table_id, name, name_key(name), *face, table_id],
    )
    return int(inserted.fetchone()[0])


def faces_taken(db: Database, table_id: str) -> dict[Face, int]:
    """Return the faces of a table's players, and how many have each."""
    rows = db.execute(
        "SELECT shape, color, count(*) FROM players WHERE table_id = ? AND merged_into IS NULL "
        "GROUP BY shape, color",
        [table_id],
    )
    return {Face(shape, color): count for shape, color, count in rows.fetchall()}


def next_faces(db: Database, table_id: str, count: int) -> list[Face]:
    """Return the faces that the next so many new players of a table get, one after the other."""
    taken = Counter(faces_taken(db, table_id))
    found = []
    for _ in range(count):
        found.append(free_face(taken))
        taken[found[-1]] += 1
    return found


def faces_of(db: Database, table_id: str, names: Sequence[str]) -> dict[str, Face]:
    """Return the faces of the players of these names, in their order."""
    places = ", ".join("?" * len(names))
    rows = db.execute(
        "SELECT name, shape, color FROM players WHERE table_id = ? AND merged_into IS NULL "
        f"AND name IN ({places})",
        [table_id, *names],
    )
    found = {name: Face(shape, color) for name, shape, color in rows.fetchall()}
    return {name: found[name] for name in names if name in found}


def first_spelling(db: Database, table_id: str, name: str) -> str:
    """Return a name as the table spells it, or as it is for a player whom it does not know."""
    known = find_player_id(db, table_id, name)
    return name if known is None else name_of(db, table_id, known)


def with_known_names(db: Database, table_id: str, round_: Round) -> Round:
    """Return a round whose new players are spelt as the table spells them."""
    seats = [
        one._replace(player=one.player and first_spelling(db, table_id, one.player))
        for one in round_.notes.substitutes
    ]
    return round_.noted(substitutes=tuple(seats)) if seats else round_


def name_of(db: Database, table_id: str, player_id: int) -> str:
    """Return the name of a player, or of the one into whom the player was merged."""
    query = (
        "SELECT coalesce(other.name, players.name) FROM players LEFT JOIN players AS other "
        "ON other.table_id = players.table_id AND other.id = players.merged_into "
        "WHERE players.table_id = ? AND players.id = ?"
    )
    return str(scalar(db, query, [table_id, player_id]))


def with_ids(facts: str | None, player_id: Callable[[str], int]) -> str | None:
    """Return the facts of a round with its players by id, as the journal keeps them."""
    return _with_players(facts, player_id)


def with_names(db: Database, table_id: str, facts: str | None) -> str | None:
    """Return the facts of a round that are in the journal with its players by name."""
    return _with_players(facts, lambda player_id: name_of(db, table_id, player_id))


def _with_players(facts: str | None, convert: Callable[[Any], Any]) -> str | None:
    if facts is None or MEMBER not in facts:
        return facts
    members = json.loads(facts)
    for one in members[MEMBER]:
        one["player"] = one["player"] and convert(one["player"])  # None leaves a seat
    return json.dumps(members)


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


PLAYER = "id, name, shape, color"  # the columns of a `Player`


class Player(NamedTuple):
    """A player of a table."""

    id: int
    name: str
    face: Face

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """Return a player from the columns `PLAYER`."""
        player_id, name, *face = row
        return cls(player_id, name, Face(*face))


class BothPlayed(Exception):
    """Two players who took part in the same game cannot be merged."""


def find_player(db: Database, table_id: str, player_id: int) -> Player | None:
    """Return a player of a table, or None for one that is unknown or merged into another."""
    row = db.execute(
        f"SELECT {PLAYER} FROM players WHERE table_id = ? AND id = ? AND merged_into IS NULL",
        [table_id, player_id],
    ).fetchone()
    return Player.of_row(row) if row else None


def players_called(db: Database, table_id: str, text: str, most: int) -> list[Player]:
    """Return the player of this name, else those whose name contains the text."""
    wanted = name_key(text)
    if not wanted:
        return []
    known = f"SELECT {PLAYER} {WHO_PLAYED}"
    exact = db.execute(f"{known} AND same_name = ?", [table_id, wanted]).fetchall()
    rows = exact or db.execute(
        f"{known} AND instr(same_name, ?) > 0 ORDER BY same_name LIMIT ?", [table_id, wanted, most]
    )
    return [*map(Player.of_row, rows)]


def newest_players(db: Database, table_id: str, most: int) -> list[Player]:
    """Return the players who came to the table last, by name."""
    query = f"SELECT {PLAYER} {WHO_PLAYED} ORDER BY id DESC LIMIT ?"
    found = map(Player.of_row, db.execute(query, [table_id, most]).fetchall())
    return sorted(found, key=lambda one: name_key(one.name))


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
    """Return another player of the table who has this name, unless it is that of the player."""
    if spelling_key(name) == spelling_key(player.name):
        return None
    found = find_player_id(db, table_id, name)
    others = (n for n, _name in _players_named(db, table_id, name) if n != player.id)
    other = next(others, None) if found == player.id else found
    return None if other is None else find_player(db, table_id, other)


MOST_TWINS = 20  # pairs that are looked at
TWINS = f"""
SELECT {PLAYER}, same_name FROM players WHERE table_id = :table AND merged_into IS NULL
    AND same_name IN (
        SELECT same_name FROM players WHERE table_id = :table AND merged_into IS NULL
        GROUP BY same_name HAVING count(*) > 1
    )
ORDER BY same_name, id LIMIT {MOST_TWINS}
"""


def twins(db: Database, table_id: str) -> list[tuple[Player, Player]]:
    """Return players whose names only a keyboard tells apart, each with the first of that name.

    Those who played in one game are two people and left out.
    """
    rows = db.execute(TWINS, {"table": table_id}).fetchall()
    groups = (
        [Player.of_row(row[:-1]) for row in alike] for _key, alike in groupby(rows, itemgetter(-1))
    )
    pairs = ((later, first) for first, *others in groups for later in others)
    return [pair for pair in pairs if not game_of_both(db, table_id, *pair)]


def rename(db: Database, table_id: str, player: Player, name: str) -> None:
    db.execute(
        "UPDATE players SET name = ?, same_name = ? WHERE table_id = ? AND id = ?",
        [name, name_key(name), table_id, player.id],
    )


def give_face(db: Database, table_id: str, player: Player, face: Face) -> None:
    """Give a player another face, which others may have too."""
    db.execute(
        "UPDATE players SET shape = ?, color = ? WHERE table_id = ? AND id = ?",
        [*face, table_id, player.id],
    )


def merge(db: Database, table_id: str, player: Player, into: Player, name: str) -> None:
    """Merge a player into another, who gets all games of both and the name `name`.

    The face is that of the one with more games, or the other's where they have equally many.

    Raises `BothPlayed` where both took part in one game, even in one that was removed.
    """
    if game_of_both(db, table_id, player, into):
        raise BothPlayed
    count = "SELECT count(*) FROM player_games WHERE table_id = ? AND player_id = ?"
    games, theirs = (int(scalar(db, count, [table_id, one.id]) or 0) for one in (player, into))
    if games > theirs:
        give_face(db, table_id, into, player.face)
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
