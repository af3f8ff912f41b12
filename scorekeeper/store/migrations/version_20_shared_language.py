"""Version 20: a table has a language for what it shares."""

from scorekeeper.store.connection import AnyDatabase


def shared_language(db: AnyDatabase) -> None:
    """Add it; where a table has none, what it shares is in the language of whoever asks."""
    db.execute("ALTER TABLE tables ADD COLUMN language TEXT")
