"""What happens in a club night: its facts, in the order in which they are stored."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from scorekeeper.club.match import Result, Seating
from scorekeeper.club.standings import Penalty, Scoring

Format = Literal[
    "all_play_all", "halves", "swiss", "knock_out", "change_partners", "progressive"
]  # fmt: skip
FORMATS: tuple[Format, ...] = get_args(Format)
SINGLES = {"change_partners", "progressive"}  # whose entries are one player each


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How an evening is played. `seed` is that of its lots.

    `matches` is how many are meant to be played; None: as many as the format has. `alone` each
    player of a table scores for oneself, in formats for singles.
    """

    format: Format
    seed: int
    matches: int | None = None
    alone: bool = False
    scoring: Scoring = field(default_factory=Scoring)


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
    SetUp | Entered | Left | Returned | Replaced | Paired | Started | Closed | Reopened | Reported
    | Penalised | PlayedOff | KnockOutFollows | Ended
)  # fmt: skip
EVENTS: Mapping[str, type[Event]] = {one.__name__: one for one in get_args(Event)}
VALUES: Mapping[str, type[Any]] = {
    "plan": Plan, "scoring": Scoring, "seating": Seating, "result": Result, "penalty": Penalty,
}  # fmt: skip


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON."""
    return {"event": type(event).__name__, **asdict(event)}


def from_json(facts: Mapping[str, Any]) -> Event:
    """Return the event that `to_json` gave.

    Raises `ValueError`, `TypeError` or `LookupError` for facts of no event.
    """
    members = {name: _value(name, value) for name, value in facts.items() if name != "event"}
    return EVENTS[facts["event"]](**members)


def _value(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return VALUES[name](**{inner: _value(inner, own) for inner, own in value.items()})
    return _tuples(value)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
