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
from scorekeeper.store.stats.player_stats import PlayerStats, Seating, Sums, player_stats
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
    """Insert the statistics of a game that has just begun, or is counted anew."""
    key = [table_id, game_id]
    of_game = " UNION ".join(  # which leaves each player once
        "SELECT games.table_id, player_id, started, game_id, rules FROM games "
        f"JOIN {seats} ON {seats}.table_id = games.table_id AND game_id = games.id "
        "WHERE games.table_id = ? AND games.id = ? AND player_id IS NOT NULL"
        for seats in ("seats", "substitutes")
    )
    rows = db.execute(
        "INSERT INTO player_games (table_id, player_id, started, game_id, rules) "
        f"{of_game} RETURNING player_id, rules",
        key * 2,
    ).fetchall()
    none = (0,) * (len(TOTALS) - 4)
    totals = [(table_id, one, key, 1, *none) for one, rules in rows for key in (rules, ALL)]
    db.executemany(ADD["player_totals"], totals)


def update(db: Database, game: Game, first_round: int = 1, state: GameState | None = None) -> None:
    """Update the statistics of a game whose scored rounds have changed from a round on.

    Without the state before the change, all of its rounds are counted again.
    """
    if state is None:
        seating = seating_of(db, game)
        before = stored_shares(db, game, seating)
        stored = {share.player_id for share in before}  # not all, where rows were lost
        after = [one for one in player_stats(game.state, seating) if one.player_id in stored]
    else:  # the rounds before `first_round` are the same in both
        seating = Seating(game.player_ids)
        before = player_stats(state, seating, first_round)
        after = player_stats(game.state, seating, first_round)
    sides = len({side for round_ in game.state.rounds for side in round_.after.playing})
    rows = [
        (game.table_id, now.player_id, game.started, game.id, game.rules.key, sides, now.place,
         now.comeback, *(added - gone for added, gone in zip(now.sums, then.sums, strict=True)))
        for then, now in zip(before, after, strict=True)
    ]  # fmt: skip
    db.executemany(CHANGE, rows)
    _add_totals(db, game, before, after, begun=0)
    _follow_places(db, game, seating, before, after)


def forget(db: Database, game: Game) -> None:
    """Delete the statistics of a game that is removed."""
    seating = seating_of(db, game)
    before = stored_shares(db, game, seating)
    db.executemany(
        "DELETE FROM player_games WHERE table_id = ? AND player_id = ? AND started = ? "
        "AND game_id = ?",
        [(game.table_id, one, game.started, game.id) for one in seating.players],
    )
    after = [PlayerStats(share.player_id, None, 0, Sums()) for share in before]
    _add_totals(db, game, before, after, begun=-1)
    db.executemany(
        "DELETE FROM player_totals WHERE table_id = ? AND player_id = ? AND begun = 0",
        [(game.table_id, share.player_id) for share in before],
    )
    _follow_places(db, game, seating, before, after)


def seating_of(db: Database, game: Game) -> Seating:
    """Return who sits where in the rounds of a game as it is stored, by ids."""
    key = [game.table_id, game.id]
    starters = db.execute(
        "SELECT player_id FROM seats WHERE table_id = ? AND game_id = ? ORDER BY seat", key
    ).fetchall()
    players = tuple(player_id for (player_id,) in starters)
    rows = db.execute(
        "SELECT round, seat, player_id FROM substitutes WHERE table_id = ? AND game_id = ? "
        "ORDER BY round, seat",
        key,
    ).fetchall()
    if not rows:
        return Seating(players)
    later = (player_id for _n, _seat, player_id in rows if player_id is not None)
    everybody = tuple(dict.fromkeys([*players, *later]))
    seats: list[int | None] = [*players]
    rounds = []
    for number in range(1, max(game.state.number, rows[-1][0]) + 1):
        for _n, seat, player_id in (row for row in rows if row[0] == number):
            seats[seat] = player_id
        rounds.append(tuple(seats))
    return Seating(everybody, tuple(rounds))


def stored_shares(db: Database, game: Game, seating: Seating) -> list[PlayerStats]:
    """Return the stored statistics of a game, in the order of `seating.players`."""
    places = ", ".join("?" * len(seating.players))
    rows = db.execute(
        f"SELECT player_id, place, comeback, {', '.join(SUMS)} FROM player_games "
        f"WHERE table_id = ? AND started = ? AND game_id = ? AND player_id IN ({places})",
        [game.table_id, game.started, game.id, *seating.players],
    )
    found = {row[0]: PlayerStats(row[0], row[1], row[2], Sums(*row[3:])) for row in rows}
    return [found[player_id] for player_id in seating.players if player_id in found]


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
    db: Database,
    game: Game,
    seating: Seating,
    before: Sequence[PlayerStats],
    after: Sequence[PlayerStats],
) -> None:
    """Update pairs and streaks where the places in a finished game have changed."""
    if [share.place for share in before] == [share.place for share in after]:
        return
    db.executemany(ADD["player_pairs"], _pairs(game, seating, before, -1))
    db.executemany(ADD["player_pairs"], _pairs(game, seating, after, 1))
    for share in after:
        db.execute(
            "DELETE FROM player_pairs WHERE table_id = ? AND player_id = ? "
            "AND against + together = 0",
            [game.table_id, share.player_id],
        )
        repair_streaks(db, game.table_id, share.player_id, game.rules.key, (game.started, game.id))


def _pairs(
    game: Game, seating: Seating, given: Sequence[PlayerStats], sign: int
) -> list[tuple[Any, ...]]:
    """Return the rows of each pair of players who have a place."""
    rows = []
    placed = [one for one in given if one.place is not None]
    sides = {one.player_id: _side_of(game, seating, one.player_id) for one in placed}
    for one in placed:
        for other in placed:
            if one is other or one.place is None or other.place is None:
                continue
            if sides[one.player_id] == sides[other.player_id]:
                met = (0, 0, 0, 1, int(one.place == 1))
            else:
                met = (1, int(one.place < other.place), int(one.place > other.place), 0, 0)
            counts = (sign * count for count in met)
            rows.append((game.table_id, one.player_id, other.player_id, *counts))
    return rows


def _side_of(game: Game, seating: Seating, player_id: int) -> int:
    """Return the side for which a player sat in the last round that was scored."""
    seat = seating.seat_in(len(game.state.rounds), player_id)
    return game.state.side_of(seat or 0)
