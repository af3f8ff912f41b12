"""Statistics of players: queries of `player_games`, which has a row for each player and game.

Numbers of one rule book and one number of sides are a `Group`, as points, places and contracts of
others are not comparable. What may be added over all of them are games, and wins against luck.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorekeeper.rules.luck import Luck, added, luck_of, placed
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.player_games import Sums, Tried
from scorekeeper.store.players import PLAYER, Player

ALL = "all"  # in place of a rule book: all of them together
ALONE = "alone"  # all in which every player is a side
PARTNERS = "partners"  # all with partners
KINDS: Mapping[str, tuple[str, ...]] = {
    ALONE: tuple(key for key, book in PRESETS.items() if not book.partnerships),
    PARTNERS: tuple(key for key, book in PRESETS.items() if book.partnerships),
}
GAMES_SHOWN = 20
OTHERS_SHOWN = 30
PLAYERS_SHOWN = 50


class Span(NamedTuple):
    """When games began: at `since` or later, and before `until`."""

    since: str = ""
    until: str = "~"  # sorts after every moment


EVER = Span()


class Selection(NamedTuple):
    """Which games count: a rule book, a kind of them or all, with so many sides, in a time."""

    rules: str = ALL
    sides: int | None = None
    span: Span = EVER

    @property
    def kind(self) -> str:
        """The kind of the rule books: `ALONE`, `PARTNERS` or `ALL`."""
        return next((key for key in KINDS if self.rules in (key, *KINDS[key])), ALL)

    @property
    def books(self) -> tuple[str, ...]:
        """The rule books that are chosen."""
        return KINDS.get(self.rules, tuple(PRESETS) if self.rules == ALL else (self.rules,))

    def where(self) -> tuple[str, list[object]]:
        """Return the condition for rows of `player_games` called `own`, and its values."""
        found, values = "AND own.started >= ? AND own.started < ?", [*self.span]
        books = () if self.rules == ALL else self.books
        if books:
            found += f" AND own.rules IN ({', '.join('?' * len(books))})"
        if self.sides is not None:
            found += " AND own.sides = ?"
        return found, [*values, *books, *([] if self.sides is None else [self.sides])]


EVERYTHING = Selection()


class Group(NamedTuple):
    """Games that can be compared: of one rule book, with as many sides."""

    rules: str
    sides: int


class Counts(NamedTuple):
    """What a player has of a group: games begun and finished, the sum of places, and sums."""

    begun: int
    luck: Luck
    places: int
    sums: Sums

    @property
    def numbers(self) -> dict[str, float | None]:
        """All of them by name, for programs."""
        games = {"begun": self.begun, **self.luck.numbers}
        return games | {"places": self.places} | self.sums._asdict()


class Totals(NamedTuple):
    """What a player has of the chosen games: how many began, wins against luck, and by group."""

    begun: int
    luck: Luck
    groups: Mapping[Group, Counts]

    @property
    def scored(self) -> list[Group]:
        """The groups with rounds; one where all games are comparable."""
        return [group for group, one in self.groups.items() if one.sums.rounds]

    @property
    def alike(self) -> Counts:
        """The counts of all games where they are comparable; else nothing but those of games."""
        if len(self.scored) == 1:
            return self.groups[self.scored[0]]._replace(begun=self.begun)
        return Counts(self.begun, self.luck, 0, Sums())


NONE = Totals(0, Luck(), {})


class Standing(NamedTuple):
    """A player among those who played the chosen games; `place` is None for too few games."""

    player: Player
    place: int | None
    totals: Totals


class Record(NamedTuple):
    """Records of a player: games won in a row, and the largest deficit before winning."""

    run: int
    comeback: int


class Played(NamedTuple):
    """A game of a player; `place` among `sides` is None until the game is over.

    `lowest` is the lowest place of the game, which its last ones may share.
    """

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
    lowest: int | None = None


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


# How many sides share the first place of a game that the player has won.
WINNERS = (
    "CASE WHEN own.place = 1 THEN (SELECT count(DISTINCT won.side) FROM player_games AS won "
    "WHERE won.table_id = own.table_id AND won.game_id = own.game_id AND won.place = 1) "
    "ELSE 1 END AS winners"
)
COUNTS = f"count(*), count(place), count(*) FILTER (WHERE place = 1), {_sum('place')}"
LOWEST = (
    "(SELECT max(other.place) FROM player_games AS other WHERE other.table_id = own.table_id "
    "AND other.game_id = own.game_id)"
)


def totals_of(
    db: Database, table_id: str, player_id: int, wanted: Selection = EVERYTHING
) -> Totals:
    """Return what a player has of the chosen games."""
    return _totals(db, table_id, wanted, player_id).get(player_id, NONE)


def standings(
    db: Database, table_id: str, wanted: Selection = EVERYTHING, *, with_sums: bool = True
) -> list[tuple[int, int | None, Totals]]:
    """Return the ids, places and totals of all who played, ordered by wins against luck.

    Those of too few games come last and have no place. Without the sums over rounds, of which only
    these are counted, it takes half of the time.
    """
    totals = _totals(db, table_id, wanted, summed=Sums._fields if with_sums else ("rounds",))
    places = placed({player_id: one.luck for player_id, one in totals.items()})
    return [(player_id, place, totals[player_id]) for player_id, place in places.items()]


def players_of(
    db: Database, table_id: str, wanted: Selection = EVERYTHING, after: int | None = None
) -> tuple[list[Standing], int | None] | None:
    """Return a page of `standings`, and the last player of it if there are more.

    The page begins after the player `after`; None where that is none of these.
    """
    return page_of(db, table_id, standings(db, table_id, wanted), after)


def page_of(
    db: Database,
    table_id: str,
    found: Sequence[tuple[int, int | None, Totals]],
    after: int | None = None,
) -> tuple[list[Standing], int | None] | None:
    """Return a page of standings, as `players_of` does."""
    order = [player_id for player_id, *_rest in found]
    if after is not None and after not in order:
        return None
    first = 0 if after is None else order.index(after) + 1
    page = found[first : first + PLAYERS_SHOWN]
    people = people_of(db, table_id, [player_id for player_id, *_rest in page])
    shown = [Standing(people[player_id], place, totals) for player_id, place, totals in page]
    return shown, page[-1][0] if len(found) > first + PLAYERS_SHOWN else None


def everybody(db: Database, table_id: str, wanted: Selection = EVERYTHING) -> list[Standing]:
    """Return all `standings` with their players."""
    found = standings(db, table_id, wanted)
    people = people_of(db, table_id, [player_id for player_id, *_rest in found])
    return [Standing(people[player_id], place, totals) for player_id, place, totals in found]


def most_ahead(db: Database, table_id: str, span: Span = EVER) -> list[Player]:
    """Return who won most against luck in games that began in a time; nobody if all are level."""
    found = standings(db, table_id, Selection(span=span), with_sums=False)
    ahead = {player_id: totals.luck.ahead for player_id, _place, totals in found}
    most = max(ahead.values(), default=0)
    best = sorted(player_id for player_id, wins in ahead.items() if wins == most > 0)
    people = people_of(db, table_id, best)
    return [people[player_id] for player_id in best]


def bids_of(
    db: Database, table_id: str, player_id: int, wanted: Selection = EVERYTHING
) -> dict[Group, dict[int, Tried]]:
    """Return what became of a player's bids of each number, the least first, by group."""
    condition, values = wanted.where()
    rows = db.execute(
        "SELECT rules, sides, by_number FROM player_games AS own WHERE own.table_id = ? "
        f"AND own.player_id = ? {condition} AND own.by_number <> '{{}}'",
        [table_id, player_id, *values],
    )
    texts: dict[tuple[str, int], list[str]] = {}
    for rules, sides, text in rows.fetchall():
        texts.setdefault((rules, sides), []).append(text)
    return {Group(*group): _tried(found) for group, found in texts.items()}


