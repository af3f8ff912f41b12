"""On PostgreSQL, statements that could not be executed are executed by the next transaction."""

from contextlib import suppress

import pytest

from scorekeeper.store.connection import StoreError
from scorekeeper.store.database import Store

ON_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgresql)
FAILS = (0, 6)  # before any statement is prepared, and when this one would be


@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_a_statement_that_was_not_prepared_after_a_failed_one_is_later(store: Store) -> None:
    for number in range(10):
        if number in FAILS:
            with suppress(StoreError), store.write() as db:
                db.execute("SELECT 1 / 0")
                db.execute("SELECT ?::text", ["Ana"])
        else:
            with store.write() as db:
                assert db.execute("SELECT ?::text", ["Ana"]).fetchone() == ("Ana",)
