"""Reading single values from the database."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.store.database.connection import Database


def scalar(db: Database, query: str, values: Sequence[object] = ()) -> Any | None:
    """Return the first column of the first row that a query finds, or None where it finds none."""
    row = db.execute(query, values).fetchone()
    return row[0] if row else None
