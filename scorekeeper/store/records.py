"""Records of a table and its best pairs: queries of finished games, and of scored rounds."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from scorekeeper.rules.luck import Luck, added, luck_of
from scorekeeper.store.connection import Database
from scorekeeper.store.games import load_games
from scorekeeper.store.player_games import seating_of
from scorekeeper.store.players import Player
from scorekeeper.store.statistics import WINNERS, Selection, people_of

MOST_SHARED = 20  # of the rounds and games that share a record
MIN_TOGETHER = 4  # finished games, of a pair that is shown


class Feat(NamedTuple):
    """What was reached in a game, or in one round of it, by one side of players."""

    value: int
    game_id: str
    started: str
    player_ids: tuple[int, ...]
    round: int | None = None


class Ended(NamedTuple):
    """A finished game of a player."""

    started: str
    game_id: str
    rules: str
    player_id: int
    side: int
    place: int
    sides: int
    comeback: int
    rounds: int
    points: int
    bags: int


class Together(NamedTuple):
    """Two partners, and their wins against luck."""

    players: tuple[Player, Player]
    luck: Luck


Feats = list[Feat]
Side = list[Ended]


def records_of(db: Database, table_id: str, wanted: Selection, book: str) -> dict[str, Feats]:
    """Return the records of the chosen games by name, each with all who share it.

    Those of points are of one rule book among them; the others compare every game.
    """
    ended = ended_games(db, table_id, wanted)
    sides = _sides(ended)
    won = [side for side in sides if side[0].place == 1]
    of_book = [side for side in sides if side[0].rules == book]
    chosen = wanted._replace(rules=book)
    found = {
        "round": _largest(_rounds(db, table_id, chosen)),
        "game": _best(of_book, lambda one: one.points),
        "comeback": _best(of_book, lambda one: one.comeback),
        "closest": _closest(db, table_id, chosen, won),
        "bags": _best(of_book, lambda one: one.bags),
        "run": _largest(_runs(ended)),
        "running": _largest(_runs(ended, only_last=True)),
        "longest": _best(won, lambda one: one.rounds),
    }
    return {name: feats for name, feats in found.items() if feats}


def moments_of(
    db: Database, table_id: str, ended: Sequence[Ended], wanted: Selection
) -> dict[str, Feats]:
    """Return a few records of finished games: the best round, comeback, streak and game.

    Those of points are of the rule book of the selection.
    """
    of_book = _sides(one for one in ended if one.rules == wanted.rules)
    found = {
        "round": _largest(_rounds(db, table_id, wanted)),
        "comeback": _best(of_book, lambda one: one.comeback),
        "run": _largest(_runs(ended)),
        "game": _best(of_book, lambda one: one.points),
    }
    return {name: feats for name, feats in found.items() if feats}


def ended_games(db: Database, table_id: str, wanted: Selection) -> list[Ended]:
    """Return the finished games of all players, the first one first."""
    condition, values = wanted.where()
    rows = db.execute(
        f"SELECT {', '.join(Ended._fields)} FROM player_games AS own WHERE own.table_id = ? "
        f"AND own.place IS NOT NULL {condition} ORDER BY own.started, own.game_id, own.side, "
        "own.player_id",
        [table_id, *values],
    )
    return [*map(Ended._make, rows.fetchall())]


def _largest(feats: Iterable[Feat]) -> Feats:
    """Return the feats of the largest value above 0, the first one first."""
    known = list(feats)
    most = max((one.value for one in known), default=0)
    return [one for one in known if one.value == most > 0]


def _sides(ended: Iterable[Ended]) -> list[Side]:
    """Return the sides of each game, with the players who sat on them."""
    return [list(group) for _key, group in groupby(ended, lambda one: (one.game_id, one.side))]


def _best(sides: Iterable[Side], value: Callable[[Ended], int]) -> Feats:
    """Return the feats of the sides of the largest value above 0, the first one first."""
    known = list(sides)
    most = max((value(one) for side in known for one in side), default=0)
    best = [side for side in known if any(value(one) == most > 0 for one in side)]
    return [_feat(most, side) for side in best]


def _feat(value: int, side: Side) -> Feat:
    ids = tuple(one.player_id for one in side)
    return Feat(value, side[0].game_id, side[0].started, ids)


def _runs(ended: Iterable[Ended], *, only_last: bool = False) -> Feats:
    """Return the games won in a row of each player, at the last game of each run."""
    runs: dict[int, Feat] = {}
    found = []
    for one in ended:
        before = runs.pop(one.player_id, None)
        if one.place == 1:
            value = before.value + 1 if before else 1
            runs[one.player_id] = Feat(value, one.game_id, one.started, (one.player_id,))
            found.append(runs[one.player_id])
    return [one for one in (runs.values() if only_last else found) if one.value > 1]


def _closest(db: Database, table_id: str, wanted: Selection, sides: Sequence[Side]) -> Feats:
    """Return the wins by the fewest points, which may be none."""
    condition, values = wanted.where()
    rows = db.execute(
        "SELECT game_id, won - other FROM (SELECT own.game_id, "
        "max(total) FILTER (WHERE own.place = 1) AS won, "
        "max(total) FILTER (WHERE own.place > 1) AS other "
        "FROM player_games AS own JOIN outcomes ON outcomes.table_id = own.table_id "
        "AND outcomes.game_id = own.game_id JOIN results ON results.table_id = own.table_id "
        "AND results.game_id = own.game_id AND results.round = outcomes.round "
        f"AND results.side = own.side WHERE own.table_id = ? {condition} "
        "AND own.place IS NOT NULL GROUP BY own.game_id) AS finished "
        "WHERE won >= other ORDER BY won - other LIMIT ?",
        [table_id, *values, MOST_SHARED],
    )
    leads: dict[str, int] = dict(rows.fetchall())
    least = min(leads.values(), default=0)
    return [_feat(least, side) for side in sides if leads.get(side[0].game_id) == least]


def _rounds(db: Database, table_id: str, wanted: Selection) -> Feats:
    """Return the rounds of the most points, each with who sat on the side."""
    condition, values = wanted.where()
    rows = db.execute(
        "SELECT points, game_id, round, seat FROM results WHERE table_id = ? AND game_id IN "
        f"(SELECT own.game_id FROM player_games AS own WHERE own.table_id = ? {condition}) "
        "ORDER BY points DESC, game_id, round, seat LIMIT ?",
        [table_id, table_id, *values, MOST_SHARED],
    ).fetchall()
    best = [row for row in rows if row[0] == rows[0][0]]
    games = {game.id: game for game in load_games(db, table_id, [*{row[1] for row in best}])}
    found = []
    for (points, game_id, number), group in groupby(best, lambda row: row[:3]):
        if game := games.get(game_id):
            seated = seating_of(db, game)
            seats = seated.rounds[number - 1] if seated.rounds else seated.players
            sides: dict[int, list[int]] = {}
            for *_row, seat in group:
                if (player_id := seats[seat]) is not None:
                    sides.setdefault(game.state.side_of(seat), []).append(player_id)
            for ids in sides.values():
                found.append(Feat(points, game_id, game.started, tuple(ids), number))
    return sorted(found, key=lambda one: (one.started, one.game_id, one.round))


def best_pairs(
    db: Database, table_id: str, wanted: Selection, player_id: int | None = None
) -> list[Together]:
    """Return the partners of at least `MIN_TOGETHER` finished games by wins against luck.

    They are those of one player, if one is named.
    """
    condition, values = wanted.where()
    having, own = "", []
    if player_id is not None:
        having, own = "AND (min(player_id) = ? OR max(player_id) = ?)", [player_id, player_id]
    rows = db.execute(
        "SELECT one, other, sides, winners, count(*), count(*) FILTER (WHERE place = 1) FROM ("
        "SELECT min(player_id) AS one, max(player_id) AS other, max(sides) AS sides, "
        "min(place) AS place, max(winners) AS winners "
        f"FROM (SELECT own.*, {WINNERS} FROM player_games AS own WHERE own.table_id = ? "
        f"AND own.place IS NOT NULL {condition}) AS latest GROUP BY game_id, side "
        f"HAVING count(*) = 2 {having}) AS finished GROUP BY one, other, sides, winners",
        [table_id, *values, *own],
    )
    found: dict[tuple[int, int], Luck] = {}
    for one, other, sides, winners, games, wins in rows.fetchall():
        luck = luck_of(sides, games, wins, winners, games)
        found[one, other] = added([found.get((one, other), Luck()), luck])
    pairs = sorted(
        (pair for pair, luck in found.items() if luck.games >= MIN_TOGETHER),
        key=lambda pair: (-found[pair].ahead, pair),
    )
    people = people_of(db, table_id, {one for pair in pairs for one in pair})
    return [Together((people[one], people[other]), found[one, other]) for one, other in pairs]
