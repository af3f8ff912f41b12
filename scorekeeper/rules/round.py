"""The facts of one round: bids, tricks, and its notes, each of which is declared once.

What stores, reads or shows a round takes from the declarations what a note may be: the database and
the phones (`to_json`, `from_json`), the files and the API, and the journal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

from scorekeeper.rules.bidding import Bids, parse_bid
from scorekeeper.rules.penalties import MAX_PENALTIES, Penalty
from scorekeeper.rules.seating import Substitute
from scorekeeper.rules.sentence import Refusal, refuse
from scorekeeper.rules.values import LARGEST, MOST_CARDS, MOST_PLAYERS

LONGEST_REMARK = 500  # characters


class Flag(NamedTuple):
    """True or false."""

    default: bool = False


class Count(NamedTuple):
    """A whole number, or None; `code` is that of the refusal of one that no game can have."""

    low: int
    high: int
    code: str
    default: None = None


class Counts(NamedTuple):
    """Whole numbers, at most one for each seat, refused as a `Count` is."""

    low: int
    high: int
    code: str
    default: tuple[int, ...] = ()


class Text(NamedTuple):
    """What somebody wrote, in one line; `code` is that of the refusal of a longer one."""

    longest: int  # in characters
    code: str
    default: str = ""


class Choice(NamedTuple):
    """One of these words, or None; `code` is that of the refusal of another."""

    words: tuple[str, ...]
    code: str
    default: None = None


class Records(NamedTuple):
    """Values of several members, each for a seat."""

    of: type[Penalty] | type[Substitute]
    most: int
    default: tuple[Any, ...] = ()


Kind = Flag | Count | Counts | Text | Choice | Records


class Needed(NamedTuple):
    """The rule, and its value, without which nobody adds a note; `code` is that of its refusal."""

    rule: str
    value: object
    code: str


class Note(NamedTuple):
    """What is known of a note: what it may be, and what the journal calls a change of it.

    `about` says in the API document what it is. One `of_deal` decides who plays or how many cards
    there are. One of the game is in its first round alone: `later` is the refusal of another.
    One that only some rules have `needs` one of their values; it stays where that is changed later.
    """

    kind: Kind
    word: str
    about: str
    of_deal: bool = False
    later: str = ""
    needs: Needed | None = None


def note(kind: Kind, word: str, about: str, **more: Any) -> Any:
    """Declare a note of a round."""
    return field(default=kind.default, metadata={"note": Note(kind, word, about, **more)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Notes:
    """What else is known of a round, in the order in which it is stored.

    A note that is added later must default to nothing, so that stored rounds stay as they are.
    `substitutes` take or leave their seats from this round on. `cards` are those that each player
    was dealt, where they are not those of the rules' list. The first round has what was written
    about the whole game, and the totals and bags that the game began with, of the first seat of
    each side.
    """

    penalties: tuple[Penalty, ...] = note(
        Records(Penalty, MAX_PENALTIES), "penalty", "Penalties, and points given by hand."
    )
    last_round: bool = note(
        Flag(), "last_round", "Time is up: the game ends with this round, or in a tie after it."
    )
    substitutes: tuple[Substitute, ...] = note(
        Records(Substitute, MOST_PLAYERS),
        "substitute",
        "Players who take a seat from this round on.",
        of_deal=True,
    )
    remark: str = note(Text(LONGEST_REMARK, "remark"), "note", "A note on the round.")
    game_remark: str = note(
        Text(LONGEST_REMARK, "remark"),
        "note",
        "A note on the game, which only round 1 can have.",
        later="game_remark",
    )
    cards: int | None = note(
        Count(1, MOST_CARDS, "cards_dealt"),
        "cards",
        "Cards of each player, where the table dealt others than the rules list; null: those.",
        of_deal=True,
    )
    start: tuple[int, ...] = note(
        Counts(-LARGEST, LARGEST, "start_points"),
        "start",
        "The total that each side began with, or each player; only in round 1.",
        later="start_first",
    )
    start_bags: tuple[int, ...] = note(
        Counts(0, LARGEST, "start_bags"),
        "start",
        "The bags that each side began with, beside start.",
        later="start_first",
    )
    trump: str | None = note(
        Choice(("s", "h", "d", "c", "n"), "trump"),
        "note",
        "The suit that was turned as trump, by its first letter; n: none; null: not noted.",
        needs=Needed("trump", "turned", "trump_fixed"),
    )

    def to_json(self) -> dict[str, Any]:
        """Return the notes as JSON, without what is not there; empty for most rounds."""
        return {
            name: [one._asdict() for one in value] if isinstance(kind, Records) else value
            for name, kind in KINDS
            if (value := getattr(self, name)) != kind.default
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Self:
        """Return the notes among the facts of a round that is stored."""
        return cls(**{name: _stored(kind, facts[name]) for name, kind in KINDS if name in facts})


NOTES: Mapping[str, Note] = {one.name: one.metadata["note"] for one in fields(Notes)}
KINDS = tuple([(name, declared.kind) for name, declared in NOTES.items()])
NOTHING = Notes()


def _stored(kind: Kind, value: Any) -> Any:
    if isinstance(kind, Records):
        return tuple([kind.of(**one) for one in value])
    return tuple(value) if isinstance(kind, Counts) else value


class Round(NamedTuple):
    """The facts of one round, seat by seat: bids, and tricks once they are scored.

    `tally` holds trick counts that are still being entered; they score nothing. An empty seat has
    no bid, and takes 0 tricks.
    """

    bids: Bids
    tricks: tuple[int, ...] | None = None
    tally: tuple[int | None, ...] | None = None
    notes: Notes = NOTHING

    def noted(self, **notes: Any) -> Self:
        """Return the round with other notes."""
        return self._replace(notes=replace(self.notes, **notes))

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON, without those that nobody has entered."""
        facts: dict[str, Any] = {"bids": self.bids}
        if self.tricks is not None:
            facts["tricks"] = self.tricks
        if self.tally is not None:
            facts["tally"] = self.tally
        return facts if self.notes is NOTHING else facts | self.notes.to_json()

    @classmethod
    def from_json(cls, facts: Mapping[str, Any], names: Mapping[Any, str] | None = None) -> Self:
        """Return the round that `to_json` gave, or any program before; ids of players get `names`.

        Raises `ValueError`, `TypeError` or `LookupError` for facts of no round.
        """
        tricks, tally = facts.get("tricks"), facts.get("tally")
        entered = 1 + ("tricks" in facts) + ("tally" in facts)
        notes = NOTHING if len(facts) == entered else Notes.from_json(facts)
        if names is not None and notes.substitutes:
            named = [
                one._replace(player=one.player and names[one.player]) for one in notes.substitutes
            ]
            notes = replace(notes, substitutes=tuple(named))
        # A game is read from its rounds at every tap, so a bid that is no text is left as it is.
        return cls(
            tuple([bid if bid.__class__ is not str else parse_bid(bid) for bid in facts["bids"]]),
            None if tricks is None else tuple(tricks),
            None if tally is None else tuple(tally),
            notes,
        )


