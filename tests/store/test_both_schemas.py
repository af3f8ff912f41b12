"""Both databases have the same tables, columns and keys."""

from pathlib import Path

import pytest

from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.postgresql.connections import translated
from tests import postgresql

COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = current_schema AND table_name <> 'schema_version'
ORDER BY table_name, ordinal_position
"""
UNIQUE = """
SELECT relname, (SELECT attname FROM pg_attribute
    WHERE attrelid = indrelid AND attnum = indkey[0]) FROM pg_index JOIN pg_class ON oid = indrelid
WHERE indisunique AND relnamespace = current_schema::regnamespace AND relname <> 'schema_version'
"""


@pytest.mark.postgresql
def test_both_databases_have_the_same_columns_and_keys(
    postgresql_server: Path, tmp_path: Path
) -> None:
    with postgresql.schema(postgresql_server) as url:
        theirs = open_postgresql(url, tmp_path)
        found = theirs.db.execute(COLUMNS).fetchall()
        keys = theirs.db.execute(UNIQUE).fetchall()
        theirs.close()
    columns: dict[str, list[str]] = {}
    for table, column, _kind in found:
        columns.setdefault(table, []).append(column)
    with Store(tmp_path) as ours:
        names = ours.db.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE '%sqlite%' ORDER BY name"
        ).fetchall()
        assert columns == {
            name: [row[1] for row in ours.db.execute(f"PRAGMA table_info({name})").fetchall()]
            for (name,) in names
        }
    assert {key for table, key in keys if table != "tables"} == {"table_id"}
    numbers = {kind for _table, column, kind in found if column in ("round", "version")}
    assert numbers == {"bigint"}


@pytest.mark.parametrize(
    ("sql", "theirs"),
    [
        ("SELECT 1", "SELECT 1"),
        ("SELECT a FROM b WHERE c = ? AND d = ?", "SELECT a FROM b WHERE c = %s AND d = %s"),
        ("WHERE a = :table AND b > :seen", "WHERE a = %(table)s AND b > %(seen)s"),
        ("SELECT a % 2, b::json", "SELECT a %% 2, b::json"),
    ],
)
def test_parameters_are_those_of_the_driver(sql: str, theirs: str) -> None:
    assert translated(sql) == theirs
