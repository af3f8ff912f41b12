"""Version 8: a game is one row, its seats and rounds JSON. Version 9: a table has a time zone.

Version 10: rate limits are no longer shared by the servers of a database.

What were tables of facts are views of that JSON now, for people who open the database; so are
results of games and sums of players. The rows of results are kept in the order of their key.

An import stores its games for good at once, so there are no games of killed imports any more.
"""

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorekeeper.store.connection import AnyDatabase


def game_rows(db: AnyDatabase) -> None:
    """Make a row of each game, on SQLite."""
    triggers = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'changes'"
    ).fetchall()
    for name, _sql in triggers:
        db.execute(f"DROP TRIGGER {name}")
    _delete_killed_imports(db)
    for _name, sql in triggers:
        db.execute(sql)
    _make_rows(db)
    for view in ON_SQLITE:
        db.execute(view)


def game_rows_on_postgresql(db: AnyDatabase) -> None:
    """Make a row of each game, on PostgreSQL, whose functions of JSON are others."""
    db.execute("ALTER TABLE changes DISABLE TRIGGER USER")
    _delete_killed_imports(db)
    db.execute("ALTER TABLE changes ENABLE TRIGGER USER")
    db.execute(REFUSE_CHANGE)
    _make_rows(db)
    for view in ON_POSTGRESQL:
        db.execute(view)


def _delete_killed_imports(db: AnyDatabase) -> None:
    """Delete the games of imports that were killed, and the players who are in no others."""
    tables = db.execute("SELECT DISTINCT table_id FROM games WHERE import_id IS NOT NULL")
    table_ids = tables.fetchall()
    for child in KILLED_WITH_GAMES:
        db.execute(
            f"DELETE FROM {child} WHERE (table_id, game_id) IN "
            "(SELECT table_id, id FROM games WHERE import_id IS NOT NULL)"
        )
    db.execute("DELETE FROM games WHERE import_id IS NOT NULL")
    for key in table_ids:
        db.execute(DELETE_PLAYERS, key)
    db.execute("DROP INDEX games_imported")
    db.execute("ALTER TABLE games DROP COLUMN import_id")


def _make_rows(db: AnyDatabase) -> None:
    for column in ("seats", "rounds"):
        check = f"DEFAULT '[]' CHECK (json_valid({column}))"
        db.execute(f"ALTER TABLE games ADD COLUMN {column} TEXT NOT NULL {check}")
    for table_id, game_id in db.execute("SELECT table_id, id FROM games").fetchall():
        db.execute(
            "UPDATE games SET seats = ?, rounds = ? WHERE table_id = ? AND id = ?",
            [*_seats_and_rounds(db, [table_id, game_id]), table_id, game_id],
        )
    db.execute("DROP VIEW score_sheet")
    for table in ("substitutes", "bids", "rounds", "seats"):
        db.execute(f"DROP TABLE {table}")
    db.execute(RESULTS)
    db.execute(
        "INSERT INTO ordered_results SELECT * FROM results ORDER BY table_id, game_id, round, seat"
    )
    db.execute("DROP TABLE results")
    db.execute("ALTER TABLE ordered_results RENAME TO results")


def _seats_and_rounds(db: AnyDatabase, game: list[str]) -> tuple[str, str]:
    """Return the seats and the rounds of a game as JSON, the rounds in lines of their own."""
    notes, bids, substitutes, seats = (
        db.execute(f"{query} WHERE table_id = ? AND game_id = ? ORDER BY {order}", game).fetchall()
        for query, order in (
            ("SELECT round, notes FROM rounds", "round"),
            ("SELECT round, bid, tricks, tally FROM bids", "round, seat"),
            ("SELECT round, seat, player_id FROM substitutes", "round, seat"),
            ("SELECT player_id FROM seats", "seat"),
        )
    )
    rounds: dict[int, dict[str, Any]] = {}
    for number, cells in groupby(bids, key=itemgetter(0)):
        rounds[number] = _facts(*zip(*(cell[1:] for cell in cells), strict=True))
    for number, text in notes:
        if text is not None:
            rounds.setdefault(number, {}).update(json.loads(text))
    for number, seat, player_id in substitutes:
        members = rounds.setdefault(number, {}).setdefault("substitutes", [])
        members.append({"seat": seat, "player": player_id})
    lines = ",\n".join(
        json.dumps(facts) for _number, facts in sorted(rounds.items(), key=itemgetter(0))
    )
    return json.dumps([row[0] for row in seats]), f"[\n{lines}\n]" if lines else "[]"


