"""The records of a table and its best pairs."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, render_template, url_for
from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.players import Player
from scorekeeper.store.records import Feat, best_pairs, records_of
from scorekeeper.store.statistics import ALONE, finished_games, people_of
from scorekeeper.web.http.requests import Answer, database, require_phone
from scorekeeper.web.players.choice import Choice, chosen
from scorekeeper.web.players.pairs import pair_row
from scorekeeper.web.text.wording import counted, day, fill, listed, minus

pages = Blueprint("records", __name__, url_prefix="/players")
OF_POINTS = ("round", "game", "closest", "bags")
OF_GAMES = ("run", "running", "longest")
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


@pages.get("/records")
def show() -> Answer:
    """Show the best rounds, games and runs of the chosen games, and the best pairs in them."""
    choice, table_id = chosen(), require_phone().table_id
    book = _book(choice)
    found = records_of(database(), table_id, choice.wanted, book)
    people = people_of(database(), table_id, _holders(found))
    shown = {name: _row(name, feats, people, book) for name, feats in found.items()}
    together = []
    if choice.wanted.kind != ALONE:
        together = best_pairs(database(), table_id, choice.wanted)
    page = render_template(
        "players/records.html",
        choice=choice,
        sides=[],
        book=PRESETS[book].name if book else "",
        comeback=shown.get("comeback"),
        of_points=[shown[name] for name in OF_POINTS if name in shown],
        of_games=[shown[name] for name in OF_GAMES if name in shown],
        pairs=[pair_row(one) for one in together],
    )
    return (page, 422) if choice.form.errors else page


def _book(choice: Choice) -> str:
    """Return the chosen rule book, or the one that was played most; empty where there is none."""
    wanted = choice.wanted
    if wanted.rules in PRESETS:
        return wanted.rules
    (played,) = finished_games(database(), require_phone().table_id, [wanted.span])
    return max(
        (key for key in played if key in wanted.books), key=lambda key: played[key], default=""
    )


def _holders(found: Mapping[str, Sequence[Feat]]) -> Collection[int]:
    return {one for feats in found.values() for feat in feats for one in feat.player_ids}


def _row(name: str, feats: Sequence[Feat], people: Mapping[int, Player], book: str) -> Row:
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
    }


def _unit(name: str, number: int) -> str:
    if name == "bags":
        return ngettext("bag", "bags", number)
    if name == "longest":
        return ngettext("round", "rounds", number)
    if name in ("run", "running"):
        return _("in a row")
    return ngettext("point", "points", number)
