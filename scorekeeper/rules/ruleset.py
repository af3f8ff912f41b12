"""A rule book: values that fit one another, and house rules as what differs from it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any

from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.rules.value_kinds import (
    CallStep,
    Kind,
    Limit,
    Worth,
    call_steps,
    card_list,
    total_steps,
    worth_steps,
)
from scorekeeper.rules.values import DECLARED, MOST_CARDS, MOST_ROUNDS, NOT_BLIND, RuleValues


class RulesRefused(ValueError):
    """A house rule that cannot be played: `field` names the value, `sentence` says what to do."""

    def __init__(self, name: str, sentence: Sentence):
        super().__init__(str(sentence))
        self.field = name
        self.sentence = sentence


@dataclass(frozen=True, kw_only=True)
class RuleSet(RuleValues):
    """A rule book; values that contradict one another raise `RulesRefused`."""

    def __post_init__(self) -> None:
        if type(self.mercy) is int and self.mercy >= 0:
            sentence = N_("The losing score must be below zero, or off.")
            raise RulesRefused("mercy", sentence)
        for name, kind in HOUSE_RULES.items():
            if not kind.accepts(getattr(self, name)):
                raise RulesRefused(name, kind.expects(name))
        for name, sentence in contradictions(self):
            raise RulesRefused(name, sentence)

    def __hash__(self) -> int:
        return self._hash

    @cached_property  # every cached score is looked up by it
    def _hash(self) -> int:
        return super().__hash__()

    # Values that are texts of steps, each read once.

    @cached_property
    def call_steps(self) -> tuple[CallStep, ...]:
        """The steps of `call_values`."""
        return call_steps(self.call_values)

    @cached_property
    def asks_totals(self) -> bool:
        """Whether what a bid is worth depends on the bidder's total."""
        return any(step.total is not None for step in self.call_steps)

    @cached_property
    def worth_steps(self) -> tuple[Worth, ...]:
        """The steps of `worth`."""
        return worth_steps(self.worth)

    @cached_property
    def card_list(self) -> tuple[int, ...]:
        """The numbers of `cards`."""
        return card_list(self.cards)

    @cached_property
    def minimum_steps(self) -> tuple[tuple[int, int], ...]:
        """The steps of `minimum_by_total`."""
        return total_steps(self.minimum_by_total)

    @cached_property
    def bids_at_least_steps(self) -> tuple[tuple[int, int], ...]:
        """The steps of `bids_at_least_by_total`."""
        return total_steps(self.bids_at_least_by_total)

    @property
    def values(self) -> dict[str, Any]:
        """Every value as plain data, complete, for keeping beside a game."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}

    def plan(self, players: int) -> tuple[int, ...]:
        """Return the cards of each round in turn that the pack can deal to so many players.

        Without a list it is one number, that of all rounds.
        """
        most = min(self.tricks, self.pack // players)
        if self.cards is None:
            return (self.tricks,) if most == self.tricks else ()
        return tuple(cards for cards in self.card_list if cards <= most)

    def length(self, players: int) -> int | None:
        """Return how many rounds a game has; None where they do not end it."""
        return self.rounds or (len(self.plan(players)) if self.cards else None)

    def cards_of(self, number: int, players: int) -> int:
        """Return the cards that each player is dealt in a round.

        The list begins again in a game with more rounds. A further round after a tie has the most.
        """
        plan = self.plan(players)
        if not self.cards or not plan:
            return self.tricks
        is_further = number > (self.length(players) or 0)
        return max(plan) if is_further else plan[(number - 1) % len(plan)]

    def may_total(self, taken: int) -> bool:
        """Return whether the tricks of a round, all counts together, may be so many."""
        return 0 <= self.tricks - taken <= self.lost_tricks

    @property
    def highest_bid(self) -> int:
        """The highest number that a seat may bid."""
        return min(self.tricks, self.maximum_bid or self.tricks)

    @property
    def highest_contract(self) -> int:
        """The highest number that a side, or a player alone, may bid."""
        return self.highest_bid * (2 if self.partners_bid else 1)

    @property
    def partners_bid(self) -> bool:
        """Whether both partners of a side make a bid."""
        return self.partnerships and self.bid_by == "seat"

    @cached_property
    def table_sizes(self) -> tuple[int, ...]:
        """The numbers of players that the pack can deal for, and who can bid as much as needed.

        Those who want to play may get fewer cards instead: `tables` of `presets.py`.
        """
        least = _least_total(self)
        return tuple(
            n
            for n in self.players
            if (dealt := self.plan(n))
            and _bidders(self, n) * min(self.highest_bid, *dealt) >= least
        )

    def in_round(self, number: int, players: int, dealt: int | None = None) -> "RuleSet":
        """Return the rules of one round, whose `tricks` are the cards that each player is dealt.

        With a list of cards a round can be `dealt` another number than the list says.
        """
        if self.cards is None:
            return self
        return _with_tricks(self, dealt or self.cards_of(number, players))

    def cards_range(self, players: int) -> tuple[int, int]:
        """Return the fewest and the most cards that a round can be dealt.

        There are enough for the least bids that the rules ask for.
        """
        steps = [number for _total, number in self.minimum_steps]
        each = -(-_least_total(self) // _bidders(self, players))
        least = max(1, self.minimum_bid, self.board or 0, each, *steps)
        return least, min(self.pack // players, MOST_CARDS)


class RoundRules(RuleSet):
    """The rules of a round. Values that need more cards than it has mean nothing in it."""

    def __post_init__(self) -> None:
        """Accept what contradicts so few cards; the game's own rules were checked."""