def _facts(
    bids: tuple[Any, ...], tricks: tuple[Any, ...], tally: tuple[Any, ...]
) -> dict[str, Any]:
    """Return what was entered in a round, in the form of the journal."""
    numbers = [int(bid) if bid is not None and bid.isdecimal() else bid for bid in bids]
    facts: dict[str, Any] = {"bids": numbers}
    if None not in tricks:
        facts["tricks"] = tricks
    if any(count is not None for count in tally):
        facts["tally"] = tally
    return facts


KILLED_WITH_GAMES = (
    "changes", "results", "outcomes", "player_games", "bids", "substitutes", "rounds", "seats",
)  # fmt: skip
# Redo may need a player whose seat change was undone.
DELETE_PLAYERS = """
DELETE FROM players WHERE table_id = ? AND merged_into IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM seats
        WHERE seats.table_id = players.table_id AND seats.player_id = players.id
    ) AND NOT EXISTS (
        SELECT 1 FROM substitutes
        WHERE substitutes.table_id = players.table_id AND substitutes.player_id = players.id
    ) AND NOT EXISTS (
        SELECT 1 FROM changes WHERE changes.table_id = players.table_id
        AND round IS NOT NULL AND instr(after, '"player": ' || players.id || '}') > 0
    ) AND NOT EXISTS (
        SELECT 1 FROM players AS gone
        WHERE gone.table_id = players.table_id AND gone.merged_into = players.id
    )
"""

# Before, lines of killed imports could be deleted.
REFUSE_CHANGE = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the journal is only ever appended to';
END
$$
"""

RESULTS = """
CREATE TABLE ordered_results (
    table_id TEXT NOT NULL,
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    side INTEGER NOT NULL,
    dealer INTEGER NOT NULL,
    bid TEXT NOT NULL,
    tricks INTEGER NOT NULL,
    nil_points INTEGER NOT NULL,
    contract_points INTEGER NOT NULL,
    overtrick_points INTEGER NOT NULL,
    bag_penalty INTEGER NOT NULL,
    points INTEGER NOT NULL,
    overtricks INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    total INTEGER NOT NULL,
    made INTEGER CHECK (made IN (0, 1)),
    PRIMARY KEY (table_id, game_id, round, seat),
    FOREIGN KEY (table_id, game_id) REFERENCES games(table_id, id)
) STRICT, WITHOUT ROWID
"""

# The newest line about a scored round says when it was scored.
_SCORED = """
    CASE WHEN {tricks} IS NOT NULL THEN (
        SELECT at FROM changes
        WHERE changes.table_id = games.table_id AND changes.game_id = games.id
            AND changes.round = {number}
        ORDER BY version DESC LIMIT 1
    ) END AS scored
"""

# The rounds of a game are taken apart once for all of its results.
_SCORE_SHEET = """
CREATE VIEW score_sheet AS
SELECT games.table_id, results.game_id, games.started, games.rules, games.house_rules,
    results.round, results.dealer + 1 AS dealer, results.seat + 1 AS seat, (
        SELECT name FROM players WHERE players.table_id = games.table_id
        AND players.id = coalesce((
            SELECT player_id FROM substitutes
            WHERE substitutes.table_id = results.table_id
                AND substitutes.game_id = results.game_id
                AND substitutes.seat = results.seat AND substitutes.round <= results.round
            ORDER BY substitutes.round DESC LIMIT 1
        ), starters.merged_into, starters.id)
    ) AS player,
    results.side + 1 AS side, results.bid, results.tricks, results.nil_points,
    results.contract_points, results.overtrick_points, results.bag_penalty,
    results.points - results.nil_points - results.contract_points - results.overtrick_points
        - results.bag_penalty AS penalty_points,
    results.points,
    results.bags, results.total,
    CASE
        WHEN outcomes.round IS NULL OR outcomes.round <> results.round THEN ''
        WHEN outcomes.side = results.side THEN 'won'
        ELSE 'lost'
    END AS outcome,
    {notes} AS notes
