"""Rate limits that several servers share, as they share a database on PostgreSQL.

A bucket is kept as the moment at which it will be full again. The rows are not worth the time of
writing them to the disk, so the table is unlogged and empty after a crash. The clock is that of the
database, whatever those of the servers say.
"""

import math

from scorekeeper.store.connection import Database

# A bucket that will be full later than an empty one was emptied before the clock was put back.
NOW = "extract(epoch FROM clock_timestamp())::float8"
TAKE = f"""
INSERT INTO rate_limits VALUES (:kind, :who, {NOW} + :each)
ON CONFLICT (kind, who) DO UPDATE SET full_at = :each + CASE
    WHEN rate_limits.full_at BETWEEN {NOW} AND {NOW} + :rest THEN rate_limits.full_at ELSE {NOW} END
WHERE rate_limits.full_at NOT BETWEEN {NOW} + :rest AND {NOW} + :rest + :each
RETURNING 1
"""
WAIT = f"SELECT full_at - {NOW} - :rest FROM rate_limits WHERE kind = :kind AND who = :who"
DELETE_FULL = f"""
DELETE FROM rate_limits WHERE (kind, who) IN (
    SELECT kind, who FROM rate_limits WHERE full_at < {NOW} FOR UPDATE SKIP LOCKED
)
"""


def take_token(db: Database, kind: str, who: str, each: float, burst: float) -> int:
    """Take one token of a bucket and return 0, or return in how many seconds to try again.

    A bucket holds `burst` tokens, and gets a new one in `each` seconds.
    """
    bucket = {"kind": kind, "who": who, "each": each, "rest": (burst - 1) * each}
    if db.execute(TAKE, bucket).fetchone():
        return 0
    left = db.execute(WAIT, bucket).fetchone()
    return max(1, math.ceil(left[0])) if left else 1


def delete_full_buckets(db: Database) -> None:
    """Delete the buckets that are full, as those are that were never used."""
    db.execute(DELETE_FULL)
