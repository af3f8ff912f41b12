"""Version 13: every player keeps a shape and a color."""

from scorekeeper.store.connection import AnyDatabase

# Players get those of the seats in the order in which they came, then the same shapes in other
# colors: 70 players of a table differ. Those who were merged into others come last.
FACES = """
UPDATE players SET shape = came.n % 10 + 1, color = (came.n % 10 + came.n / 10) % 7 + 1
FROM (
    SELECT table_id, id, row_number() OVER (
        PARTITION BY table_id ORDER BY merged_into IS NOT NULL, id
    ) - 1 AS n
    FROM players
) AS came
WHERE came.table_id = players.table_id AND came.id = players.id
"""


def faces(db: AnyDatabase) -> None:
    """Add the face of each player, the same on both databases."""
    for column, most in (("shape", 10), ("color", 7)):
        check = f"CHECK ({column} BETWEEN 1 AND {most})"
        db.execute(f"ALTER TABLE players ADD COLUMN {column} INTEGER NOT NULL DEFAULT 1 {check}")
    db.execute(FACES)
