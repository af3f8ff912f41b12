"""Version 9: a table has a time zone, in which it exports days."""

from scorekeeper.store.database.migrations.portable import AnyDatabase


def zones_of_tables(db: AnyDatabase) -> None:
    """Add the name of a table's zone, which it has once a phone told it."""
    db.execute("ALTER TABLE tables ADD COLUMN zone TEXT")
