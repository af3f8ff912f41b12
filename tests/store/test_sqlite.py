"""The connection pool lends each connection to one thread at a time and keeps few open."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from scorekeeper.store.connection import StoreError, StoreUnavailable, sqlite3
from scorekeeper.store.sqlite import MAX_FREE, Pool, connect
from tests.web.play import Table

pytestmark = pytest.mark.sqlite


class Opened(list[Database]):
    """Connections to one file that were opened, the closed ones as well."""

    def __init__(self, path: Path):
        super().__init__()
        self._path = path

    def one_more(self) -> Database:
        self.append(connect(self._path))
        return self[-1]

    def still_open(self) -> int:
        return sum(map(is_open, self))


def is_open(db: Database) -> bool:
    try:
        db.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    path = tmp_path / "notes.db"
    path.touch()
    return Opened(path)


READ = {
    "all": lambda answer: answer.fetchall(),
    "one after the other": lambda answer: [answer.fetchone(), answer.fetchone()],
    "in a loop": list,
}


@pytest.mark.parametrize("read", READ.values(), ids=READ.keys())
def test_an_error_in_a_later_row_is_one_of_the_store(
    opened: Opened, read: Callable[[Any], list[Any]]
) -> None:
    values = "(1), (-9223372036854775808)"  # the second has no absolute value in 64 bits
    with closing(opened.one_more()) as db:
        answer = db.execute(f"SELECT abs(column1) FROM (VALUES {values})")
        with pytest.raises(StoreError, match="integer overflow"):
            read(answer)


def test_a_file_that_is_gone_is_not_created_anew(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        connect(tmp_path / "gone.db")
    assert not (tmp_path / "gone.db").exists()


@pytest.fixture
def pool(opened: Opened) -> Iterator[Pool]:
    pool = Pool(opened.one_more)
    with pool.borrow() as db:
        db.execute("CREATE TABLE notes (text)")
    yield pool
    pool.close()
    assert opened.still_open() == 0


def test_one_after_another_gets_the_same_connection(pool: Pool, opened: Opened) -> None:
    for _ in range(3):
        with pool.borrow():
            pass
    assert len(opened) == 1


def test_two_at_once_get_one_each(pool: Pool) -> None:
    with pool.borrow() as one, pool.borrow() as other:
        assert one is not other


def test_what_was_begun_and_not_committed_is_not_handed_on(pool: Pool) -> None:
    with pool.borrow() as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO notes VALUES ('half')")
    with pool.borrow() as same, pool.borrow() as other:
        assert same is db
        for each in (same, other):
            assert not each.conn.in_transaction
            assert each.execute("SELECT count(*) FROM notes").fetchone() == (0,)
        other.execute("BEGIN IMMEDIATE")


def test_a_connection_comes_back_when_its_block_fails(pool: Pool, opened: Opened) -> None:
    with pytest.raises(ZeroDivisionError), pool.borrow():
        raise ZeroDivisionError
    with pool.borrow():
        pass
    assert len(opened) == 1


def test_of_many_at_once_a_few_stay_open(pool: Pool, opened: Opened) -> None:
    with ExitStack() as all_at_once:
        for _ in range(MAX_FREE + 5):
            all_at_once.enter_context(pool.borrow())
        assert opened.still_open() == MAX_FREE + 5
    assert opened.still_open() == MAX_FREE


def test_a_broken_connection_is_not_lent_again(pool: Pool) -> None:
    with pool.borrow() as broken:
        broken.close()
    with pool.borrow() as db:
        assert db is not broken


def test_a_page_gives_its_connection_back(table: Table) -> None:
    store = table.store
    db = store.db
    store.release()
    with ThreadPoolExecutor(1) as server:
        assert server.submit(table.client.get, "/").result().status_code == 200
        assert store.db is db
