"""Player statistics counted from the result rows in SQL, to check or rebuild the stored ones."""

from collections.abc import Sequence

from scorekeeper.store.database.connection import Database
from scorekeeper.store.stats.totals import ADD, ALL, PAIRS, SUMS, TOTALS

GAMES = ("table_id", "player_id", "started", "game_id", "rules", "sides", "place", "comeback",
         "run", "run_in_rules", *SUMS)  # fmt: skip
PlayerKey = tuple[str, int]  # of a player: the table and the id
STORED = {"player_games": GAMES, "player_totals": TOTALS, "player_pairs": PAIRS}

COUNTED = """
CREATE TEMP TABLE counted_games AS
WITH taken AS (  -- seats, each from a round on; those that are left have no player
    SELECT table_id, game_id, seat, player_id, 0 AS since FROM seats
    UNION ALL SELECT table_id, game_id, seat, player_id, round FROM substitutes
),
stints AS (
    SELECT games.table_id, player_id, started, games.id AS game_id, games.rules, seat, since,
        rule_values LIKE '%"bid_by": "side"%' OR rule_values LIKE '%"tricks_by": "side"%' AS shared,
        lead(since) OVER (
            PARTITION BY taken.table_id, taken.game_id, seat ORDER BY since) AS until
    FROM games JOIN taken ON taken.table_id = games.table_id AND taken.game_id = games.id
    WHERE {games}
),
seated AS (  -- each player of a game once, with the seat in the end
    SELECT stints.table_id, player_id, started, stints.game_id, stints.rules,
        outcomes.round AS last_round, outcomes.side AS winner,
        max(seat) FILTER (
            WHERE since <= outcomes.round AND (until IS NULL OR until > outcomes.round)
        ) AS last_seat
    FROM stints LEFT JOIN outcomes
        ON outcomes.table_id = stints.table_id AND outcomes.game_id = stints.game_id
    WHERE player_id IS NOT NULL  -- in an empty seat
    -- In the order of `sums`: PostgreSQL joins both in one pass, and not each row with every other.
    GROUP BY stints.table_id, stints.game_id, player_id, started, stints.rules, outcomes.round,
        outcomes.side
),
played AS (  -- of partners with one bid the first has it, and both share the tricks
    SELECT stints.table_id, stints.game_id, player_id, r.round, r.points, r.overtricks, r.made,
        r.bag_penalty, coalesce(own.bid, of_side.bid) AS bid,
        CASE WHEN shared THEN (
            SELECT sum(mate.tricks) FROM results AS mate
            WHERE mate.table_id = r.table_id AND mate.game_id = r.game_id
                AND mate.round = r.round AND mate.side = r.side
        ) ELSE r.tricks END AS tricks
    FROM stints
    LEFT JOIN results AS r ON r.table_id = stints.table_id AND r.game_id = stints.game_id
        AND r.seat = stints.seat AND r.round >= since AND (until IS NULL OR r.round < until)
    LEFT JOIN bids AS own ON own.table_id = r.table_id AND own.game_id = r.game_id
        AND own.round = r.round AND own.seat = r.seat  -- in `results` none is without a bid
    LEFT JOIN bids AS of_side ON of_side.table_id = r.table_id AND of_side.game_id = r.game_id
        AND of_side.round = r.round AND of_side.seat = r.side
),
numbers AS (
    SELECT *, CASE WHEN bid NOT IN ('nil', 'blind nil')
        THEN CAST(replace(bid, 'blind ', '') AS INTEGER) END AS number
    FROM played
),
sums AS (
    SELECT table_id, game_id, player_id,
        count(round) AS rounds,
        coalesce(sum(points), 0) AS points,
        coalesce(sum(overtricks), 0) AS bags,
        count(number) AS bids,
        coalesce(sum(number), 0) AS bid_tricks,
        coalesce(sum(tricks) FILTER (WHERE number IS NOT NULL), 0) AS taken,
        count(*) FILTER (WHERE number IS NOT NULL AND made = 1) AS made,
        count(*) FILTER (WHERE number IS NOT NULL AND made = 1 AND overtricks = 0) AS exact,
        count(*) FILTER (WHERE bid = 'nil') AS nils,
        count(*) FILTER (WHERE bid = 'nil' AND tricks = 0) AS nils_made,
        count(*) FILTER (WHERE bid = 'blind nil') AS blind_nils,
        count(*) FILTER (WHERE bid = 'blind nil' AND tricks = 0) AS blind_nils_made,
        count(*) FILTER (WHERE bag_penalty <> 0) AS penalties
    FROM numbers
    GROUP BY table_id, game_id, player_id
),
counted AS (
    SELECT seated.table_id, seated.player_id, started, seated.game_id, rules, own.side,
        (SELECT count(DISTINCT side) FROM results
            WHERE table_id = seated.table_id AND game_id = seated.game_id) AS sides,
        CASE WHEN own.side IS NOT NULL THEN 1 + (
            SELECT count(DISTINCT rival.side) FROM results AS rival
            WHERE rival.table_id = own.table_id AND rival.game_id = own.game_id
                AND rival.round = own.round AND winner != own.side
                AND (rival.total > own.total OR rival.side = winner)
        ) END AS place,
        CASE WHEN winner = own.side THEN (
            SELECT max(leader.total - r.total) FROM results AS r JOIN results AS leader
            ON leader.table_id = r.table_id AND leader.game_id = r.game_id
                AND leader.round = r.round
            WHERE r.table_id = own.table_id AND r.game_id = own.game_id AND r.seat = own.seat
        ) ELSE 0 END AS comeback,
        {own_sums}
    FROM seated
    JOIN sums ON sums.table_id = seated.table_id AND sums.game_id = seated.game_id
        AND sums.player_id = seated.player_id
    LEFT JOIN results AS own ON own.table_id = seated.table_id AND own.game_id = seated.game_id
        AND own.round = last_round AND own.seat = last_seat
),
lost AS (
    SELECT *,
        count(*) FILTER (WHERE place > 1) OVER (
            PARTITION BY table_id, player_id ORDER BY started, game_id) AS so_far,
        count(*) FILTER (WHERE place > 1) OVER (
            PARTITION BY table_id, player_id, rules ORDER BY started, game_id) AS in_rules
    FROM counted
)
SELECT table_id, player_id, started, game_id, rules, sides, place, comeback,
    CASE WHEN place = 1 THEN count(*) FILTER (WHERE place = 1) OVER (
        PARTITION BY table_id, player_id, so_far ORDER BY started, game_id) ELSE 0 END AS run,
    CASE WHEN place = 1 THEN count(*) FILTER (WHERE place = 1) OVER (
        PARTITION BY table_id, player_id, rules, in_rules ORDER BY started, game_id
    ) ELSE 0 END AS run_in_rules,
    {sums}, side
FROM lost
"""

