"""Version 15: imports of a page are logged, so that they can be undone; uploads wait for theirs."""

from scorekeeper.store.connection import AnyDatabase


def imports(db: AnyDatabase) -> None:
    """Add the tables, the same on both databases."""
    for statement in (UPLOADS, UPLOADS_BY_AGE, IMPORTS, IMPORTED):
        db.execute(statement)


# The file of a preview, compressed and in Base64; it goes once it is imported, or after an hour.
UPLOADS = """
CREATE TABLE uploads (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (table_id, id)
) STRICT
"""
UPLOADS_BY_AGE = "CREATE INDEX uploads_by_age ON uploads (at)"

# `touched` is when its last step was done, `counts` how many games of the file there were of each
# kind, once it is done, as JSON.
IMPORTS = """
CREATE TABLE imports (
    table_id TEXT NOT NULL REFERENCES tables(id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    touched TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'undoing', 'undone')),
    games INTEGER NOT NULL,
    counts TEXT NOT NULL CHECK (json_valid(counts)),
    PRIMARY KEY (table_id, id)
) STRICT
"""

# The games that an import has added, each with its version then and the players who were new, as
# JSON.
IMPORTED = """
CREATE TABLE imported (
    table_id TEXT NOT NULL REFERENCES tables(id),
    import_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    players TEXT NOT NULL CHECK (json_valid(players)),
    PRIMARY KEY (table_id, import_id, game_id),
    FOREIGN KEY (table_id, import_id) REFERENCES imports(table_id, id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT
"""