@lru_cache(maxsize=256)  # 30 µs, for each of the 200 rounds of a game that is shown
def _with_tricks(rules: RuleSet, tricks: int) -> RoundRules:
    return RoundRules(**{**rules.values, "tricks": tricks})


HOUSE_RULES: Mapping[str, Kind] = {name: declared.kind for name, declared in DECLARED.items()}


def with_house_rules(rules: RuleSet, changes: Mapping[str, str]) -> RuleSet:
    """Return the rules with values that somebody chooses, as text that `read_house_rules` reads.

    Raises `RulesRefused` as it does, and for a value of contracts that nobody can bid or make.
    """
    return _within_reach(read_house_rules(rules, changes))


def read_house_rules(rules: RuleSet, changes: Mapping[str, str]) -> RuleSet:
    """Return the rules with some values changed, given as text, as games were stored with them.

    Numbers are ASCII digits, `off` where a value can be absent, `yes` or `no` for a switch.
    Switching a value off takes along what means nothing without it: the bag limit its penalty,
    Nil blind Nil and the double Nil, blind Nil its deficit, the least sum of bids its steps, blind
    bids their points and deficit.
    Raises `RulesRefused` for an unknown name, a malformed value or a contradiction.
    """
    values: dict[str, Any] = {name: _read(name, text) for name, text in changes.items()}
    for name, declared in DECLARED.items():
        whole = next((limit.others[0] for limit in declared.limits if limit.part), "")
        if whole in values and values[whole] is None:
            values.setdefault(name, None)
    return replace(rules, **values)


def _within_reach(rules: RuleSet) -> RuleSet:
    for name, is_wrong, sentence in _out_of_reach(rules):
        if is_wrong:
            raise RulesRefused(name, sentence)
    return rules


