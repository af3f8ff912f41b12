"""Statistics of players: queries of `player_games`, which has a row for each player and game."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorekeeper.rules.presets import OTHER_POINTS
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.player_games import Sums
from scorekeeper.store.players import PLAYER, Player

ALL = "all"  # in place of a rule set: all of them together
GAMES_SHOWN = 20
OTHERS_SHOWN = 30
PLAYERS_SHOWN = 50
FORM_SHOWN = 5


class Totals(NamedTuple):
    """The totals of a player, over all rule sets or one.

    `begun` counts the games of the player, `games` the finished ones, and `places` is the sum of
    the places in those. `points` and the `point_rounds` that they were scored in leave out, over
    all rule sets, those of `OTHER_POINTS`.
    """

    begun: int
    games: int
    wins: int
    places: int
    sums: Sums
    points: int = 0
    point_rounds: int = 0


class Span(NamedTuple):
    """When games began: at `since` or later, and before `until`."""

    since: str = ""
    until: str = "~"  # sorts after every moment


EVER = Span()
NONE = Totals(0, 0, 0, 0, Sums())


class Record(NamedTuple):
    """Records of a player: games won in a row, and the largest deficit before winning."""

    run: int
    comeback: int


class Played(NamedTuple):
    """A game of a player; `place` among `sides` is None until the game is over."""

    game_id: str
    started: str
    rules: str
    place: int | None
    sides: int
    rounds: int
    points: int
    bids: int
    bid_tricks: int
    taken: int


class Pair(NamedTuple):
    """Finished games of a player against another player, and with them as partner."""

    other: Player
    against: int
    ahead: int
    behind: int
    together: int
    together_won: int


def _sum(column: str) -> str:
    return f"CAST(coalesce(sum({column}), 0) AS BIGINT)"  # PostgreSQL's sums are no integers


APART = ", ".join(f"'{book}'" for book in OTHER_POINTS)
COUNTS = (
    "count(*), count(place), count(*) FILTER (WHERE place = 1), "
    f"{_sum('place')}, {', '.join(_sum(name) for name in Sums._fields)}"
)


def totals_of(db: Database, table_id: str, player_id: int, span: Span = EVER) -> dict[str, Totals]:
    """Return the totals of a player by rule set, and over all of them under `all`."""
    condition = "AND player_id = ? AND started >= ? AND started < ?"
    by_rules = _totals(db, table_id, condition, player_id, *span).get(player_id, {})
    return {ALL: _added(by_rules), **by_rules} if by_rules else {}


def begun(db: Database, table_id: str, player_id: int) -> int:
    """Return the number of games of a player, without removed ones."""
    query = "SELECT count(*) FROM player_games WHERE table_id = ? AND player_id = ?"
    return scalar(db, query, [table_id, player_id]) or 0


def record_of(
    db: Database, table_id: str, player_id: int, rules: str = ALL, span: Span = EVER
) -> Record:
    """Return the records of a player, under one rule set or all.

    The deficit over all rule sets leaves out `OTHER_POINTS`.
    """
    within, values = ("", [*span]) if rules == ALL else ("AND rules = ?", [*span, rules])
    finished = (
        "FROM player_games WHERE table_id = ? AND player_id = ? "
        f"AND started >= ? AND started < ? {within} AND place IS NOT NULL"
    )
    places = db.execute(
        f"SELECT place {finished} ORDER BY started, game_id", [table_id, player_id, *values]
    )
    runs = (len(list(games)) for won, games in groupby(places, lambda row: row[0] == 1) if won)
    comparable = f"AND rules NOT IN ({APART})" if rules == ALL else ""
    comeback = scalar(
        db, f"SELECT max(comeback) {finished} {comparable}", [table_id, player_id, *values]
    )
    return Record(max(runs, default=0), comeback or 0)


def last_games(db: Database, table_id: str, player_id: int, rules: str = ALL) -> list[Played]:
    """Return the last games of a player with a scored round, newest first."""
    within, values = ("", []) if rules == ALL else ("AND rules = ?", [rules])
    rows = db.execute(
        f"SELECT {', '.join(Played._fields)} FROM player_games "
        f"WHERE table_id = ? AND player_id = ? {within} AND rounds > 0 "
        "ORDER BY started DESC, game_id DESC LIMIT ?",
        [table_id, player_id, *values, GAMES_SHOWN],
    )
    return [Played(*row) for row in rows.fetchall()]


def last_places(
    db: Database, table_id: str, player_ids: Sequence[int], rules: str = ALL
) -> dict[int, list[int]]:
    """Return the places of players in their last `FORM_SHOWN` finished games, newest last."""
    within, values = ("", []) if rules == ALL else ("AND rules = ?", [rules])
    places = ", ".join("?" * len(player_ids)) or "NULL"
    rows = db.execute(
        "SELECT player_id, place FROM (SELECT player_id, place, row_number() OVER "
        "(PARTITION BY player_id ORDER BY started DESC, game_id DESC) AS nth FROM player_games "
        f"WHERE table_id = ? AND player_id IN ({places}) {within} AND place IS NOT NULL) AS latest "
        "WHERE nth <= ? ORDER BY player_id, nth DESC",
        [table_id, *player_ids, *values, FORM_SHOWN],
    ).fetchall()
    found: dict[int, list[int]] = {player_id: [] for player_id in player_ids}
    for player_id, place in rows:
        found[player_id].append(place)
    return found


def pairs_of(db: Database, table_id: str, player_id: int, span: Span = EVER) -> list[Pair]:
    """Return the other players met most often in finished games."""
    rows = db.execute(
        # SQLite takes the tables of a CROSS JOIN in this order.
        "SELECT other.player_id, count(*) FILTER (WHERE other.side <> own.side), "
        "count(*) FILTER (WHERE other.side <> own.side AND own.place < other.place), "
        "count(*) FILTER (WHERE other.side <> own.side AND own.place > other.place), "
        "count(*) FILTER (WHERE other.side = own.side), "
        "count(*) FILTER (WHERE other.side = own.side AND own.place = 1) "
        "FROM player_games AS own CROSS JOIN player_games AS other "
        "WHERE own.table_id = ? AND own.player_id = ? AND other.table_id = own.table_id "
        "AND other.game_id = own.game_id AND other.player_id <> own.player_id "
        "AND own.place IS NOT NULL AND other.place IS NOT NULL "
        "AND own.started >= ? AND own.started < ? "
        "GROUP BY other.player_id ORDER BY count(*) DESC, other.player_id LIMIT ?",
        [table_id, player_id, *span, OTHERS_SHOWN],
    ).fetchall()
    others = _players(db, table_id, [other for other, *_counts in rows])
    return [Pair(others[other], *counts) for other, *counts in rows]


class Counted(NamedTuple):
    """How many rows the files of a selection have: for each game and player, and each round too.

    None is what was not counted. `players` are those who took part.
    """

    games: int | None
    rounds: int | None
    players: int


def counted_rows(db: Database, table_id: str, rules: str = ALL, span: Span = EVER) -> Counted:
    """Return how many rows the files have of the games of a rule book, or all, that began then."""
    within, values = ("", [*span]) if rules == ALL else ("AND rules = ?", [*span, rules])
    chosen = f"FROM player_games WHERE table_id = ? AND started >= ? AND started < ? {within}"
    # Games of which no round is scored have no rows.
    games, rounds = db.execute(
        f"SELECT {_sum('people')}, {_sum('rounds')} FROM (SELECT count(*) AS people, "
        f"sum(rounds) AS rounds {chosen} GROUP BY game_id HAVING sum(rounds) > 0) AS played",
        [table_id, *values],
    ).fetchone()
    players = scalar(db, f"SELECT count(DISTINCT player_id) {chosen}", [table_id, *values])
    return Counted(games, rounds, players or 0)


def rule_books_of(db: Database, table_id: str) -> list[str]:
    """Return the rule books that a table has played, those with most games first."""
    rows = db.execute(
        "SELECT rules FROM games WHERE table_id = ? AND removed IS NULL "
        "GROUP BY rules ORDER BY count(*) DESC, rules",
        [table_id],
    )
    return [key for (key,) in rows.fetchall()]


def most_wins(db: Database, table_id: str, since: str) -> list[tuple[Player, int]]:
    """Return the players who won games that began `since` then and their wins, the most first."""
    rows = db.execute(
        "SELECT player_id, count(*) FROM player_games WHERE table_id = ? AND place = 1 "
        "AND started >= ? GROUP BY player_id ORDER BY count(*) DESC, player_id LIMIT ?",
        [table_id, since, OTHERS_SHOWN],
    ).fetchall()
    people = _players(db, table_id, [player_id for player_id, _wins in rows])
    return [(people[player_id], wins) for player_id, wins in rows]


def players_of(
    db: Database, table_id: str, rules: str = ALL, after: int | None = None, span: Span = EVER
) -> tuple[list[tuple[Player, Totals]], int | None] | None:
    """Return a page of players, those with most games first, and the last one if there are more.

    The page begins after the player `after`; None where that is no player of the table.
    """
    within, values = ("", [*span]) if rules == ALL else ("AND rules = ?", [*span, rules])
    found = _totals(db, table_id, f"AND started >= ? AND started < ? {within}", *values)
    totals = {player_id: _added(by_rules, rules) for player_id, by_rules in found.items()}
    order = sorted(totals, key=lambda one: (-totals[one].begun, one))
    if after is not None and after not in totals:
        return None
    first = 0 if after is None else order.index(after) + 1
    page = order[first : first + PLAYERS_SHOWN]
    people = _players(db, table_id, page)
    shown = [(people[one], totals[one]) for one in page]
    return shown, page[-1] if len(order) > first + PLAYERS_SHOWN else None


def _players(db: Database, table_id: str, player_ids: Sequence[int]) -> dict[int, Player]:
    """Return players of a table by their ids."""
    places = ", ".join("?" * len(player_ids)) or "NULL"
    rows = db.execute(
        f"SELECT {PLAYER} FROM players WHERE table_id = ? AND id IN ({places})",
        [table_id, *player_ids],
    )
    return {player.id: player for player in map(Player.of_row, rows.fetchall())}


def _totals(
    db: Database, table_id: str, condition: str = "", *values: object
) -> dict[int, dict[str, Totals]]:
    """Return the totals of players by rule set, counted from the games for which it holds."""
    found: dict[int, dict[str, Totals]] = {}
    rows = db.execute(
        f"SELECT player_id, rules, {COUNTS} FROM player_games WHERE table_id = ? {condition} "
        "GROUP BY player_id, rules",
        [table_id, *values],
    )
    for player_id, rules, begun, games, wins, places, *counts in rows:
        sums = Sums(*counts)
        totals = Totals(begun, games, wins, places, sums, sums.points, sums.rounds)
        found.setdefault(player_id, {})[rules] = totals
    return found


def _added(by_rules: Mapping[str, Totals], rules: str = ALL) -> Totals:
    """Return the totals under one rule set, or over all of those given."""
    if rules != ALL:
        return by_rules[rules]
    every = by_rules.values()
    begun, games, wins, places = map(sum, zip(*(one[:4] for one in every), strict=True))
    sums = Sums(*map(sum, zip(*(one.sums for one in every), strict=True)))
    alike = [one for key, one in by_rules.items() if key not in OTHER_POINTS]
    points, rounds = sum(one.points for one in alike), sum(one.point_rounds for one in alike)
    return Totals(begun, games, wins, places, sums, points, rounds)
