"""Pairs of partners as rows of a list."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.store.players import Player
from scorekeeper.store.records import Together
from scorekeeper.web.players import figures
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import listed


class PairRow(NamedTuple):
    """Two partners, and their wins against luck."""

    players: Sequence[Player]
    names: Markup
    counted: str
    ahead: str
    is_ahead: bool


def pair_row(one: Together) -> PairRow:
    """Return a pair as a row of a list."""
    luck = one.luck
    return PairRow(
        one.players,
        listed([player.name for player in one.players]),
        say("series").join([figures.won(luck), figures.expected(luck)]),
        figures.ahead(luck),
        luck.shown_ahead > 0,
    )
