"""Opening the store: a good file is used, a bad one is refused and stays as it is."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Migrations

from scorekeeper import __version__
from scorekeeper.rules.round import Round
from scorekeeper.store import migrations
from scorekeeper.store.database import Store, StoreRefused
from tests.store.play import Keeper

pytestmark = pytest.mark.sqlite

FILE = "scorekeeper.db"
NOBODY = 65534


@pytest.fixture
def used(data: Path) -> Path:
    """A folder in which a game was kept, its server gone."""
    store = Store(data)
    keeper = Keeper(store)
    keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 4, 0, 3)))
    store.backups.end()
    store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    return data


def reopened(folder: Path) -> list[str]:
    """Open a folder once more and return the games in it."""
    store = Store(folder)
    games = [row["id"] for row in store.db.query("SELECT id FROM games")]
    store.backups.end()
    store.close()
    return games


def in_sql(folder: Path, *statements: str) -> None:
    """Change a database behind the program's back."""
    connection = sqlite3.connect(folder / FILE)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_folder_is_used_again_with_everything_in_it(used: Path) -> None:
    assert len(reopened(used)) == 1
    assert len(reopened(used)) == 1


def test_the_store_is_as_safe_as_sqlite_can_be(store: Store) -> None:
    asked = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    found = {name: store.db.execute(f"PRAGMA {name}").fetchone()[0] for name in asked}
    assert found == asked
    assert store.db.execute("PRAGMA busy_timeout").fetchone()[0] == 5  # the rest waits outside


def test_a_failed_action_leaves_nothing_and_the_next_one_works(store: Store) -> None:
    def half_an_action() -> None:
        with store.write() as db:
            db.execute("INSERT INTO tables (id, made) VALUES ('x', 'now')")
            raise ZeroDivisionError

    keeper = Keeper(store)
    with pytest.raises(ZeroDivisionError):
        half_an_action()
    assert store.db.execute("SELECT count(*) FROM tables WHERE id = 'x'").fetchone() == (0,)
    assert keeper.begin().version == 1


def test_others_do_not_see_an_action_before_its_end(store: Store, data: Path) -> None:
    reader = sqlite3.connect(data / FILE)
    with store.write() as db:
        db.execute("INSERT INTO tables (id, made) VALUES ('x', 'now')")
        assert reader.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    assert reader.execute("SELECT count(*) FROM tables").fetchone() == (1,)
    reader.close()


# Files that are refused


def emptied(folder: Path) -> None:
    (folder / FILE).write_bytes(b"")


def missing(folder: Path) -> None:
    (folder / FILE).unlink()


def garbage(folder: Path) -> None:
    (folder / FILE).write_bytes(b"This is no database.\n" * 500)


def torn(folder: Path) -> None:
    whole = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(whole[: len(whole) // 3])


def overwritten(folder: Path) -> None:
    whole = bytearray((folder / FILE).read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    (folder / FILE).write_bytes(bytes(whole))


def newer(folder: Path) -> None:
    in_sql(folder, "PRAGMA user_version = 99")


def newer_in_another_mode(folder: Path) -> None:
    in_sql(folder, "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 99")


def a_folder(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / FILE).mkdir()


def without_tables(folder: Path) -> None:
    (folder / FILE).unlink()
    in_sql(folder, "CREATE TABLE notes (text)", "DROP TABLE notes")


def a_table_lost(folder: Path) -> None:
    in_sql(folder, "PRAGMA foreign_keys = OFF", "DROP VIEW bids")


REFUSED = {
    "emptied": (emptied, "is empty, but it used to contain games."),
    "missing": (missing, "is missing, but it used to contain games."),
    "garbage": (garbage, "is damaged."),
    "torn": (torn, "is damaged."),
    "overwritten": (overwritten, "is damaged."),
    "newer": (
        newer,
        f"is from a newer Scorekeeper (data version 99, Scorekeeper {__version__}; this one",
    ),
    "newer in another mode": (newer_in_another_mode, "is from a newer Scorekeeper"),
    "a folder": (a_folder, "Can’t write to"),
    "without tables": (without_tables, "but it used to"),
    "a table lost": (a_table_lost, "is damaged."),
}


def content(folder: Path) -> bytes | None:
    path = folder / FILE
    return path.read_bytes() if path.is_file() else None


@pytest.mark.parametrize(("spoil", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_file_is_refused_with_a_sentence_and_left_as_it_is(
    used: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    spoil(used)
    before = content(used)
    for _ in range(2):
        with pytest.raises(StoreRefused) as refused:
            Store(used)
        assert sentence in str(refused.value)
        assert FILE in str(refused.value)
        assert content(used) == before


def test_a_file_says_which_versions_have_opened_it(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = Migrations("scorekeeper versions")
    later(name="9.9.9")(lambda _db: None)
    monkeypatch.setattr(migrations, "programs", later)
    for _ in range(2):
        Store(used).close()
    in_sql(used, "PRAGMA user_version = 99")
    with pytest.raises(StoreRefused, match=r"data version 99, Scorekeeper 9\.9\.9; "):
        Store(used)
    with closing(sqlite3.connect(used / FILE)) as db:
        query = "SELECT name FROM _sqlite_migrations WHERE migration_set = 'scorekeeper versions'"
        assert db.execute(query).fetchall() == [(__version__,), ("9.9.9",)]


@pytest.mark.parametrize("spoil", [emptied, missing, garbage, torn], ids=lambda f: f.__name__)
def test_the_sentence_says_what_to_do(used: Path, spoil: Callable[[Path], None]) -> None:
    spoil(used)
    with pytest.raises(StoreRefused, match="Nothing was changed"):
        Store(used)


def test_a_copy_put_back_in_its_place_is_used(used: Path) -> None:
    copy = (used / FILE).read_bytes()
    emptied(used)
    with pytest.raises(StoreRefused):
        Store(used)
    (used / FILE).write_bytes(copy)
    assert len(reopened(used)) == 1


def test_an_empty_file_in_a_folder_never_used_is_a_new_one(data: Path) -> None:
    emptied(data)
    assert reopened(data) == []


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that another user can reach, if not write."""
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def powerless() -> Iterator[None]:
    """Nobody in particular, whom the rights of files and folders bind, unlike root."""
    if not hasattr(os, "geteuid"):
        pytest.skip("rights of files are a matter of POSIX")
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def read_only(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


@pytest.fixture
def used_elsewhere(elsewhere: Path) -> Path:
    reopened(elsewhere)
    read_only(elsewhere)
    return elsewhere


@pytest.fixture
def new_elsewhere(elsewhere: Path) -> Path:
    read_only(elsewhere)
    return elsewhere


@pytest.fixture
def closed_elsewhere(elsewhere: Path) -> Path:
    reopened(elsewhere)
    for path in elsewhere.iterdir():
        path.chmod(0o666)
    (elsewhere / FILE).chmod(0o444)
    elsewhere.chmod(0o777)
    return elsewhere


@pytest.mark.parametrize("folder", ["used_elsewhere", "new_elsewhere", "closed_elsewhere"])
def test_what_cannot_be_written_is_refused_with_a_sentence(
    folder: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(folder)
    before = content(path)
    request.getfixturevalue("powerless")
    with pytest.raises(StoreRefused) as refused:
        Store(path)
    assert str(path) in str(refused.value)
    assert content(path) == before
