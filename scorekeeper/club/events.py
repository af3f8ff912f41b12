"""What happens in a club night: its facts, in the order in which they are stored."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from scorekeeper.club.match import Result, Seating
from scorekeeper.club.standings import Penalty, Scoring

Format = Literal[
    "all_play_all", "halves", "swiss", "knock_out", "change_partners", "progressive"
]  # fmt: skip
FORMATS: tuple[Format, ...] = get_args(Format)
SINGLES = {"change_partners", "progressive"}  # whose entries are one player each


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How an evening is called and played. `seed` is that of its lots.

    `matches` is how many are meant to be played; None: as many as the format has. `alone` each
    player of a table scores for oneself, in formats for singles. `rules` is the key of a rule book
    and `house_rules` what differs from it, each a name and a text. A match goes to the target of
    its rules, or is over after `rounds`, or when the clock of so many `minutes` has called the
    last round, which it does by itself or leaves to the director; it warns when `warns` minutes are
    left. `prizes` are those of the first places, as somebody wrote them.
    """

    format: Format
    seed: int
    name: str = ""
    matches: int | None = None
    alone: bool = False
    rules: str = "partnership-sandbags"
    house_rules: tuple[tuple[str, str], ...] = ()
    rounds: int | None = None
    minutes: int | None = None
    warns: int = 5
    calls_last_round: bool = False
    scoring: Scoring = field(default_factory=Scoring)
    prizes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUp:
    """The evening is set up, or its plan changed."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry joins: a team of two, or of three who take turns, or in formats for singles one."""

    entry: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """An entry goes home: it is not paired again."""

    entry: int


@dataclass(frozen=True, slots=True)
class Returned:
    """An entry that had left is paired again."""

    entry: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """Other people play for an entry, which keeps its results."""

    entry: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paired:
    """It is told who meets whom in the next match; until it starts it can be paired anew."""

    match: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class Started:
    """A match starts, which makes its pairing final."""

    match: int


@dataclass(frozen=True, slots=True)
class Closed:
    """A match is over at all tables, and counts."""

    match: int


@dataclass(frozen=True, slots=True)
class Reopened:
    """A closed match goes on; the next one, which has not started, is no longer paired."""

    match: int


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A table plays its match as this game."""

    match: int
    table: int
    game: str


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The clock of a match runs until the moment `ends`, or stands with `left` seconds.

    Before the match it counts to its start.
    """

    match: int
    ends: str | None
    left: int = 0


@dataclass(frozen=True, slots=True)
class LastRoundCalled:
    """The round in play is the last one at all tables of a match."""

    match: int


@dataclass(frozen=True, slots=True)
class LinkEnded:
    """A link of the evening opens nothing any more; the next one of its kind is another."""

    kind: Literal["slip", "wall", "poster"]
    number: int = 0  # of the table, for a slip


@dataclass(frozen=True, slots=True)
class Reported:
    """A table's result, from its game or by the director's hand; None takes it back."""

    match: int
    table: int
    result: Result | None
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Penalised:
    """The organiser gives a penalty."""

    penalty: Penalty


@dataclass(frozen=True, slots=True)
class PlayedOff:
    """Entries have played off a tie, which leaves them in this order."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnockOutFollows:
    """A knock-out of so many of the best follows."""

    best: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The evening is over."""


Event = (
    SetUp | Entered | Left | Returned | Replaced | Paired | Started | Closed | Reopened | GameBegun
    | ClockSet | LastRoundCalled | LinkEnded | Reported | Penalised | PlayedOff | KnockOutFollows
    | Ended
)  # fmt: skip
EVENTS: Mapping[str, type[Event]] = {one.__name__: one for one in get_args(Event)}


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON."""
    return {"event": type(event).__name__, **asdict(event)}


def from_json(facts: Mapping[str, Any]) -> Event:
    """Return the event that `to_json` gave.

    Raises `ValueError`, `TypeError` or `LookupError` for facts of no event.
    """
    members = dict(facts)
    event: Event = _read(EVENTS[members.pop("event")], members)
    return event


_kinds = cache(get_type_hints)  # of the members of a class


def _read(kind: Any, value: Any) -> Any:
    """Return a value of JSON as one of this kind: of a class, a tuple, a literal, or None."""
    if isinstance(kind, type) and is_dataclass(kind):
        kinds = _kinds(kind)
        return kind(**{name: _read(kinds[name], own) for name, own in dict(value).items()})
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        return tuple([_read(get_args(kind)[0], one) for one in value])
    if (get_origin(kind) is Literal and value in get_args(kind)) or type(value) is kind:
        return value
    if isinstance(kind, UnionType):
        (other,) = {*get_args(kind)} - {NoneType}
        return None if value is None else _read(other, value)
    raise ValueError(value)
