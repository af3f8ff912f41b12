"""Check of the database for damage and for edits by hand.

It compares journals, facts and results with one another, and finds values that this program never
writes. It does not find consistent edits, such as a whole game deleted or another valid name.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.changes import newest_line
from scorekeeper.store.database.backup import open_to_read
from scorekeeper.store.database.batches import in_steps, snapshot
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError, errors_of_sqlite
from scorekeeper.store.database.pool import Connection, SQLiteDatabase
from scorekeeper.store.database.store import Store, StoreRefused
from scorekeeper.store.games import load_game
from scorekeeper.store.maintenance.integrity import (
    Fault,
    faults_of_file,
    faults_of_games,
    faults_of_totals,
    faults_outside_games,
)
from scorekeeper.store.opening import open_store
from scorekeeper.store.stats import totals_check
from scorekeeper.store.stats.players import EVERY_SEAT
from scorekeeper.store.stats.result_rows import derive

GAMES_AT_A_TIME = 100
MAX_ATTEMPTS = 5


def check(folder: Path, out: TextIO, *, rebuild: bool = False) -> int:
    """Check every game, print a line for each fault, and return the exit status.

    With `rebuild`, results that do not follow from the facts are derived again. The status is 1
    where a fault remains, or the database cannot be used.
    """
    try:
        with open_store(folder) as store:
            return _check(store, out, rebuild=rebuild)
    except StoreRefused as refused:
        print(refused, file=out)
        return 1


def _check(store: Store, out: TextIO, *, rebuild: bool) -> int:
    games = 0
    wrong: set[str] = set()
    derived: set[str] = set()
    for fault in store_faults(store):
        if isinstance(fault, int):
            games += fault
            continue
        print(fault, file=out)
        (derived if fault.derived else wrong).add(fault.game_id)
    sentence = ngettext(
        "Checked {n} game, {wrong} with errors.", "Checked {n} games, {wrong} with errors.", games
    )
    print(sentence.format(n=games, wrong=len((wrong | derived) - {""})), file=out)
    if derived and rebuild:
        _rebuild(store, sorted(derived - wrong))
        print(_("Results that didn’t match have been rebuilt."), file=out)
    if not (wrong or derived):
        sentence = _(
            "No damage or manual edits found. Note that anyone who can write to the file can "
            "also hide an edit."
        )
        print(sentence, file=out)
    return 1 if wrong or (derived and not rebuild) else 0


def faults(store: Store) -> Iterator[Fault]:
    """Yield the faults of a database."""
    return (fault for fault in store_faults(store) if isinstance(fault, Fault))


def faults_of_path(path: Path) -> Iterator[Fault]:
    """Yield the faults of the database in a file."""
    db = _reader(path)
    try:
        found = chain(_damage(faults_of_file(db)), _every_fault(db))
        yield from (fault for fault in found if isinstance(fault, Fault))
    finally:
        db.close()


def store_faults(store: Store) -> Iterator[Fault | int]:
    """Yield the faults of a database and, as numbers, how many games were read since the last.

    Each batch of games is read in one transaction, so that others can write meanwhile.
    """
    if not store.is_file:
        with store.borrow() as db:
            yield from _every_fault(db)
        return
    reader = _reader(store.path)
    try:
        yield from _damage(faults_of_file(reader))
        yield from _every_fault(reader)
    finally:
        reader.close()


def _damage(found: Iterator[Fault | int]) -> Iterator[Fault | int]:
    """Yield faults; an error while they are looked for is one too."""
    try:
        yield from found
    except (StoreError, ValueError, LookupError) as error:
        sentence = _("The file is damaged: {what}").format(what=error)
        yield Fault("", None, sentence)


def _every_fault(db: Database) -> Iterator[Fault | int]:
    return _damage(_faults_of_rows(db))


def _faults_of_rows(db: Database) -> Iterator[Fault | int]:
    yield from faults_outside_games(db)
    last = ("", "")
    while True:
        with snapshot(db):
            query = (
                "SELECT * FROM games WHERE (table_id, id) > (?, ?) AND import_id IS NULL "
                "ORDER BY table_id, id LIMIT ?"
            )
            rows = list(db.query(query, [*last, GAMES_AT_A_TIME]))
            found = faults_of_games(db, rows)
        yield from found
        yield len(rows)
        if len(rows) < GAMES_AT_A_TIME:
            break
        last = (rows[-1]["table_id"], rows[-1]["id"])
    yield from faults_of_totals(db)


def _reader(path: Path) -> SQLiteDatabase:
    with errors_of_sqlite():
        connection = open_to_read(path, Connection)
    # Damaged text must be reported, not end the check.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return SQLiteDatabase(connection)


def _rebuild(store: Store, game_ids: list[str]) -> None:
    in_steps(store, _derive(store.db, game_ids))
    if not store.is_file:
        with store.write() as db:
            db.lock_everything()
            totals_check.rebuild(db)
        return
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with snapshot(store.db):
            line = newest_line(store.db)
            totals_check.count(store.db)
            players = totals_check.mismatched_players(store.db)
        if not players:
            break
        if attempt < MAX_ATTEMPTS:
            in_steps(store, _put_right(store.db, players, line))
        else:  # games change faster than they are counted, so writers wait for once
            with store.write() as db:
                totals_check.rebuild(db)
    totals_check.forget(store.db)


def _derive(db: Database, game_ids: list[str]) -> Iterator[None]:
    for game_id in filter(None, game_ids):
        (table_id,) = db.execute("SELECT table_id FROM games WHERE id = ?", [game_id]).fetchone()
        db.lock_table(table_id)
        if game := load_game(db, table_id, game_id):
            derive(db, game)
        yield


def _put_right(db: Database, players: list[tuple[str, int]], line: int) -> Iterator[None]:
    """Replace the totals of players whose games have not changed since they were counted.

    The transaction may be committed wherever it yields.
    """
    for player in players:
        db.lock_table(player[0])
        changed = db.execute(
            # The coalesce keeps SQLite from reading the journal in the order of its index by game.
            f"SELECT 1 FROM changes CROSS JOIN {EVERY_SEAT} AS taken "
            "ON taken.table_id = changes.table_id AND taken.game_id = changes.game_id "
            "WHERE sequence > ? AND coalesce(taken.table_id, '') = ? AND player_id = ? LIMIT 1",
            [line, *player],
        ).fetchone()
        if changed is None:
            totals_check.replace(db, player)
        yield