TOTALED = f"""
CREATE TEMP TABLE counted_totals AS
SELECT table_id, player_id, key AS rules, count(*) AS begun, count(place) AS games,
    count(*) FILTER (WHERE place = 1) AS wins, coalesce(sum(place), 0) AS places,
    {", ".join(f"sum({name}) AS {name}" for name in SUMS)}
FROM (
    SELECT rules AS key, * FROM counted_games UNION ALL SELECT '{ALL}' AS key, * FROM counted_games
) AS games_by_rules GROUP BY table_id, player_id, key
"""

PAIRED = """
CREATE TEMP TABLE counted_pairs AS
SELECT one.table_id, one.player_id, other.player_id AS other_id,
    count(*) FILTER (WHERE one.side <> other.side) AS against,
    count(*) FILTER (WHERE one.side <> other.side AND one.place < other.place) AS ahead,
    count(*) FILTER (WHERE one.side <> other.side AND one.place > other.place) AS behind,
    count(*) FILTER (WHERE one.side = other.side) AS together,
    count(*) FILTER (WHERE one.side = other.side AND one.place = 1) AS together_won
FROM counted_games AS one JOIN counted_games AS other
    ON other.table_id = one.table_id AND other.game_id = one.game_id
    AND other.player_id <> one.player_id
WHERE one.place IS NOT NULL AND other.place IS NOT NULL
GROUP BY one.table_id, one.player_id, other.player_id
"""


def mismatches(db: Database) -> int:
    """Count all games, and return of how many players the stored statistics differ."""
    count(db)
    wrong = len(mismatched_players(db))
    forget(db)
    return wrong


def mismatched_players(db: Database) -> list[PlayerKey]:
    """Return the players with a row that is stored and was not counted, or the reverse."""
    found: set[PlayerKey] = set()
    for table, names in STORED.items():
        columns = ", ".join(names)
        kept = f"SELECT {columns} FROM {table}"
        counted = f"SELECT {columns} FROM {_counted(table)}"
        for one, other in ((kept, counted), (counted, kept)):
            rows = db.execute(
                f"SELECT table_id, player_id FROM ({one} EXCEPT {other}) AS differing"
            )
            found.update(rows.fetchall())
    return sorted(found)


def rebuild(db: Database) -> None:
    """Replace all statistics with those counted."""
    count(db)
    replace(db)
    forget(db)


def replace(db: Database, player: PlayerKey | None = None) -> None:
    """Replace the statistics of a player, or all, with those counted."""
    one = "" if player is None else " WHERE table_id = ? AND player_id = ?"
    values = player or ()
    for table, names in STORED.items():
        columns = ", ".join(names)
        db.execute(f"DELETE FROM {table}{one}", values)
        db.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_counted(table)}{one}", values
        )


def count(db: Database, games: str = "removed IS NULL", values: Sequence[str] = ()) -> None:
    """Count the games for which a condition holds, in temporary tables of this connection."""
    forget(db)
    own_sums = ", ".join(f"sums.{name}" for name in SUMS)
    db.execute(COUNTED.format(games=games, sums=", ".join(SUMS), own_sums=own_sums), values)
    db.execute("CREATE INDEX counted_by_game ON counted_games (game_id)")
    add_up(db)


def add_up(db: Database) -> None:
    """Count totals and pairs, again where the players of counted games have changed."""
    for table, query in (("counted_totals", TOTALED), ("counted_pairs", PAIRED)):
        db.execute(f"DROP TABLE IF EXISTS {table}")
        db.execute(query)


def add_counted(db: Database) -> None:
    """Add what was counted of new games to the statistics."""
    columns = ", ".join(GAMES)
    db.execute(
        f"INSERT INTO player_games ({columns}) SELECT {columns} FROM counted_games "
        "ORDER BY player_id, started, game_id"
    )
    for table, names in (("player_totals", TOTALS), ("player_pairs", PAIRS)):
        rows = db.execute(f"SELECT {', '.join(names)} FROM {_counted(table)}")
        db.executemany(ADD[table], rows.fetchall())


def players_with_more(db: Database) -> list[int]:
    """Return the players of the counted games who have played other games too."""
    rows = db.execute(
        "SELECT player_id FROM player_totals AS kept JOIN counted_totals AS counted "
        "USING (table_id, player_id, rules) WHERE rules = ? AND kept.begun > counted.begun",
        [ALL],
    )
    return [row[0] for row in rows.fetchall()]


def forget(db: Database) -> None:
    """Drop what was counted."""
    for table in ("counted_games", "counted_totals", "counted_pairs"):
        db.execute(f"DROP TABLE IF EXISTS {table}")


def _counted(table: str) -> str:
    return table.replace("player", "counted")
