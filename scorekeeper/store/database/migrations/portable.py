"""What a step may use that runs on both databases."""

from typing import Protocol


class AnyDatabase(Protocol):
    """A database that executes statements; PostgreSQL's translates them from those of SQLite."""

    def execute(self, sql: str, /) -> object: ...
