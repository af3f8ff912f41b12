"""House rules changed during a game: whether they are possible, and what they change."""

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.rules.entry import check_cards
from scorekeeper.rules.game import GameState
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, RulesRefused
from scorekeeper.rules.sentence import N_


class SideDifference(NamedTuple):
    """A side's total and bags, each before and after the rules change."""

    total: tuple[int, int]
    bags: tuple[int, int]


class RoundDifference(NamedTuple):
    """Every side's points in a round before and after; None where the round does not count."""

    number: int
    points: tuple[tuple[int | None, int | None], ...]


class ScoreDifference(NamedTuple):
    """What other rules change in a game: each side, and the rounds whose points differ."""

    sides: tuple[SideDifference, ...]
    rounds: tuple[RoundDifference, ...]


def check_rule_change(rules: RuleSet, new: RuleSet, players: int, rounds: Sequence[Round]) -> None:
    """Raise `RulesRefused` where new rules contradict a game that has begun.

    Bids that the new rules refuse are kept, and a Nil that they do not know scores nothing. The
    number of cards dealt, whether the first round had bids, and whether a side bids and is counted
    as one cannot change. Cards that are noted for a round, and tricks that went to nobody, still
    have to be allowed.
    """
    if players not in new.table_sizes:
        sentence = N_("{tricks} cards each for {players} players is more than a deck of {pack}.")
        values = {"tricks": new.tricks, "players": players, "pack": new.pack}
        raise RulesRefused("tricks", sentence.about(**values))
    for number, round_ in enumerate(rounds, 1):
        cards = round_.notes.cards
        dealt, now = (one.in_round(number, players, cards).tricks for one in (rules, new))
        begun = _has_begun(round_) or bool(round_.notes.penalties)
        sentence = N_("This game was dealt {tricks} cards each. That can’t change now.")
        if begun and now != dealt:
            name = "tricks" if new.cards == rules.cards else "cards"
            raise RulesRefused(name, sentence.about(tricks=dealt))
        if check_cards(new, players, cards) and not check_cards(rules, players, cards):
            name = "cards" if new.pack == rules.pack else "pack"
            raise RulesRefused(name, sentence.about(tricks=dealt))
        lost = dealt - sum(round_.tricks or (dealt,))
        if lost > new.lost_tricks:
            sentence = N_(
                "In round {number}, {n} trick went to nobody. That can’t change now.",
                "In round {number}, {n} tricks went to nobody. That can’t change now.",
            )
            raise RulesRefused("lost_tricks", sentence.about(number=number, n=lost))
    for name in ("bid_by", "tricks_by"):
        if getattr(new, name) != getattr(rules, name) and any(map(_has_begun, rounds)):
            sentence = N_("This game already has bids or tricks, so that setting can’t change now.")
            raise RulesRefused(name, sentence)
    if new.first_round_bids_itself != rules.first_round_bids_itself:
        _check_first_round(new, rounds[:1])


def compare_scores(before: GameState, after: GameState) -> ScoreDifference:
    """Return what changes between two states of the same facts."""
    sides = tuple(
        SideDifference(
            (before.standing.totals[side], after.standing.totals[side]),
            (before.standing.bags[side], after.standing.bags[side]),
        )
        for side in range(len(after.sides))
    )
    last = max(len(before.rounds), len(after.rounds))
    rounds = (
        RoundDifference(
            number, tuple(zip(_points(before, number), _points(after, number), strict=True))
        )
        for number in range(1, last + 1)
    )
    return ScoreDifference(
        sides, tuple(one for one in rounds if any(old != new for old, new in one.points))
    )


def _check_first_round(new: RuleSet, first: Sequence[Round]) -> None:
    for round_ in first:
        has_bids = any(bid is not None for bid in round_.bids)
        if new.first_round_bids_itself and has_bids:
            sentence = N_("Round 1 already has bids, so bidding can’t be turned off for it.")
            raise RulesRefused("first_round_bids_itself", sentence)
        if not new.first_round_bids_itself and _has_begun(round_) and not has_bids:
            sentence = N_("Round 1 was played without bidding, so that setting can’t change.")
            raise RulesRefused("first_round_bids_itself", sentence)


def _has_begun(round_: Round) -> bool:
    return any(bid is not None for bid in round_.bids) or bool(round_.tricks or round_.tally)


def _points(state: GameState, number: int) -> tuple[int | None, ...]:
    if number > len(state.rounds):
        return (None,) * len(state.sides)
    return tuple(score.points for score in state.rounds[number - 1].scores)
