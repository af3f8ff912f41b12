"""What a step may use that runs on both databases."""

from collections.abc import Sequence
from typing import Any, Protocol


class AnyDatabase(Protocol):
    """A database that executes statements; PostgreSQL's translates them from those of SQLite."""

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Any: ...