def _tried(texts: Sequence[str]) -> dict[int, Tried]:
    """Return the sums of stored bids by number; read as one text, they take a third of the time."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for one in json.loads(f"[{','.join(texts)}]"):
        for number, counts in one.items():
            found.setdefault(number, []).append(counts)
    return {
        int(number): Tried(*map(sum, zip(*found[number], strict=True)))
        for number in sorted(found, key=int)
    }


def begun(db: Database, table_id: str, player_id: int) -> int:
    """Return the number of games of a player, without removed ones."""
    query = "SELECT count(*) FROM player_games WHERE table_id = ? AND player_id = ?"
    return scalar(db, query, [table_id, player_id]) or 0


def finished_games(db: Database, table_id: str, spans: Sequence[Span]) -> list[dict[str, int]]:
    """Return how many games of each rule book that began in each of the spans are finished."""
    filters = ", ".join(["count(*) FILTER (WHERE started >= ? AND started < ?)"] * len(spans))
    rows = db.execute(
        f"SELECT rules, {filters} FROM (SELECT min(rules) AS rules, min(started) AS started "
        "FROM player_games WHERE table_id = ? AND place IS NOT NULL GROUP BY game_id) AS finished "
        "GROUP BY rules",
        [*(moment for span in spans for moment in span), table_id],
    ).fetchall()
    return [{rules: counts[n] for rules, *counts in rows} for n in range(len(spans))]


def record_of(
    db: Database, table_id: str, player_id: int, wanted: Selection = EVERYTHING
) -> Record:
    """Return the records of a player; the deficit is 0 over more than one rule book."""
    condition, values = wanted.where()
    finished = (
        "FROM player_games AS own WHERE own.table_id = ? AND own.player_id = ? "
        f"{condition} AND own.place IS NOT NULL"
    )
    key = [table_id, player_id, *values]
    places = db.execute(f"SELECT place {finished} ORDER BY own.started, own.game_id", key)
    runs = (len(list(games)) for won, games in groupby(places, lambda row: row[0] == 1) if won)
    query = f"SELECT max(comeback) {finished}"
    comeback = scalar(db, query, key) if wanted.rules in PRESETS else 0
    return Record(max(runs, default=0), comeback or 0)


def last_games(
    db: Database, table_id: str, player_id: int, wanted: Selection = EVERYTHING
) -> list[Played]:
    """Return the last games of a player with a scored round, newest first."""
    condition, values = wanted.where()
    rows = db.execute(
        f"SELECT {', '.join(Played._fields[:-1])}, {LOWEST} FROM player_games AS own "
        f"WHERE own.table_id = ? AND own.player_id = ? {condition} AND own.rounds > 0 "
        "ORDER BY own.started DESC, own.game_id DESC LIMIT ?",
        [table_id, player_id, *values, GAMES_SHOWN],
    )
    return [Played(*row) for row in rows.fetchall()]


def pairs_of(
    db: Database, table_id: str, player_id: int, wanted: Selection = EVERYTHING
) -> list[Pair]:
    """Return the other players met most often in finished games."""
    condition, values = wanted.where()
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
        f"AND own.place IS NOT NULL AND other.place IS NOT NULL {condition} "
        "GROUP BY other.player_id ORDER BY count(*) DESC, other.player_id LIMIT ?",
        [table_id, player_id, *values, OTHERS_SHOWN],
    ).fetchall()
    others = people_of(db, table_id, [other for other, *_counts in rows])
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
    people = people_of(db, table_id, [player_id for player_id, _wins in rows])
    return [(people[player_id], wins) for player_id, wins in rows]


def people_of(db: Database, table_id: str, player_ids: Collection[int]) -> dict[int, Player]:
    """Return players of a table by their ids."""
    places = ", ".join("?" * len(player_ids)) or "NULL"
    rows = db.execute(
        f"SELECT {PLAYER} FROM players WHERE table_id = ? AND id IN ({places})",
        [table_id, *player_ids],
    )
    return {player.id: player for player in map(Player.of_row, rows.fetchall())}


def _totals(
    db: Database,
    table_id: str,
    wanted: Selection,
    player_id: int | None = None,
    summed: Sequence[str] = Sums._fields,
) -> dict[int, Totals]:
    """Return what players have of the chosen games: all of them, or one."""
    condition, values = wanted.where()
    if player_id is not None:
        condition, values = f"AND own.player_id = ? {condition}", [player_id, *values]
    rows = db.execute(
        f"SELECT player_id, rules, sides, winners, {COUNTS}, {', '.join(map(_sum, summed))} "
        f"FROM (SELECT own.*, {WINNERS} FROM player_games AS own "
        f"WHERE own.table_id = ? {condition}) AS played "
        "GROUP BY player_id, rules, sides, winners",
        [table_id, *values],
    )
    found: dict[int, dict[Group, Counts]] = {}
    for owner, rules, sides, winners, begun, games, wins, places, *sums in rows:
        luck = luck_of(sides, games, wins, winners, places)
        counts = Counts(begun, luck, places, Sums(**dict(zip(summed, sums, strict=True))))
        groups, group = found.setdefault(owner, {}), Group(rules, sides)
        groups[group] = _added(groups[group], counts) if group in groups else counts
    return {owner: _totals_of(groups) for owner, groups in found.items()}


def _added(one: Counts, other: Counts) -> Counts:
    sums = Sums(*map(sum, zip(one.sums, other.sums, strict=True)))
    luck, places = added((one.luck, other.luck)), one.places + other.places
    return Counts(one.begun + other.begun, luck, places, sums)


def _totals_of(groups: Mapping[Group, Counts]) -> Totals:
    begun = sum(one.begun for one in groups.values())
    return Totals(begun, added(one.luck for one in groups.values()), groups)
