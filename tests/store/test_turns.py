"""Writers of one table on PostgreSQL wait in a line of their own."""

import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scorekeeper.store.connection import StoreBusy
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.postgresql.connections import MAX_CONNECTIONS, connect
from tests import postgresql
from tests.store.play import Keeper

pytestmark = [pytest.mark.postgresql]


def test_a_locked_table_takes_no_connections_from_others(
    postgresql_server: Path, tmp_path: Path
) -> None:
    with (
        postgresql.schema(postgresql_server) as url,
        open_postgresql(url, tmp_path, waits_long=True) as store,
        closing(connect(url)) as foreign,
    ):
        locked, other = Keeper(store), Keeper(store)
        store.release()

        def tap() -> None:
            store.db.execute("SELECT 1")  # as a request that looks for its phone first
            with suppress(StoreBusy), store.write(locked.table_id):
                pass
            store.release()

        taps = [threading.Thread(target=tap) for _ in range(3 * MAX_CONNECTIONS)]
        with foreign.transaction():
            lock = "SELECT 1 FROM tables WHERE id = %s FOR UPDATE"
            foreign.execute(lock, [locked.table_id])
            for thread in taps:
                thread.start()
            while store.writers_waiting < MAX_CONNECTIONS:
                time.sleep(0.01)
            other.begin()  # though nobody of the other table was done
        for thread in taps:
            thread.join()
