"""Version 6: several phones can have claimed a seat, of which the last one plays for it."""

from scorekeeper.store.database.migrations.portable import AnyDatabase


def claims_in_turn(db: AnyDatabase) -> None:
    """Number the claims of seats in a game, and let a phone keep one that another took over."""
    db.execute(TAKERS)
    db.execute(
        "INSERT INTO numbered_takers SELECT table_id, game_id, phone_id, seat, 1 FROM takers"
    )
    db.execute("DROP TABLE takers")
    db.execute("ALTER TABLE numbered_takers RENAME TO takers")


TAKERS = """
CREATE TABLE numbered_takers (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    number INTEGER NOT NULL CHECK (number > 0),
    PRIMARY KEY (table_id, game_id, phone_id),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id),
    FOREIGN KEY (table_id, phone_id) REFERENCES phones(table_id, id)
) STRICT
"""
