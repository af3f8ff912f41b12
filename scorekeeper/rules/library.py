"""Scoring for other programs: one function, which checks all that it is given."""

from collections.abc import Iterable, Sequence
from typing import Any

from scorekeeper.rules.bidding import Bid, parse_bid, zero_as_nil
from scorekeeper.rules.entry import (
    Refused,
    check_start,
    enter_with_tally,
    listed_or_other,
    with_substitutes,
)
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS, at_table
from scorekeeper.rules.round import Round, check_notes
from scorekeeper.rules.ruleset import RuleSet, RulesRefused


class ScoreRefused(ValueError):
    """What `score` does not accept, and why.

    `number` is that of the round at fault, from 1, and `seat` the seat, from 0 as in its bids; None
    where it is in none.
    """

    def __init__(self, why: object, number: int | None = None, seat: int | None = None):
        place = [f"round {number}"] if number else []
        place += [f"seat {seat + 1}"] if seat is not None else []
        super().__init__(f"{', '.join(place)}: {why}" if place else str(why))
        self.number, self.seat = number, seat


Given = Round | tuple[Sequence[object] | None, Sequence[object] | None]


def score(
    rules: RuleSet | str,
    players: int | Sequence[str],
    rounds: Iterable[Given],
    *,
    first_dealer: int | None = None,
) -> GameState:
    """Return the game that follows from some rounds, all of them checked as the program does.

    `rules` are the key of a rule book or a rule set, such as `with_house_rules` returns; `players`
    their number or names in the order of the seats. A round is `(bids, tricks)`, seat by seat: a
    bid is a number or a text (`"nil"`, `"blind nil"`, `"blind 6"`, `"3"`), and there are none where
    the rules have no bidding in round 1. Only the last round may be unfinished, with tricks of None
    and perhaps bids. A `Round` can also have penalties, substitutes and other notes. `first_dealer`
    counts from 0; without it the last seat deals first.

    >>> game = score("cutthroat-lite", 4, [((3, 2, "nil", 4), (3, 4, 0, 3))])
    >>> game.standing.totals, game.standing.bags
    ((30, 22, 50, -40), (0, 2, 0, 0))
    >>> game.phase, game.number
    ('bidding', 2)

    Points come with their parts, and partners are sides: seats 1 and 3, seats 2 and 4.

    >>> game = score("partnership", ["Ann", "Ben", "Cy", "Dana"], [((0, 4, 6, 3), (1, 4, 5, 3))])
    >>> ours = game.rounds[0].scores[0]
    >>> ours.nil_points, ours.contract_points, ours.points
    (-100, 60, -40)

    Raises `ScoreRefused`, and nothing else, for whatever the rules do not allow.

    >>> score("cutthroat-lite", 4, [((3, 2, "nil", 4), (9, 9, 9, 9))])
    Traceback (most recent call last):
    scorekeeper.rules.library.ScoreRefused: round 1: Tricks total 36, but 10 were played. Count \
again.
    >>> score("cutthroat-lite", 4, [((30, 2, 1, 4), (3, 4, 0, 3))])
    Traceback (most recent call last):
    scorekeeper.rules.library.ScoreRefused: round 1, seat 1: Bid 1 to 10, or Nil for no tricks at \
all.
    """
    names = _names(players)
    count = len(names) or _count(players)
    own = _rules_of(rules, count)
    dealer = count - 1 if first_dealer is None else first_dealer
    if type(dealer) is not int or not 0 <= dealer < count:
        raise ScoreRefused(f"The first dealer is a seat from 0 to {count - 1}.")
    entered: list[Round] = []
    state = fold(own, count, dealer, entered, starters=names)
    for number, given in enumerate(rounds, 1):
        if state.phase == "over":
            raise ScoreRefused(f"The game ended after round {state.number}.", number)
        if entered and entered[-1].tricks is None:
            raise ScoreRefused("The round before has no tricks.", number)
        entered.append(_entered(state, names, entered, _read(own, count, number, given)))
        state = fold(own, count, dealer, entered, state, names)
    return state