def check_notes(number: int, notes: Notes) -> list[Refusal]:
    """Return why a round of any game cannot have these notes; empty where one can."""
    found = [_wrong(number, NOTES[name], getattr(notes, name)) for name in NOTES]
    return [*filter(None, found)]


def _wrong(number: int, declared: Note, value: Any) -> Refusal | None:
    kind = declared.kind
    if declared.later and number > 1 and value != kind.default:
        return refuse(None, declared.later)
    if isinstance(kind, Text) and len(value) > kind.longest:
        return refuse(None, kind.code, most=kind.longest)
    if isinstance(kind, Choice) and value not in (None, *kind.words):
        return refuse(None, kind.code)
    if isinstance(kind, Count | Counts):
        numbers = value if isinstance(value, tuple) else () if value is None else (value,)
        if not all(kind.low <= one <= kind.high for one in numbers):
            return refuse(None, kind.code, low=kind.low, high=kind.high, most=kind.high)
    return None


def note_refusals() -> set[str]:
    """Return the codes with which notes are refused."""
    kinds = {getattr(one.kind, "code", "") for one in NOTES.values()}
    needs = {one.needs.code for one in NOTES.values() if one.needs}
    return kinds | needs | {one.later for one in NOTES.values()}


def changed_notes(before: Notes, after: Notes) -> list[str]:
    """Return the names of the notes that differ, those of the deal first."""
    differ = [name for name in NOTES if getattr(before, name) != getattr(after, name)]
    return sorted(differ, key=lambda name: not NOTES[name].of_deal)


def note_kind(before: Notes, after: Notes) -> str:
    """Return what the journal calls a change of notes: "note" where there is nothing else."""
    words = [NOTES[name].word for name in changed_notes(before, after)]
    return next((word for word in words if word != "note"), "note")
