"""Databases of version 17 and older: tables get room for a name, phones for when they were seen."""

from pathlib import Path

from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_store
from scorekeeper.store.phones import name_of_table, name_table
from scorekeeper.store.tables import find_phone
from tests.store.play import Keeper, everything
from tests.store.test_older_versions import make
from tests.store.test_version_14 import rows_then


def test_names_and_times_can_be_stored(tmp_path: Path, data: Path, database: str) -> None:
    (tmp_path / "before").mkdir()
    with Store(tmp_path / "before") as store:
        keeper = Keeper(store)
        rows = everything(store.db)
        make(data, database, 13, rows_then(store, 13))
    with open_store(data) as store:
        assert everything(store.db)["tables"] == rows["tables"]
        phone = find_phone(store.db, keeper.phone.id)
        assert phone is not None
        assert phone.seen == rows["phones"][0][3], "as long ago as it joined"
        assert name_of_table(store.db, phone.table_id) == ""
        with store.write() as db:
            name_table(db, phone.table_id, "Friday table")
        renamed = find_phone(store.db, keeper.phone.id)
        assert renamed is not None
        assert renamed.table_name == "Friday table"
        assert [*faults(store)] == []
