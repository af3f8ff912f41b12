"""Version 18: a table has a name, and phones the time when they were last seen.

A table also has the time before which invitations are void, as when a phone was removed.
"""

from scorekeeper.store.connection import AnyDatabase


def devices(db: AnyDatabase) -> None:
    """Add what the pages *Settings* and *Devices* show; nothing is known of the time before."""
    for column in ("name", "invites_since"):
        db.execute(f"ALTER TABLE tables ADD COLUMN {column} TEXT")
    db.execute("ALTER TABLE phones ADD COLUMN seen TEXT")
