"""Version 16: tables and columns have the names that others use for them.

Phones claim seats, and a game has watch links. A line of the journal names the change in force
after it, the head, and the one that it was made on, its parent, as version control does; exported
files keep the names that they have for both.
"""

from scorekeeper.store.connection import AnyDatabase


def usual_names(db: AnyDatabase) -> None:
    """Bring a database up to this version."""
    db.execute("ALTER TABLE changes RENAME COLUMN stands TO head")
    db.execute("ALTER TABLE changes RENAME COLUMN follows TO parent")
    db.execute("ALTER TABLE takers RENAME TO claims")
    db.execute("DROP INDEX watches_by_hash")
    db.execute("ALTER TABLE watches RENAME TO watch_links")
    db.execute("CREATE INDEX watch_links_by_hash ON watch_links (hash)")
