"""Player statistics, updated with every scored round.

`player_games` holds the statistics of one player in one game, `player_totals` their sums by player
and rule set, `player_pairs` the finished games of two players. When a game changes, its old values
are subtracted and the new ones added, so that no other game is read.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from scorekeeper.rules.game import GameState
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.stats.player_stats import PlayerStats, Sums, player_stats
from scorekeeper.store.stats.streaks import repair_streaks

ALL = "all"  # in the column `rules`: all rule sets together
SUMS = Sums._fields
TOTALS = ("table_id", "player_id", "rules", "begun", "games", "wins", "places", *SUMS)
PAIRS = (
    "table_id", "player_id", "other_id", "against", "ahead", "behind", "together", "together_won",
)  # fmt: skip
ADD = {  # adds to a row, which is inserted where it is missing
    table: f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) "
    f"ON CONFLICT ({', '.join(names[:3])}) DO UPDATE SET "
    + ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in names[3:])
    for table, names in (("player_totals", TOTALS), ("player_pairs", PAIRS))
}
GAMES = ("table_id", "player_id", "started", "game_id", "rules", "sides", "place", "comeback",
         *SUMS)  # fmt: skip
CHANGE = (  # adds to the sums of a game
    f"INSERT INTO player_games ({', '.join(GAMES)}) VALUES ({', '.join('?' * len(GAMES))}) "
    f"ON CONFLICT ({', '.join(GAMES[:4])}) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in GAMES[5:8])
    + "".join(f", {name} = player_games.{name} + excluded.{name}" for name in SUMS)
)


def begin(db: Database, table_id: str, game_id: str) -> None:
    """Insert the statistics of a game that has just begun."""
    rows = db.execute(
        "INSERT INTO player_games (table_id, player_id, started, game_id, rules) "
        "SELECT seats.table_id, player_id, started, game_id, rules FROM seats "
        "JOIN games ON games.table_id = seats.table_id AND games.id = game_id "
        "WHERE seats.table_id = ? AND game_id = ? RETURNING player_id, rules",
        [table_id, game_id],
    ).fetchall()
    none = (0,) * (len(TOTALS) - 4)
    totals = [(table_id, one, key, 1, *none) for one, rules in rows for key in (rules, ALL)]
    db.executemany(ADD["player_totals"], totals)


def update(db: Database, game: Game, first_round: int = 1, state: GameState | None = None) -> None:
    """Update the statistics of a game whose scored rounds have changed from a round on.

    Without the state before the change, all of its rounds are counted again.
    """
    if state is None:
        before = stored_shares(db, game)
        after = player_stats(game.state, [share.player_id for share in before])
    else:  # the rounds before `first_round` are the same in both
        before = player_stats(state, game.player_ids, first_round)
        after = player_stats(game.state, game.player_ids, first_round)
    sides = len(game.state.sides) if game.state.rounds else 0
    rows = [
        (game.table_id, now.player_id, game.started, game.id, game.rules.key, sides, now.place,
         now.comeback, *(added - gone for added, gone in zip(now.sums, then.sums, strict=True)))
        for then, now in zip(before, after, strict=True)
    ]  # fmt: skip
    db.executemany(CHANGE, rows)
    _add_totals(db, game, before, after, begun=0)
    _follow_places(db, game, before, after)


def forget(db: Database, game: Game) -> None:
    """Delete the statistics of a game that is removed."""
    before = stored_shares(db, game)
    db.execute(
        "DELETE FROM player_games WHERE table_id = ? AND started = ? AND game_id = ? "
        "AND player_id IN (SELECT player_id FROM seats WHERE table_id = ? AND game_id = ?)",
        [game.table_id, game.started, game.id, game.table_id, game.id],
    )
    after = [PlayerStats(share.player_id, None, 0, Sums()) for share in before]
    _add_totals(db, game, before, after, begun=-1)
    db.executemany(
        "DELETE FROM player_totals WHERE table_id = ? AND player_id = ? AND begun = 0",
        [(game.table_id, share.player_id) for share in before],
    )
    _follow_places(db, game, before, after)


def stored_shares(db: Database, game: Game) -> list[PlayerStats]:
    """Return the stored statistics of a game, seat by seat."""
    rows = db.execute(
        f"SELECT p.player_id, place, comeback, {', '.join(SUMS)} FROM seats "
        "JOIN player_games AS p ON p.table_id = seats.table_id AND p.player_id = seats.player_id "
        "AND p.started = ? AND p.game_id = seats.game_id "
        "WHERE seats.table_id = ? AND seats.game_id = ? ORDER BY seat",
        [game.started, game.table_id, game.id],
    )
    return [PlayerStats(row[0], row[1], row[2], Sums(*row[3:])) for row in rows.fetchall()]


def _add_totals(
    db: Database,
    game: Game,
    before: Iterable[PlayerStats],
    after: Iterable[PlayerStats],
    begun: int,
) -> None:
    rows: list[tuple[Any, ...]] = []
    for old, new in zip(before, after, strict=True):
        added = [now - then for then, now in zip(_counted(old), _counted(new), strict=True)]
        if begun or any(added):
            rows += [
                (game.table_id, new.player_id, rules, begun, *added)
                for rules in (game.rules.key, ALL)
            ]
    db.executemany(ADD["player_totals"], rows)


def _counted(share: PlayerStats) -> tuple[int, ...]:
    over = share.place is not None
    return (int(over), int(share.place == 1), share.place or 0, *share.sums)


def _follow_places(
    db: Database, game: Game, before: Sequence[PlayerStats], after: Sequence[PlayerStats]
) -> None:
    """Update pairs and streaks where the places in a finished game have changed."""
    if [share.place for share in before] == [share.place for share in after]:
        return
    db.executemany(ADD["player_pairs"], _pairs(game, before, -1))
    db.executemany(ADD["player_pairs"], _pairs(game, after, 1))
    for share in after:
        db.execute(
            "DELETE FROM player_pairs WHERE table_id = ? AND player_id = ? "
            "AND against + together = 0",
            [game.table_id, share.player_id],
        )
        repair_streaks(db, game.table_id, share.player_id, game.rules.key, (game.started, game.id))


def _pairs(game: Game, given: Sequence[PlayerStats], sign: int) -> list[tuple[Any, ...]]:
    rows = []
    for seat, one in enumerate(given):
        for other_seat, other in enumerate(given):
            if seat == other_seat or one.place is None or other.place is None:
                continue
            if game.state.side_of(seat) == game.state.side_of(other_seat):
                met = (0, 0, 0, 1, int(one.place == 1))
            else:
                met = (1, int(one.place < other.place), int(one.place > other.place), 0, 0)
            counts = (sign * count for count in met)
            rows.append((game.table_id, one.player_id, other.player_id, *counts))
    return rows
