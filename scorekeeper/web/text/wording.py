"""Names, stakes and the end of a game as escaped HTML."""

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup, escape

from scorekeeper.i18n import MINUS, by_number, ngettext, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, BlindBid, Nil
from scorekeeper.rules.sample_hands import Hand
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.store.games import Game
from scorekeeper.web.text.dates import clock, day
from scorekeeper.web.text.numbers import counted, decimal, is_wide, minus, shown, signed

REASONS: dict[str, Sentence] = {
    "target": N_("The game ends at {target}. Highest score wins."),
    "mercy": N_("The game ends at {floor}. Highest score wins."),
    "rounds": N_("The game ends after round {n}. Highest score wins."),
    "last_round": N_("The game ends with the last round. Highest score wins."),
    "sets": N_("The game ends because a side was set too often."),
    "first_round": N_("The game ends because a side took too few tricks in round 1."),
    "penalty": N_("The game ends because of a penalty."),
}


def bdi(name: str) -> Markup:
    """Return a name in a `<bdi>` element, which isolates its writing direction."""
    return Markup("<bdi>{}</bdi>").format(name)


def fill(template: str, **values: object) -> Markup:
    """Return a translated text with its placeholders filled, everything escaped."""
    return Markup(escape(template)).format(**values)


def bold(text: str) -> Markup:
    return Markup("<b>{}</b>").format(text)


def series(parts: Iterable[Markup]) -> Markup:
    """Return parts of a sentence, joined by the comma of the current language."""
    return escape(_(", ")).join(parts)


def listed(names: Sequence[str]) -> Markup:
    """Return names as a list in words: one, two and three."""
    shown = [bdi(name) for name in names]
    if len(shown) == 1:
        return shown[0]
    return fill(_("{some} and {last}"), some=series(shown[:-1]), last=shown[-1])


def named(game: Game, groups: Iterable[Sequence[int]]) -> Markup:
    """Return the names of several groups of seats of a game."""
    return series(listed([game.names[seat] for seat in seats]) for seats in groups)


def bid_word(bid: Bid | None) -> str:
    if bid is None:
        return ""
    if isinstance(bid, Nil):
        return _("Nil") if bid is Nil.NIL else _("blind Nil")
    if isinstance(bid, BlindBid):
        return _("blind {n}").format(n=bid.number)
    return str(bid)


def hand_shown(hand: Hand) -> str:
    """Return the bids and tricks of a hand, and the bags before it."""
    seats = [
        _("took {n}").format(n=n)
        if bid is None
        else _("bid {bid}, took {n}").format(bid=bid_word(bid), n=n)
        for bid, n in zip(hand.bids, hand.tricks, strict=True)
    ]
    if hand.bags:
        seats.append(ngettext("{n} bag before", "{n} bags before", hand.bags).format(n=hand.bags))
    return " · ".join(seats)


def amount(stake: int) -> str:
    """Return a stake given in hundredths, without decimals if they are zero."""
    return str(stake // 100) if stake % 100 == 0 else f"{stake // 100}.{stake % 100:02d}"


def money(stake: int) -> str:
    """Return a stake given in hundredths, in the current language."""
    return decimal(amount(stake))


def points_kind(shown: str) -> str:
    """Return the class of points that are shown with their sign: `loss` or `gain`."""
    return "loss" if MINUS in shown else "gain"


def winner_line(game: Game) -> Markup:
    """Return with which total and by how many points a game was won."""
    winner, ahead, second = _lead(game)
    sentence = ngettext(
        "{total} points, {n} ahead of {second}",
        "{total} points, {n} ahead of {second}",
        counted(ahead, game.rules.shown_as),
    )
    if ahead < 0:
        sentence = ngettext(
            "{total} points, {n} behind {second}",
            "{total} points, {n} behind {second}",
            counted(-ahead, game.rules.shown_as),
        )
    total = minus(game.state.standing.totals[winner], game.rules.shown_as)
    return fill(sentence, total=total, n=shown(abs(ahead), game.rules.shown_as), second=second)


def lead_line(game: Game) -> Markup:
    """Return by how many points a game was won."""
    _winner, ahead, second = _lead(game)
    sentence = ngettext(
        "{n} ahead of {second}", "{n} ahead of {second}", counted(ahead, game.rules.shown_as)
    )
    if ahead < 0:
        sentence = ngettext(
            "{n} behind {second}", "{n} behind {second}", counted(-ahead, game.rules.shown_as)
        )
    return fill(sentence, n=shown(abs(ahead), game.rules.shown_as), second=second)


def _lead(game: Game) -> tuple[int, int, Markup]:
    """Return the winning side, by how much it leads, and the names of the second."""
    state = game.state
    assert state.outcome is not None
    assert state.outcome.winner is not None
    winner, totals = state.outcome.winner, state.standing.totals
    others = [side for side in state.standing.playing if side != winner]
    second = max(others, key=lambda side: totals[side])
    return winner, totals[winner] - totals[second], listed(game.side_names(second))


def reason_line(game: Game) -> Markup:
    """Return why the game ended."""
    state, rules = game.state, game.rules
    assert state.outcome is not None
    sentence = REASONS[state.outcome.reason]
    return fill(
        _(sentence.text),
        target=shown(rules.target or 0, rules.shown_as),
        floor=minus(rules.mercy or 0, rules.shown_as),
        n=rules.rounds,
    )


def tie_line(game: Game) -> Markup | None:
    """Return the sentence about a tie at the top, or None where there is none."""
    state = game.state
    if state.outcome is None or not state.outcome.tied:
        return None
    names = [name for side in state.outcome.tied for name in game.side_names(side)]
    sentence = by_number("{names} are tied at {total}. Play another round.", len(names))
    total = state.standing.totals[state.outcome.tied[0]]
    return fill(sentence, names=listed(names), total=minus(total, game.rules.shown_as))


TEMPLATE_WORDS: dict[str, Any] = {
    "bdi": bdi,
    "bold": bold,
    "fill": fill,
    "listed": listed,
    "bid_word": bid_word,
    "hand_shown": hand_shown,
    "translate": translate,
    "signed": signed,
    "minus": minus,
    "is_wide": is_wide,
    "clock": clock,
    "day": day,
}
