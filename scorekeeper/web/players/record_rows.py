"""Records of a table as rows of a list."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from flask import url_for
from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.players import Player
from scorekeeper.store.records import Feat
from scorekeeper.web.text.wording import counted, day, fill, listed, minus

IN_TENTHS = ("round", "game", "comeback", "closest")
NAMED = 2  # sides that are named of those who share a record


class Row(NamedTuple):
    """A record: what it is and when, who holds it, and the address of its game or round."""

    label: str
    day: str
    names: Markup
    players: Sequence[Player]
    value: str
    unit: str
    url: str


def holders(found: Mapping[str, Sequence[Feat]]) -> Collection[int]:
    """Return the ids of all who hold one of the records."""
    return {one for feats in found.values() for feat in feats for one in feat.player_ids}


def record_row(name: str, feats: Sequence[Feat], people: Mapping[int, Player], book: str) -> Row:
    """Return a record as a row of a list; those of points are of a rule book."""
    first, sides = feats[0], [*dict.fromkeys(feat.player_ids for feat in feats)]
    named, others = (sides, 0) if len(sides) <= NAMED else (sides[:1], len(sides) - 1)
    holders = [people[one] for ids in named for one in ids]
    names = listed([one.name for one in holders])
    if others:
        sentence = ngettext("{who} and {n} more", "{who} and {n} more", others)
        names = fill(sentence, who=names, n=others)
    shown_as = PRESETS[book].shown_as if name in IN_TENTHS and book else "points"
    return Row(
        _labels()[name],
        day(first.started),
        names,
        holders,
        minus(first.value, shown_as),
        _unit(name, counted(first.value, shown_as)),
        url_for("rounds.show", game_id=first.game_id, number=first.round)
        if first.round
        else url_for("game.show", game_id=first.game_id),
    )


def _labels() -> dict[str, str]:
    return {
        "round": _("Biggest round"),
        "game": _("Best game"),
        "comeback": _("Best comeback"),
        "closest": _("Closest win"),
        "bags": _("Most bags in a game"),
        "run": _("Longest winning streak"),
        "running": _("Winning streak now"),
        "longest": _("Longest game"),
        "bid": _("Highest bid made"),
    }


def _unit(name: str, number: int) -> str:
    if name == "bags":
        return ngettext("bag", "bags", number)
    if name == "longest":
        return ngettext("round", "rounds", number)
    if name == "bid":
        return ""
    if name in ("run", "running"):
        return _("in a row")
    return ngettext("point", "points", number)