def _names(players: object) -> tuple[str, ...]:
    """Return the names of players; none where only their number is given."""
    if type(players) is int:
        return ()
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise ScoreRefused("Players are a number, or a list of names.")
    names = tuple(players)
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ScoreRefused("Each player needs a name.")
    if len({*names}) < len(names):
        raise ScoreRefused("Two players have the same name.")
    return names


def _count(players: object) -> int:
    return players if type(players) is int else 0


def _rules_of(rules: object, players: int) -> RuleSet:
    """Return the rules of a table of so many: of a rule book with fewer cards, as `at_table`."""
    book = PRESETS.get(rules) if isinstance(rules, str) else rules
    if not isinstance(book, RuleSet):
        raise ScoreRefused(f"Unknown rules {rules!r:.40}. Choose one of: {', '.join(PRESETS)}.")
    try:
        return at_table(book, players)
    except RulesRefused as refused:
        raise ScoreRefused(refused) from None


def _read(rules: RuleSet, players: int, number: int, given: object) -> Round:
    """Return a round with its bids and tricks as values."""
    if not isinstance(given, Round):
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise ScoreRefused("A round is a pair of bids and tricks.", number)
        bids, tricks = given
        given = Round((None,) * players if bids is None else bids, tricks)
    round_ = given._replace(tally=None)
    own = rules.in_round(number, players, _cards(round_, number))
    bids = _by_seat(round_.bids, players, number, "bids")
    counts = round_.tricks and _by_seat(round_.tricks, players, number, "tricks")
    for seat, count in enumerate(counts or ()):
        if type(count) is not int:
            raise ScoreRefused(f"{count!r:.40} is no number of tricks.", number, seat)
    for penalty in round_.notes.penalties:
        if not 0 <= penalty.seat < players:
            raise ScoreRefused(f"A penalty is for a seat from 0 to {players - 1}.", number)
    for one in round_.notes.substitutes:
        if not 0 <= one.seat < players:
            raise ScoreRefused(f"A substitute takes a seat from 0 to {players - 1}.", number)
    read = (_bid(own, bid, number, seat) for seat, bid in enumerate(bids))
    return round_._replace(bids=tuple(read), tricks=counts or None)


def _cards(round_: Round, number: int) -> int | None:
    if round_.notes.cards is None or (type(round_.notes.cards) is int and round_.notes.cards > 0):
        return round_.notes.cards
    raise ScoreRefused(f"{round_.notes.cards!r:.40} is no number of cards.", number)


def _by_seat(cells: object, players: int, number: int, what: str) -> tuple[Any, ...]:
    if not isinstance(cells, Sequence) or isinstance(cells, str) or len(cells) != players:
        raise ScoreRefused(f"There are {players} {what}, one for each seat.", number)
    return tuple(cells)


def _bid(rules: RuleSet, bid: object, number: int, seat: int) -> Bid | None:
    if bid is None:
        return None
    try:
        if type(bid) is not int and not isinstance(bid, str):
            raise ValueError
        return zero_as_nil(rules, parse_bid(bid.strip().lower()) if isinstance(bid, str) else bid)
    except ValueError:
        why = f"{bid!r:.40} is no bid. Give a number, 'nil', 'blind nil' or 'blind' and a number."
        raise ScoreRefused(why, number, seat) from None


def _entered(
    state: GameState, names: tuple[str, ...], before: Sequence[Round], sent: Round
) -> Round:
    """Return the next round as it is played. Raises `ScoreRefused`."""
    number, players = state.number, state.players
    nobody = Round((None,) * players)
    wrong = check_start(state.rules, players, sent) if number == 1 else []
    wrong += check_notes(number, sent.notes)
    if sent.notes.cards is not None:
        dealt = listed_or_other(state.rules, number, players, sent.notes.cards)
        sent = sent.noted(cards=dealt)
    try:
        if wrong:
            raise Refused(wrong)
        seated = [*(one.notes.substitutes for one in before), sent.notes.substitutes]
        starters = names or tuple(map(str, range(players)))
        own = with_substitutes(state.rules, starters, seated, nobody, sent.notes.substitutes)
        return enter_with_tally(state, number, own, sent, newest=True)
    except Refused as refused:
        first = refused.refusals[0]
        raise ScoreRefused(first.sentence, number, first.seat) from None
