"""Player statistics counted from the result rows in SQL, to check or rebuild the stored ones."""

from collections.abc import Sequence

from sqlite_utils import Database

from scorekeeper.store.stats.totals import ADD, ALL, PAIRS, SUMS, TOTALS

GAMES = ("player_id", "started", "game_id", "rules", "sides", "place", "comeback", "run",
         "run_in_rules", *SUMS)  # fmt: skip
KEPT = {"player_games": GAMES, "player_totals": TOTALS, "player_pairs": PAIRS}

COUNTED = """
CREATE TEMP TABLE counted_games AS
WITH seated AS (
    SELECT seats.player_id, started, games.id AS game_id, games.rules, seats.seat,
        outcomes.round AS last_round, outcomes.side AS winner
    FROM games JOIN seats ON seats.game_id = games.id
    LEFT JOIN outcomes ON outcomes.game_id = games.id
    WHERE {games}
),
counted AS (
    SELECT player_id, started, seated.game_id, rules, r.side,
        (SELECT count(DISTINCT side) FROM results WHERE game_id = seated.game_id) AS sides,
        iif(winner IS NULL, NULL, 1 + (
            SELECT count(DISTINCT rival.side) FROM results AS own JOIN results AS rival
            ON rival.game_id = own.game_id AND rival.round = own.round AND rival.total > own.total
            WHERE own.game_id = seated.game_id AND own.round = last_round AND own.seat = seated.seat
        )) AS place,
        iif(winner = r.side, max((
            SELECT max(total) FROM results WHERE game_id = r.game_id AND round = r.round
        ) - r.total), 0) AS comeback,
        count(r.round) AS rounds,
        coalesce(sum(r.points), 0) AS points,
        coalesce(sum(overtricks), 0) AS bags,
        count(*) FILTER (WHERE number) AS bids,
        coalesce(sum(number), 0) AS bid_tricks,
        coalesce(sum(r.tricks) FILTER (WHERE number), 0) AS taken,
        count(*) FILTER (WHERE number AND made) AS made,
        count(*) FILTER (WHERE number AND made AND overtricks = 0) AS exact,
        count(*) FILTER (WHERE r.bid = 'nil') AS nils,
        count(*) FILTER (WHERE r.bid = 'nil' AND r.tricks = 0) AS nils_made,
        count(*) FILTER (WHERE r.bid = 'blind nil') AS blind_nils,
        count(*) FILTER (WHERE r.bid = 'blind nil' AND r.tricks = 0) AS blind_nils_made,
        count(*) FILTER (WHERE bag_penalty != 0) AS penalties
    FROM seated
    LEFT JOIN results AS r ON r.game_id = seated.game_id AND r.seat = seated.seat
    LEFT JOIN (  -- in a round that bids itself the results hold a bid that nobody made
        SELECT game_id, round, seat, CAST(bid AS INTEGER) AS number FROM bids
    ) AS bids ON bids.game_id = r.game_id AND bids.round = r.round AND bids.seat = r.seat
    GROUP BY seated.game_id, seated.seat
),
lost AS (
    SELECT *,
        sum(place > 1) OVER (PARTITION BY player_id ORDER BY started, game_id) AS so_far,
        sum(place > 1) OVER (PARTITION BY player_id, rules ORDER BY started, game_id) AS in_rules
    FROM counted
)
SELECT player_id, started, game_id, rules, sides, place, comeback,
    iif(place = 1, sum(place = 1) OVER (
        PARTITION BY player_id, so_far ORDER BY started, game_id), 0) AS run,
    iif(place = 1, sum(place = 1) OVER (
        PARTITION BY player_id, rules, in_rules ORDER BY started, game_id), 0) AS run_in_rules,
    {sums}, side
FROM lost
"""

TOTALED = f"""
CREATE TEMP TABLE counted_totals AS
SELECT player_id, key AS rules, (SELECT table_id FROM players WHERE id = player_id) AS table_id,
    count(*) AS begun, count(place) AS games, coalesce(sum(place = 1), 0) AS wins,
    coalesce(sum(place), 0) AS places, {", ".join(f"sum({name}) AS {name}" for name in SUMS)}
FROM (
    SELECT rules AS key, * FROM counted_games UNION ALL SELECT '{ALL}' AS key, * FROM counted_games
) GROUP BY player_id, key
"""

