"""A rule book as a frozen dataclass: every value that scores a game, with its range."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.rules.value_kinds import Kind, number, optional, switch, word

PACK = 52  # cards; a pack with two jokers leaves out two low cards
LARGEST = 1_000_000  # points; keeps every sum far inside a 64-bit database column


class RulesRefused(ValueError):
    """A house rule that cannot be played: `field` names the value, `sentence` says what to do."""

    def __init__(self, name: str, sentence: Sentence):
        super().__init__(str(sentence))
        self.field = name
        self.sentence = sentence


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """Every value of a rule book; `None` is off.

    A value added later must default to the old behaviour, so that stored games keep their scores.
    Values that contradict one another raise `RulesRefused`.
    """

    key: str
    name: str
    players: tuple[int, ...]
    partnerships: bool = False

    target: int = number(1, LARGEST)
    tricks: int = number(1, PACK // 3)
    trick_points: int = number(0, 1000)
    set_points: int = number(0, 1000)
    nil_points: int | None = optional(1, 1000)
    blind_nil_points: int | None = optional(1, 1000)
    blind_nil_deficit: int | None = optional(1, LARGEST)
    blind_nil_partners: str = word("one", "both", default="both")
    double_nil_points: int | None = optional(1, 1000)
    failed_nil_tricks: str = word("overtricks", "contract", "ignored", default="overtricks")
    overtrick_points: int = number(0, 1000)
    overtrick_cap: int | None = optional(0, 1000)
    bag_limit: int | None = optional(1, 1000)
    bag_penalty: int | None = optional(1, 1000)
    bag_remainder: str = word("dropped", "kept", default="dropped")
    minimum_bid: int = number(1, PACK // 3)
    bids_may_equal_tricks: bool = switch(True)
    board: int | None = optional(1, PACK // 3)
    ten_for: int | None = optional(1, 1000)
    first_round_bids_itself: bool = switch(False)
    mercy: int | None = optional(-LARGEST, -1)
    first_dealer: str = word("last", "random", default="random")

    def __post_init__(self) -> None:
        if type(self.mercy) is int and self.mercy >= 0:
            sentence = N_("The losing score must be below zero, or off.")
            raise RulesRefused("mercy", sentence)
        for name, kind in HOUSE_RULES.items():
            if not kind.accepts(getattr(self, name)):
                raise RulesRefused(name, kind.expects(name))
        for name, wrong, sentence in _contradictions(self):
            if wrong:
                raise RulesRefused(name, sentence)

    @property
    def values(self) -> dict[str, Any]:
        """Every value as plain data, complete, for keeping beside a game."""
        return asdict(self)

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """The numbers of players that one pack can deal for."""
        return tuple(n for n in self.players if n * self.tricks <= PACK)


def _contradictions(rules: RuleSet) -> list[tuple[str, bool, Sentence]]:
    return [
        (
            "tricks",
            rules.tricks * min(rules.players) > PACK,
            N_(
                "{tricks} cards each for {players} players is more than a full deck. Deal fewer.",
                tricks=rules.tricks,
                players=min(rules.players),
            ),
        ),
        (
            "minimum_bid",
            rules.minimum_bid > rules.tricks,
            N_(
                "The minimum bid can’t be more than {n}, the tricks in a round.",
                "The minimum bid can’t be more than {n}, the tricks in a round.",
                n=rules.tricks,
            ),
        ),
        (
            "bag_penalty",
            rules.bag_limit is not None and rules.bag_penalty is None,
            N_("A bag limit needs a penalty. Set one, or turn the limit off."),
        ),
        (
            "bag_limit",
            rules.bag_limit is None and rules.bag_penalty is not None,
            N_("A bag penalty needs a bag limit. Set one, or turn the penalty off."),
        ),
        (
            "blind_nil_points",
            rules.nil_points is None and rules.blind_nil_points is not None,
            N_("Blind Nil needs Nil. Turn Nil on first."),
        ),
        (
            "blind_nil_deficit",
            rules.blind_nil_points is None and rules.blind_nil_deficit is not None,
            N_("Blind Nil is off, so a required deficit has no effect. Turn blind Nil on first."),
        ),
        (
            "double_nil_points",
            rules.double_nil_points is not None and not rules.partnerships,
            N_("Double Nil needs partnerships."),
        ),
        (
            "double_nil_points",
            rules.double_nil_points is not None and rules.nil_points is None,
            N_("Double Nil needs Nil. Turn Nil on first."),
        ),
        (
            "board",
            rules.board is not None and not rules.partnerships,
            N_(
                "The minimum partnership bid needs partnerships. For single players, use the "
                "minimum bid."
            ),
        ),
        (
            "board",
            (rules.board or 0) > rules.tricks,
            N_(
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
                n=rules.tricks,
            ),
        ),
    ]


HOUSE_RULES: Mapping[str, Kind] = {
    spec.name: spec.metadata["kind"] for spec in fields(RuleSet) if spec.metadata
}


def with_house_rules(rules: RuleSet, changes: Mapping[str, str]) -> RuleSet:
    """Return the rules with some values changed, given as text.

    Numbers are ASCII digits, `off` where a value can be absent, `yes` or `no` for a switch.
    Switching a value off takes along what means nothing without it: the bag limit its penalty,
    Nil blind Nil and the double Nil, blind Nil its deficit.
    Raises `RulesRefused` for an unknown name, a malformed value or a contradiction.
    """
    values: dict[str, Any] = {name: _read(name, text) for name, text in changes.items()}
    for switched_off, goes_along in (
        ("bag_limit", "bag_penalty"),
        ("nil_points", "blind_nil_points"),
        ("nil_points", "double_nil_points"),
        ("blind_nil_points", "blind_nil_deficit"),
    ):
        if switched_off in values and values[switched_off] is None:
            values.setdefault(goes_along, None)
    return replace(rules, **values)


def house_rules(base: RuleSet, rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from a rule book, as text for `with_house_rules`."""
    return {
        name: value_text(getattr(rules, name))
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(base, name)
    }


def value_text(value: int | str | bool | None) -> str:
    """Return a rule value as it is written in files and on the command line."""
    if value is None:
        return "off"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read(name: str, text: str) -> int | str | bool | None:
    kind = HOUSE_RULES.get(name)
    if kind is None:
        raise RulesRefused(name, N_("Unknown house rule: {name}.", name=name[:40]))
    return kind.read(text.strip())


def restore(values: Mapping[str, Any]) -> RuleSet:
    """Return the rules kept beside a game; values unknown when it was stored take their default.

    Raises `RulesRefused` where they contradict one another.
    """
    known = {spec.name for spec in fields(RuleSet)}
    kept = {name: value for name, value in values.items() if name in known}
    return RuleSet(**{**kept, "players": tuple(kept["players"])})
