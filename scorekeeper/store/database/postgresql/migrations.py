"""Migrations of the schema on PostgreSQL: the same steps as with SQLite, in one transaction."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from scorekeeper.store.database.migrations import PORTABLE, SCHEMA_VERSION
from scorekeeper.store.database.migrations.version_8_game_rows import game_rows_on_postgresql
from scorekeeper.store.database.postgresql.database import translated
from scorekeeper.store.database.postgresql.read_timeout import Connection
from scorekeeper.store.database.postgresql.schema import FIRST_VERSION, SCHEMA

STARTING = 7291001  # advisory lock while the schema is made or migrated
# How PostgreSQL says what SQLite says otherwise, as patterns and their replacements.
WORDS = {
    r"\bTEXT\b": 'TEXT COLLATE "C"',
    r"\bINTEGER\b": "BIGINT",
    r"\bjson_valid\((\w+)\)": r"\1::json IS NOT NULL",
    r"\) STRICT\b(, WITHOUT ROWID)?": ")",
}
STEPS = {**PORTABLE, 8: game_rows_on_postgresql}  # by the version that they lead to


class Translator:
    """A database that gets each statement of SQLite in the words of PostgreSQL."""

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Any:
        for pattern, words in WORDS.items():
            sql = re.sub(pattern, words, sql)
        return self._execute(translated(sql), parameters) if parameters else self._execute(sql)


def migrate(connection: Connection) -> int:
    """Bring a database, which may be empty, up to this version of the schema.

    Returns the version that it has then: another one where the database is of a newer program, or
    older than the first version on PostgreSQL, and nothing was changed.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [STARTING])
        version = _version(connection)
        if not FIRST_VERSION <= version < SCHEMA_VERSION:
            return version
        connection.read_timeout = None  # a step may take long
        for number in range(version + 1, SCHEMA_VERSION + 1):
            STEPS[number](Translator(connection.execute))
        connection.execute("UPDATE schema_version SET version = %s", [SCHEMA_VERSION])
        return SCHEMA_VERSION


def _version(connection: Connection) -> int:
    """Return the version of the schema, which is made where there is none."""
    found = connection.execute("SELECT to_regclass('schema_version')").fetchone()
    if found is None or found[0] is None:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO schema_version VALUES (%s)", [FIRST_VERSION])
        return FIRST_VERSION
    row = connection.execute("SELECT version FROM schema_version").fetchone()
    return int(row[0]) if row else 0