PAIRED = """
CREATE TEMP TABLE counted_pairs AS
SELECT one.player_id, other.player_id AS other_id,
    sum(one.side != other.side) AS against,
    sum(one.side != other.side AND one.place < other.place) AS ahead,
    sum(one.side != other.side AND one.place > other.place) AS behind,
    sum(one.side = other.side) AS together,
    sum(one.side = other.side AND one.place = 1) AS together_won
FROM counted_games AS one JOIN counted_games AS other
    ON other.game_id = one.game_id AND other.player_id != one.player_id
WHERE one.place IS NOT NULL GROUP BY one.player_id, other.player_id
"""


def mismatches(db: Database) -> int:
    """Count all games, and return of how many players the stored statistics differ."""
    count(db)
    wrong = len(mismatched_players(db))
    forget(db)
    return wrong


def mismatched_players(db: Database) -> list[int]:
    """Return the players with a row that is stored and was not counted, or the reverse."""
    found: set[int] = set()
    for table, names in KEPT.items():
        columns = ", ".join(names)
        kept = f"SELECT {columns} FROM {table}"
        counted = f"SELECT {columns} FROM {_counted(table)}"
        for one, other in ((kept, counted), (counted, kept)):
            rows = db.execute(f"SELECT player_id FROM ({one} EXCEPT {other})")
            found |= {row[0] for row in rows.fetchall()}
    return sorted(found)


def rebuild(db: Database) -> None:
    """Replace all statistics with those counted."""
    count(db)
    replace(db)
    forget(db)


def replace(db: Database, player_id: int | None = None) -> None:
    """Replace the statistics of a player, or all, with those counted."""
    one, values = ("", []) if player_id is None else (" WHERE player_id = ?", [player_id])
    for table, names in KEPT.items():
        columns = ", ".join(names)
        db.execute(f"DELETE FROM {table}{one}", values)
        db.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_counted(table)}{one}", values
        )


def count(db: Database, games: str = "removed IS NULL", values: Sequence[str] = ()) -> None:
    """Count the games for which a condition holds, in temporary tables of this connection."""
    forget(db)
    db.execute(COUNTED.format(games=games, sums=", ".join(SUMS)), values)
    db.execute("CREATE INDEX temp.counted_by_game ON counted_games (game_id)")
    add_up(db)


def add_up(db: Database) -> None:
    """Count totals and pairs, again where the players of counted games have changed."""
    for table, query in (("counted_totals", TOTALED), ("counted_pairs", PAIRED)):
        db.execute(f"DROP TABLE IF EXISTS temp.{table}")
        db.execute(query)


def add_counted(db: Database, table_id: str) -> None:
    """Add what was counted of new games of a table to the statistics."""
    columns = ", ".join(GAMES)
    db.execute(
        f"INSERT INTO player_games ({columns}) SELECT {columns} FROM temp.counted_games "
        "ORDER BY player_id, started, game_id"
    )
    db.execute("UPDATE temp.counted_totals SET table_id = ?", [table_id])
    for table, names in (("player_totals", TOTALS), ("player_pairs", PAIRS)):
        rows = db.execute(f"SELECT {', '.join(names)} FROM {_counted(table)}")
        db.conn.executemany(ADD[table], rows.fetchall())


def players_with_more(db: Database) -> list[int]:
    """Return the players of the counted games who have played other games too."""
    rows = db.execute(
        "SELECT player_id FROM player_totals AS kept JOIN temp.counted_totals AS counted "
        "USING (player_id, rules) WHERE rules = ? AND kept.begun > counted.begun",
        [ALL],
    )
    return [row[0] for row in rows.fetchall()]


def forget(db: Database) -> None:
    """Drop what was counted."""
    for table in ("counted_games", "counted_totals", "counted_pairs"):
        db.execute(f"DROP TABLE IF EXISTS temp.{table}")


def _counted(table: str) -> str:
    return f"temp.{table.replace('player', 'counted')}"