def house_rules(base: RuleSet, rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from a rule book, as text for `with_house_rules`."""
    return {
        name: value_text(getattr(rules, name))
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(base, name)
    }


Value = int | str | bool | tuple[int, ...] | None


def value_text(value: Value) -> str:
    """Return a rule value as it is written in files and on the command line."""
    if value is None:
        return "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read(name: str, text: str) -> Value:
    kind = HOUSE_RULES.get(name)
    if kind is None:
        known = nearest(name, HOUSE_RULES, OTHER_NAMES)
        sentence = N_("Unknown house rule: {name}.", name=name[:LONGEST_NAMED])
        if known:
            sentence = N_("Unknown house rule: {name}. Did you mean {known}?")
            sentence = sentence.about(name=name[:LONGEST_NAMED], known=", ".join(known))
        raise RulesRefused(name, sentence)
    return kind.read(text.strip())


LONGEST_NAMED = 40  # characters of an unknown name
MOST_NEAREST = 3
# What people call values that have another name here.
OTHER_NAMES = {
    "bags": "bag_limit",
    "goal": "target",
    "limit": "target",
    "penalty": "bag_penalty",
    "points": "trick_points",
    "sandbag": "bag_limit",
    "sandbags": "bag_limit",
    "score": "target",
    "to": "target",
    "win": "target",
    "winning_score": "target",
}


def nearest(text: str, known: Iterable[str], others: Mapping[str, str] = {}) -> list[str]:
    """Return the known names that somebody may have meant, at most three, the likeliest first.

    >>> nearest("lite", ["cutthroat", "cutthroat-lite", "wizard"])
    ['cutthroat-lite']
    """
    word = text[:LONGEST_NAMED].strip().lower().replace(" ", "_")
    if word in others:
        return [others[word]]
    names = list(known)
    parts = [name for name in names if len(word) > 2 and word in re.split("[-_]", name)]
    return [*parts, *(n for n in get_close_matches(word, names) if n not in parts)][:MOST_NEAREST]


Contradiction = tuple[str, Sentence]


# Of several contradictions people read the first of this order; values that it lacks come last.
ORDER = (
    *("tricks", "minimum_bid", "bag_penalty", "bag_limit", "blind_nil_points"),
    *("blind_nil_deficit", "double_nil_points", "board", "ten_made", "blind_trick_points"),
    *("blind_set_points", "blind_bid_deficit", "blind_bid_from", "win_needs_partner"),
    *("maximum_bid", "minimum_by_total", "bids_at_least", "bids_at_least_by_total"),
    *("bids_at_least_counts", "target", "minimum_rounds", "first_round_minimum", "joins_at"),
    *("totals_by", "bid_by", "tricks_by", "ten_for", "ten_failed", "boston_made", "call_values"),
    *("worth", "made"),
)


def contradictions(rules: RuleSet) -> list[Contradiction]:
    """Return each value that contradicts others, and what to do about it, the first first."""
    found = [
        *_broken_limits(rules),
        *((name, why) for name, wrong, why in _of_several(rules) if wrong),
    ]
    return sorted(found, key=lambda one: ORDER.index(one[0]) if one[0] in ORDER else len(ORDER))


def _broken_limits(rules: RuleSet) -> Iterator[Contradiction]:
    for name, declared in DECLARED.items():
        for limit in declared.limits if _is_in_use(rules, name) else ():
            if _is_broken(rules, name, limit):
                blamed = declared.pair if declared.pair in limit.others else name
                yield blamed, _sentence(rules, limit)


def _is_in_use(rules: RuleSet, name: str) -> bool:
    """Return whether a value is not its default; one without a default always is."""
    default = DECLARED[name].default if name in DECLARED else False
    return bool(getattr(rules, name) != default)


def _is_broken(rules: RuleSet, name: str, limit: Limit) -> bool:
    if limit.relation == "at most":
        return bool(getattr(rules, name) > getattr(rules, limit.others[0]))
    in_use = any(_is_in_use(rules, other) for other in limit.others)
    return in_use == (limit.relation == "excludes")


def _sentence(rules: RuleSet, limit: Limit) -> Sentence:
    if limit.relation != "at most":
        return limit.sentence
    return limit.sentence.about(n=getattr(rules, limit.others[0]))


FULL_DECK = N_("{tricks} cards each for {players} players is more than a full deck. Deal fewer.")


def _of_several(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    """Yield what depends on more than two values: whether it is wrong, and what to do."""
    yield (
        "tricks",
        rules.tricks * min(rules.players) > rules.pack,
        FULL_DECK.about(tricks=rules.tricks, players=min(rules.players)),
    )
    yield from _of_players(rules)
    yield from _of_bids(rules)
    yield from _of_contracts(rules)
    yield from _of_cards(rules)
    yield (
        "trump",
        (rules.trump == "in_order") != (rules.trump_order is not None),
        N_("Trump that changes round by round needs an order of suits. Set both, or neither."),
    )
    yield (
        "target",
        rules.target is None and rules.rounds is None and rules.cards is None,
        N_("A game needs an end: set a winning score or a number of rounds."),
    )
    has_nil = rules.nil_points is not None or rules.blind_nil_points is not None
    yield (
        "tricks_by",
        rules.tricks_by == "side" and has_nil and rules.bid_by == "seat",
        N_("A player’s Nil needs the tricks of each player. Turn Nil off, or bid per side."),
    )


def _of_players(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    yield (
        "players",
        rules.partnerships and any(n % 2 or n < 4 for n in rules.players),
        N_("Partners need an even number of players, 4 or more."),
    )
    yield (
        "deal",
        rules.deal == "drawn" and rules.players != (2,),
        N_("Only two players draw their hands. Set the numbers of players to 2 first."),
    )


def _of_cards(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    if rules.cards is None:
        return
    dealt = rules.plan(min(rules.players))
    yield (
        "cards",
        not dealt,
        N_("None of these rounds can be dealt. Deal fewer cards."),
    )
    yield (
        "cards",
        len(rules.card_list) > MOST_ROUNDS,
        N_("A game can have at most {most} rounds.", most=MOST_ROUNDS),
    )
    fewest = min(dealt, default=rules.tricks)
    least = max(rules.minimum_bid, *(n for _total, n in rules.minimum_steps), 0)
    yield (
        "cards",
        fewest < least,
        N_("A round would have fewer cards than the minimum bid. Leave it out."),
    )
    yield (
        "cards",
        (rules.board or 0) > fewest
        or _least_total(rules) > fewest * _bidders(rules, max(rules.players)),
        N_("With so few cards, bids can’t reach their minimum. Deal more, or lower it."),
    )


def _of_bids(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    least_values = [number for _total, number in rules.minimum_steps]
    dealt = [players for players in rules.players if rules.plan(players)]
    yield (
        "minimum_bid",
        rules.minimum_bid == 0 and rules.nil_points is not None,
        N_("A bid of 0 would be Nil. Turn Nil off first."),
    )
    yield (
        "maximum_bid",
        rules.maximum_bid is not None and rules.maximum_bid < rules.minimum_bid,
        N_("The maximum bid can’t be less than the minimum bid."),
    )
    yield (
        "maximum_bid",
        (rules.board or 0) > rules.highest_bid,
        N_("With that maximum bid, partners can’t reach the minimum partnership bid."),
    )
    yield (
        "maximum_bid",
        not rules.bids_may_equal_tricks
        and rules.nil_points is None
        and rules.highest_bid < rules.tricks
        and max(rules.minimum_bid, *least_values, 0) == rules.highest_bid,
        N_("The last bidder would have no bid left. Allow Nil or a higher bid."),
    )
    yield (
        "minimum_by_total",
        max(least_values, default=0) > rules.highest_bid,
        N_("The minimum bid by score can’t be more than the highest bid."),
    )
    yield (
        "bids_at_least",
        bool(dealt) and _least_total(rules) > rules.highest_bid * _bidders(rules, max(dealt)),
        N_("All bids together can’t reach that. Choose a smaller total."),
    )


def _least_total(rules: RuleSet) -> int:
    """Return the largest sum of bids below which cards are dealt again."""
    totals = [number for _total, number in rules.bids_at_least_steps]
    return max(rules.bids_at_least or 0, *totals, 0)


def _bidders(rules: RuleSet, players: int) -> int:
    return players // (2 if rules.bid_by == "side" else 1)


def _of_contracts(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    most = rules.pack // min(rules.players)
    highest = max((step.high for step in rules.worth_steps), default=0)
    yield (
        "worth",
        any(step.low > step.high for step in rules.worth_steps) or highest > most,
        N_("Nobody can bid that here. The highest bid is {n}.", n=most),
    )
    yield (
        "worth",
        rules.blind_bid_from is None and any(step.is_blind for step in rules.worth_steps),
        NOT_BLIND,
    )
    yield (
        "made",
        rules.made == "exactly" and rules.bag_limit is not None,
        N_("There are no bags where bids are made exactly. Turn the bag limit off first."),
    )
    yield (
        "made",
        rules.made == "below_double" and rules.minimum_bid == 0,
        N_("Nobody can take fewer than twice 0 tricks. The minimum bid must be 1 or more."),
    )


def _out_of_reach(rules: RuleSet) -> Iterator[tuple[str, bool, Sentence]]:
    """Yield values of contracts that nobody can bid or make.

    They change no score, so that a game that has them is played and read; only choosing them is
    refused. In a first round without bids anybody can bid what there are tricks.
    """
    highest = rules.tricks if rules.first_round_bids_itself else rules.highest_contract
    for name in ("ten_for", "ten_made", "ten_failed"):
        yield (
            name,
            getattr(rules, name) is not None and highest < 10,
            N_("No contract can reach 10 here. Turn this off, or allow higher bids."),
        )
    for name in ("ten_for", "ten_made"):
        yield (
            name,
            getattr(rules, name) is not None and rules.tricks < 10,
            N_("Nobody can take 10 tricks here. Turn this off, or deal more cards."),
        )
    yield (
        "boston_made",
        rules.boston_made is not None and highest < rules.tricks,
        N_("Nobody can bid all tricks here. Turn this off, or allow higher bids."),
    )
    lows = [step.low for step in rules.call_steps]
    yield (
        "call_values",
        max(lows, default=0) > highest,
        N_("Nobody can bid {n} here. Leave it out, or allow higher bids.", n=max(lows, default=0)),
    )
