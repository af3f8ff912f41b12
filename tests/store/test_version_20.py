"""Databases of version 19 and older: tables get room for the language of what they share."""

from pathlib import Path

from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_store
from scorekeeper.store.phones import language_of_table, set_language_of_table
from tests.store.play import Keeper, everything
from tests.store.test_older_versions import make
from tests.store.test_version_14 import rows_then


def test_a_language_can_be_stored(tmp_path: Path, data: Path, database: str) -> None:
    (tmp_path / "before").mkdir()
    with Store(tmp_path / "before") as store:
        table_id = Keeper(store).table_id
        rows = everything(store.db)
        make(data, database, 13, rows_then(store, 13))
    with open_store(data) as store:
        assert everything(store.db)["tables"] == rows["tables"]
        assert language_of_table(store.db, table_id) == ""
        for chosen in ("hi", ""):
            with store.write() as db:
                set_language_of_table(db, table_id, chosen)
            assert language_of_table(store.db, table_id) == chosen
        assert [*faults(store)] == []