FROM games CROSS JOIN {rounds}
CROSS JOIN results
JOIN players AS starters ON starters.table_id = games.table_id AND starters.id = {starter}
LEFT JOIN outcomes ON outcomes.table_id = results.table_id
    AND outcomes.game_id = results.game_id
WHERE results.table_id = games.table_id AND results.game_id = games.id
    AND results.round = {number}
ORDER BY games.started, results.game_id, results.round, results.seat
"""

# Sides are counted from 1 for people, as seats and sides are on the score sheet.
_GAME_RESULTS = """
CREATE VIEW game_results AS
SELECT own.table_id, own.game_id, own.started, own.rules, games.house_rules,
    outcomes.round AS rounds, own.side + 1 AS side, {names} AS players,
    own.place, (
        SELECT total FROM results WHERE results.table_id = own.table_id
            AND results.game_id = own.game_id AND results.round = outcomes.round
            AND results.side = own.side LIMIT 1
    ) AS total, outcomes.reason
FROM player_games AS own
JOIN players ON players.table_id = own.table_id AND players.id = own.player_id
JOIN games ON games.table_id = own.table_id AND games.id = own.game_id
JOIN outcomes ON outcomes.table_id = own.table_id AND outcomes.game_id = own.game_id
WHERE own.place IS NOT NULL
GROUP BY own.table_id, own.game_id, own.started, own.rules, games.house_rules, outcomes.round,
    own.side, own.place, outcomes.reason
ORDER BY own.started, own.game_id, own.place, own.side
"""

_SUMS = ",\n    ".join(
    f"CAST(sum(own.{name}) AS INTEGER) AS {name}"
    for name in (
        "rounds", "points", "bags", "bids", "bid_tricks", "taken", "made", "exact", "nils",
        "nils_made", "blind_nils", "blind_nils_made", "penalties",
    )
)  # fmt: skip
_PLAYER_STATS = f"""
CREATE VIEW player_stats AS
SELECT own.table_id, own.player_id, players.name AS player, own.rules,
    count(*) AS begun, count(own.place) AS games,
    count(*) FILTER (WHERE own.place = 1) AS wins,
    {_SUMS}
FROM player_games AS own
JOIN players ON players.table_id = own.table_id AND players.id = own.player_id
GROUP BY own.table_id, own.player_id, players.name, own.rules
"""

_NOTES_ON_SQLITE = """
    nullif(json_remove(one.value, '$.bids', '$.tricks', '$.tally', '$.substitutes'), '{}')
""".strip()
ON_SQLITE = (
    """
CREATE VIEW seats AS
SELECT games.table_id, games.id AS game_id, one.key AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN json_each(games.seats) AS one
CROSS JOIN players ON players.table_id = games.table_id AND players.id = one.value
""",
    f"""
CREATE VIEW rounds AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round,
    {_SCORED.format(tricks="json_extract(one.value, '$.tricks')", number="one.key + 1").strip()},
    {_NOTES_ON_SQLITE} AS notes
FROM games CROSS JOIN json_each(games.rounds) AS one
""",
    """
CREATE VIEW bids AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round, bid.key AS seat,
    CAST(bid.value AS TEXT) AS bid,
    json_extract(one.value, '$.tricks[' || bid.key || ']') AS tricks,
    json_extract(one.value, '$.tally[' || bid.key || ']') AS tally
