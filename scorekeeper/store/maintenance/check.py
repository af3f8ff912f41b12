"""Check of the database for damage and for edits by hand.

It finds damage to the file, games that cannot be read or do not follow from their journals, and
results that do not follow from their games. It does not find consistent edits, such as a whole game
deleted or another name.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.database.backup import open_to_read
from scorekeeper.store.database.batches import in_steps, snapshot
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError, errors_of_sqlite
from scorekeeper.store.database.pool import Connection, SQLiteDatabase
from scorekeeper.store.database.store import Store, StoreRefused
from scorekeeper.store.games import load_game
from scorekeeper.store.imports import unfinished
from scorekeeper.store.maintenance.integrity import (
    Fault,
    faults_of_file,
    faults_of_games,
)
from scorekeeper.store.opening import open_store
from scorekeeper.store.stats.result_rows import derive

GAMES_AT_A_TIME = 100


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
        in_steps(store, _derive(store.db, sorted(derived - wrong)))
        print(_("Results that didn’t match have been rebuilt."), file=out)
    for one in unfinished(store.db):
        print(one, file=out)
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
    last = ("", "")
    while True:
        with snapshot(db):
            query = (
                "SELECT * FROM games WHERE (table_id, id) > (?, ?) ORDER BY table_id, id LIMIT ?"
            )
            rows = list(db.query(query, [*last, GAMES_AT_A_TIME]))
            found = faults_of_games(db, rows)
        yield from found
        yield len(rows)
        if len(rows) < GAMES_AT_A_TIME:
            break
        last = (rows[-1]["table_id"], rows[-1]["id"])


def _reader(path: Path) -> SQLiteDatabase:
    with errors_of_sqlite():
        connection = open_to_read(path, Connection)
    # Damaged text must be reported, not end the check.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return SQLiteDatabase(connection)


def _derive(db: Database, game_ids: list[str]) -> Iterator[None]:
    for game_id in filter(None, game_ids):
        (table_id,) = db.execute("SELECT table_id FROM games WHERE id = ?", [game_id]).fetchone()
        db.lock_table(table_id)
        if game := load_game(db, table_id, game_id):
            derive(db, game)
        yield
