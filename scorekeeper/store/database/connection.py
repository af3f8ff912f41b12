"""What every connection to a database can do, whether to SQLite or to PostgreSQL.

Statements are written in the SQL that both understand: parameters are `?` or `:name`, rows are
replaced by `ON CONFLICT`, conditions are counted by `FILTER`, and booleans are not numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

Parameters = Sequence[Any] | Mapping[str, Any]
Statement = tuple[str, Sequence[Any]]  # with its parameters


class Cursor(Protocol):
    """The result of a statement: tuples of columns."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def close(self) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...


class Changes:
    """What the transaction of a connection has changed, which others are told after its commit."""

    def __init__(self) -> None:
        self.versions: dict[tuple[str, str], int] = {}  # by table and game
        self.ended_a_game = False


class Database(Protocol):
    """A connection to a database."""

    changes: Changes

    @property
    def in_transaction(self) -> bool: ...

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None: ...

    def execute_together(self, *statements: Statement) -> None:
        """Execute statements that write, of which none reads what another has written."""

    def query(self, sql: str, parameters: Any = None, /) -> Iterator[dict[str, Any]]: ...

    def begin_snapshot(self) -> None:
        """Begin a transaction whose statements all read the same state of the database."""

    def lock_table(self, table_id: str, /) -> None:
        """Wait until no other transaction writes to a table, in a transaction that will."""

    def lock_everything(self) -> None:
        """Wait until nobody else writes, in a transaction during which nobody else can."""

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Insert whole rows into an empty table."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...
