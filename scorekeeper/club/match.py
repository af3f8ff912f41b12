"""One match of a club night: who meets whom at which table, and what came of it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations, product
from typing import Literal

BYE = -1  # nobody: the opponent of who sits out
Side = tuple[int, ...]  # entries that score together, by their numbers
Table = tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays together: `tables[0]` is table number 1. The `byes` sit out."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()

    @property
    def entries(self) -> list[int]:
        """The entries that play or sit out, each as often as it is named."""
        return [*(one for table in self.tables for side in table for one in side), *self.byes]

    def of(self, players: Sequence[int]) -> "Seating":
        """Return the seating with the players whose places it names."""
        tables = [tuple(tuple(players[n] for n in side) for side in table) for table in self.tables]
        return Seating(tuple(tables), tuple(players[n] for n in self.byes))

    def alone(self) -> "Seating":
        """Return the same people at the same tables, each a side of one."""
        people = [tuple((one,) for side in table for one in side) for table in self.tables]
        return Seating(tuple(people), self.byes)


@dataclass(frozen=True, slots=True)
class Result:
    """The points of each side of a table, and the bags where they count.

    Sides that have `lost` are behind all others whatever their points, as by a penalty of the game.
    """

    scores: tuple[int, ...]
    bags: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides with the most points: several where they are tied."""
        playing = [side for side in range(len(self.scores)) if side not in self.lost]
        best = max(self.scores[side] for side in playing)
        return tuple(side for side in playing if self.scores[side] == best)


Status = Literal["open", "game", "hand", "confirmed", "question"]


@dataclass(frozen=True, slots=True)
class Reports:
    """What is known of one table's result: from its game, and by hand from the director.

    A result by hand counts until it is taken back. `seen` is the game's result that the director
    knew when entering it: another one that differs puts it in question.
    """

    game: Result | None = None
    hand: Result | None = None
    seen: Result | None = None

    @property
    def counted(self) -> Result | None:
        """The result that counts; None while there is none."""
        return self.game if self.status == "confirmed" else self.hand or self.game

    @property
    def status(self) -> Status:
        """Where the result comes from, and whether both agree; by hand the bags may be left out."""
        if self.hand is None:
            return "game" if self.game else "open"
        if self.game is None:
            return "hand"
        if replace(self.hand, bags=self.hand.bags or self.game.bags) == self.game:
            return "confirmed"
        return "hand" if self.game == self.seen else "question"

    def after(self, result: Result | None, by_hand: bool) -> "Reports":
        """Return the reports with one more; None takes the last of its source back."""
        if by_hand:
            return replace(self, hand=result, seen=self.game)
        return replace(self, game=result)


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a match: the moment at which it ends while it runs, else the seconds left."""

    ends: str | None
    left: int = 0

    def left_at(self, at: datetime) -> int:
        """Return the seconds left at a time."""
        ends = self.ends and datetime.fromisoformat(self.ends)
        return max(0, round((ends - at).total_seconds())) if ends else self.left


@dataclass(frozen=True, slots=True)
class Match:
    """One match at all tables: paired, running once it has started, or closed."""

    number: int
    seating: Seating
    state: Literal["paired", "running", "closed"] = "paired"
    reports: Mapping[int, Reports] = field(default_factory=dict)
    games: Mapping[int, str] = field(default_factory=dict)  # by table number
    clock: Clock | None = None
    is_last_round: bool = False  # called at all tables

    @property
    def numbers(self) -> range:
        """The numbers of its tables."""
        return range(1, len(self.seating.tables) + 1)

    @property
    def waiting(self) -> list[int]:
        """The numbers of its tables that have neither a game nor a result."""
        return [one for one in self.numbers if one not in self.games and not self.at(one).counted]

    def at(self, number: int) -> Reports:
        """Return what is known of the result at a table number."""
        return self.reports.get(number, Reports())


Pair = tuple[int, int]  # of entries, the lower number first


def pair_of(one: int, other: int) -> Pair:
    """Return two entries as a pair."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class History:
    """How often two entries have sat at one table, or been partners, and who has sat out."""

    matches: int
    met: Counter[Pair]
    partners: Counter[Pair]
    byes: Counter[int]


def history_of(seatings: Sequence[Seating]) -> History:
    """Return who has met whom in some matches."""
    history = History(len(seatings), Counter(), Counter(), Counter())
    for seating in seatings:
        history.byes.update(seating.byes)
        for table in seating.tables:
            people = [one for side in table for one in side]
            history.met.update(pair_of(*two) for two in combinations(people, 2))
            for side in table:
                history.partners.update(pair_of(*two) for two in combinations(side, 2))
    return history


def opponents(table: Table) -> Iterator[tuple[int, int, int, int]]:
    """Yield all who play against each other at a table: two sides, and an entry of each."""
    for one, other in combinations(range(len(table)), 2):
        for mine, yours in product(table[one], table[other]):
            yield one, other, mine, yours


def lot(seed: int, *about: int) -> int:
    """Return a number drawn by lot: the same for the same seed, on every computer."""
    text = " ".join(map(str, (seed, *about)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def drawn(seed: int, entries: Iterable[int], *about: int) -> list[int]:
    """Return entries in an order drawn by lot."""
    return sorted(entries, key=lambda entry: lot(seed, *about, entry))
