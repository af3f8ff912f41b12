"""Changes of games that any process has committed, as events for the phones that follow."""

import json
import time
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

from scorekeeper.store.changes import REMOVALS, newest_line
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.games import revision_of
from scorekeeper.store.players import with_names

LOOK = 0.02  # seconds between two polls, each of which takes some microseconds
GameKey = tuple[str, str]  # of a game: its table and its id


def watch_commits(store: Store) -> "Commits":
    """Return what detects changes from now on; the thread that uses it opens it."""
    if store.is_file:
        return PolledCommits(store)
    from scorekeeper.store.postgresql.store import Notices, PostgresStore

    assert isinstance(store, PostgresStore)
    return Notices(store)


class Commits(Protocol):
    """Detection of changes, with a connection to read them."""

    @property
    def db(self) -> Database: ...

    def changed_games(self) -> list[tuple[GameKey, int]] | None:
        """Wait for some time, and return the games that changed, with their versions before.

        None means that only something else has changed, as when a phone is removed.
        """

    def close(self) -> None: ...


class PolledCommits:
    """Detection of changes in SQLite.

    The connection never writes, as `PRAGMA data_version` does not count its own commits.
    """

    def __init__(self, store: Store):
        self.db = store.open_connection()
        try:
            self.db.execute("PRAGMA query_only = ON")
            self._newest = newest_line(self.db)
        except BaseException:
            self.db.close()
            raise
        self._seen: int | None = None

    def changed_games(self) -> list[tuple[GameKey, int]] | None:
        time.sleep(LOOK)
        seen = self.db.execute("PRAGMA data_version").fetchone()[0]
        if seen == self._seen:
            return []
        rows = self.db.execute(
            "SELECT table_id, game_id, min(version) - 1, max(sequence) FROM changes "
            "WHERE sequence > ? GROUP BY table_id, game_id",
            [self._newest],
        ).fetchall()
        self._seen = seen
        self._newest = max([self._newest, *(int(row[3]) for row in rows)])
        return [(row[:2], row[2]) for row in rows] or None

    def close(self) -> None:
        """Close the connection."""
        self.db.close()


MOST_MISSED = 20  # changes; a phone that has missed more fetches the game
LINES = """
SELECT version, hash, round, after, kind, head, at, coalesce(changes.label, phones.label)
FROM changes LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id
WHERE changes.table_id = ? AND game_id = ? AND version >= ? ORDER BY version LIMIT ?
"""


class ChangeEvent(NamedTuple):
    """A change of a game as JSON: the new facts of a round, or only the revision."""

    version: int
    content: str
    removes: bool = False  # the game


def events_since(
    db: Database, table_id: str, game_id: str, seen: int, hash_: str = ""
) -> list[ChangeEvent]:
    """Return the changes of a game after a version whose hash begins with `hash_`, oldest first.

    Where they are more than `MOST_MISSED`, or that version is not in the journal, only the newest
    revision is told.
    """
    game = [table_id, game_id]
    rows = db.execute(LINES, [*game, seen, MOST_MISSED + 2]).fetchall()
    first, *lines = rows or [(None, "")]
    if first[0] != seen or not first[1].startswith(hash_) or len(lines) > MOST_MISSED:
        newest = db.execute(
            "SELECT version, hash FROM changes WHERE table_id = ? AND game_id = ? "
            "ORDER BY version DESC LIMIT 1",
            game,
        ).fetchone()
        return [_event(newest[0], revision=revision_of(*newest))] if newest else []
    before = [revision_of(*line[:2]) for line in (first, *lines)]
    named = [(*line[:3], with_names(db, table_id, line[3]), *line[4:]) for line in lines]
    return [_of_line(line, after) for line, after in zip(named, before, strict=False)]


def newest_versions(db: Database, games: Sequence[GameKey]) -> dict[GameKey, int]:
    """Return the versions of games, by table and id, but for those that were removed."""
    keys = ", ".join(["(?, ?)"] * len(games))
    rows = db.execute(
        f"WITH followed (table_id, id) AS (VALUES {keys}) "
        "SELECT games.table_id, games.id, version FROM followed CROSS JOIN games "
        "WHERE games.table_id = followed.table_id AND games.id = followed.id AND removed IS NULL",
        [*chain.from_iterable(games)],
    )
    return {(table_id, game_id): version for table_id, game_id, version in rows}


def newest_claims(db: Database, games: Sequence[GameKey]) -> dict[GameKey, list[Any]]:
    """Return what changes with each claim of a seat and each conflict in a game, without a line.

    That is the number of the newest claim, how many conflicts there are, and when the newest began.
    """
    keys = ", ".join(["(?, ?)"] * len(games))
    rows = db.execute(
        f"WITH followed (table_id, id) AS (VALUES {keys}) "
        "SELECT followed.table_id, followed.id, "
        "(SELECT max(number) FROM claims WHERE claims.table_id = followed.table_id "
        "AND claims.game_id = followed.id), count(at), max(at) FROM followed "
        "LEFT JOIN conflicts ON conflicts.table_id = followed.table_id AND game_id = followed.id "
        "GROUP BY followed.table_id, followed.id",
        [*chain.from_iterable(games)],
    )
    return {(table_id, game_id): newest for table_id, game_id, *newest in rows}


def newest_acts(db: Database, table_id: str) -> int:
    """Return a number that is another one once an evening of a table has changed."""
    query = "SELECT sum(version) FROM club_nights WHERE table_id = ?"
    return int(db.execute(query, [table_id]).fetchone()[0] or 0)


def allowed_followers(db: Database, followers: Collection[str]) -> set[str]:
    """Return which of those who follow games still may: ids of phones, and hashes of keys."""
    if not followers:
        return set()
    rows = db.execute(
        f"WITH followers (who) AS (VALUES {', '.join(['(?)'] * len(followers))}) "
        "SELECT who FROM followers "
        "WHERE EXISTS (SELECT 1 FROM phones WHERE id = who AND removed IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM club_keepers AS keeper "
        "WHERE keeper.table_id = phones.table_id AND phone_id = who AND NOT EXISTS ("
        "SELECT 1 FROM club_matches AS played WHERE played.table_id = keeper.table_id "
        "AND played.night_id = keeper.night_id AND played.number = keeper.number "
        "AND state = 'running'))) "
        "OR EXISTS (SELECT 1 FROM watch_links WHERE hash = who AND ended IS NULL) "
        "OR EXISTS (SELECT 1 FROM keys WHERE hash = who AND ended IS NULL)",
        [*followers],
    )
    return {who for (who,) in rows}


def _of_line(line: tuple[Any, ...], based_on: str) -> ChangeEvent:
    """Return what a line tells that follows the revision `based_on`."""
    version, hash_, number, after, kind, head, at, phone = line
    revision = revision_of(version, hash_)
    if number is None:  # of the rules, or a removal
        event = _event(version, revision=revision)
        return event._replace(removes=REMOVALS.get(kind, False))
    facts = after and {"bids": None, "tricks": None, "tally": None, **json.loads(after)}
    return _event(
        version,
        revision=revision,
        after=based_on,
        round=number,
        facts=facts,
        kind=kind,
        line=head if head > 1 else None,  # the first line cannot be undone
        at=at,
        phone=phone,
    )


def _event(version: int, **content: Any) -> ChangeEvent:
    return ChangeEvent(version, json.dumps(content, separators=(",", ":")))