FROM games CROSS JOIN json_each(games.rounds) AS one
CROSS JOIN json_each(one.value, '$.bids') AS bid
""",
    """
CREATE VIEW substitutes AS
SELECT games.table_id, games.id AS game_id, one.key + 1 AS round,
    json_extract(member.value, '$.seat') AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN json_each(games.rounds) AS one
CROSS JOIN json_each(one.value, '$.substitutes') AS member
LEFT JOIN players ON players.table_id = games.table_id
    AND players.id = json_extract(member.value, '$.player')
WHERE instr(games.rounds, '"substitutes"') > 0
""",
    _SCORE_SHEET.format(
        rounds="json_each(games.rounds) AS one",
        number="one.key + 1",
        notes=_NOTES_ON_SQLITE,
        starter="json_extract(games.seats, '$[' || results.seat || ']')",
    ),
    _GAME_RESULTS.format(names="group_concat(players.name, ', ')"),
    _PLAYER_STATS,
)

_ROUNDS_ON_POSTGRESQL = """
    json_array_elements(games.rounds::json) WITH ORDINALITY AS one (facts, number)
""".strip()
_NOTES_ON_POSTGRESQL = """
    nullif((one.facts::jsonb - '{bids,tricks,tally,substitutes}'::text[])::text, '{}')
""".strip()
ON_POSTGRESQL = (
    """
CREATE VIEW seats AS
SELECT games.table_id, games.id AS game_id, one.place - 1 AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN json_array_elements_text(games.seats::json)
    WITH ORDINALITY AS one (player, place)
JOIN players ON players.table_id = games.table_id AND players.id = one.player::bigint
""",
    f"""
CREATE VIEW rounds AS
SELECT games.table_id, games.id AS game_id, one.number AS round,
    {_SCORED.format(tricks="one.facts -> 'tricks'", number="one.number").strip()},
    {_NOTES_ON_POSTGRESQL} AS notes
FROM games CROSS JOIN {_ROUNDS_ON_POSTGRESQL}
""",
    f"""
CREATE VIEW bids AS
SELECT games.table_id, games.id AS game_id, one.number AS round, bid.place - 1 AS seat,
    bid.text AS bid,
    (one.facts -> 'tricks' ->> (bid.place - 1)::int)::bigint AS tricks,
    (one.facts -> 'tally' ->> (bid.place - 1)::int)::bigint AS tally
FROM games CROSS JOIN {_ROUNDS_ON_POSTGRESQL}
CROSS JOIN json_array_elements_text(one.facts -> 'bids') WITH ORDINALITY AS bid (text, place)
""",
    f"""
CREATE VIEW substitutes AS
SELECT games.table_id, games.id AS game_id, one.number AS round,
    (member ->> 'seat')::bigint AS seat,
    coalesce(players.merged_into, players.id) AS player_id
FROM games CROSS JOIN {_ROUNDS_ON_POSTGRESQL}
CROSS JOIN json_array_elements(one.facts -> 'substitutes') AS member
LEFT JOIN players ON players.table_id = games.table_id
    AND players.id = (member ->> 'player')::bigint
WHERE strpos(games.rounds, '"substitutes"') > 0
""",
    _SCORE_SHEET.format(
        rounds=_ROUNDS_ON_POSTGRESQL,
        number="one.number",
        notes=_NOTES_ON_POSTGRESQL,
        starter="(games.seats::json ->> results.seat::int)::bigint",
    ),
    _GAME_RESULTS.format(names="string_agg(players.name, ', ')"),
    _PLAYER_STATS,
)


def zones_of_tables(db: AnyDatabase) -> None:
    """Add the name of a table's zone, which it has once a phone told it."""
    db.execute("ALTER TABLE tables ADD COLUMN zone TEXT")


def drop_rate_limits(db: AnyDatabase) -> None:
    """Drop the table in which servers on PostgreSQL counted together; SQLite had none."""
    db.execute("DROP TABLE IF EXISTS rate_limits")
