"""Version 5: bids of a number can be blind."""

from scorekeeper.store.database.migrations.portable import AnyDatabase


def blind_bids(db: AnyDatabase) -> None:
    """Allow bids such as `blind 6`; SQLite changes a check only with the whole table."""
    db.execute(BIDS)
    db.execute("INSERT INTO checked_bids SELECT * FROM bids")
    db.execute("DROP TABLE bids")
    db.execute("ALTER TABLE checked_bids RENAME TO bids")


POSSIBLE = ", ".join(f"'{n}', 'blind {n}'" for n in ("nil", *range(1, 20)))
BIDS = f"""
CREATE TABLE checked_bids (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ({POSSIBLE})),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id, round) REFERENCES rounds(table_id, game_id, round)
        ON DELETE CASCADE
) STRICT
"""
