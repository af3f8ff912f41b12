"""A trial write tells why PostgreSQL takes no changes; a look at its state would not."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from scorekeeper.store.database import storage_problem
from scorekeeper.store.opening import open_postgresql
from tests import postgresql

pytestmark = pytest.mark.postgresql
ROLE = "players"


@pytest.fixture
def url(postgresql_server: Path, tmp_path: Path) -> Iterator[str]:
    """A database with all tables, in which a role may do all that the program does."""
    with postgresql.schema(postgresql_server) as url:
        with open_postgresql(url, tmp_path) as store:
            schema = store.db.execute("SELECT current_schema").fetchone()[0]
            store.db.execute(f"CREATE ROLE {ROLE}")
            store.db.execute(f"GRANT USAGE ON SCHEMA {schema} TO {ROLE}")
            tables = f"ALL TABLES IN SCHEMA {schema}"
            store.db.execute(f"GRANT SELECT, INSERT, UPDATE ON {tables} TO {ROLE}")
        yield url
        with open_postgresql(url, tmp_path) as store:
            store.db.execute(f"DROP OWNED BY {ROLE}")
            store.db.execute(f"DROP ROLE {ROLE}")


def problem(url: str, folder: Path, setting: str = f"role={ROLE}") -> str:
    """Return what is told to a server whose connections have a setting."""
    with open_postgresql(url + quote(f" -c {setting}"), folder) as store:
        return storage_problem(store)


def test_a_database_that_takes_changes_has_none(url: str, tmp_path: Path) -> None:
    assert problem(url, tmp_path) == ""
    with open_postgresql(url, tmp_path) as store:
        assert store.db.execute("SELECT count(*) FROM tables").fetchone() == (0,)


def test_transactions_that_are_read_only_by_default_are_told(url: str, tmp_path: Path) -> None:
    assert "read-only transaction" in problem(url, tmp_path, "default_transaction_read_only=on")


@pytest.mark.parametrize("right", ["INSERT ON changes", "INSERT ON tables", "UPDATE ON games"])
def test_a_right_that_was_revoked_is_told(url: str, tmp_path: Path, right: str) -> None:
    with open_postgresql(url, tmp_path) as store:
        store.db.execute(f"REVOKE {right} FROM {ROLE}")
    assert f"permission denied for table {right.split()[-1]}" in problem(url, tmp_path)


def test_a_table_that_is_locked_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.store.database.PATIENCE", 0.01)
    with open_postgresql(url, tmp_path) as other, other.write() as locking:
        locking.lock_everything()
        assert "lock timeout" in problem(url, tmp_path)
