"""The history of a table: its games searched, removed and restored."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError

from scorekeeper.clock import evening_of, evening_span, midnight, now, this_evening
from scorekeeper.free_text import search_key
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.payments import stake_balances
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import history
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.history import END, Search
from scorekeeper.store.players import Player, names_like, players_called
from scorekeeper.store.statistics import Span, most_ahead, most_wins
from scorekeeper.web.http.forms import Form, TextField, quoted
from scorekeeper.web.http.requests import database, find_game_or_404, require_phone, store
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.cards import ResultCard, result_card
from scorekeeper.web.text.wording import evening, fill, listed, payment_lines

COMMA = re.compile("[,،、，]")  # of any language
MAX_MATCHES = 10  # players whom one part of a name can mean
MAX_NAMES = 5  # names in one field
MAX_OFFERED = 3  # names in place of one that nobody has
MANY = 2  # games of an evening that has a winner


class PlayersField(TextField):
    """Names, or parts of them, between commas.

    `players` are, once the field is valid, the ids of the players that each name can mean.
    `nearest` are texts for the field in which players stand for a name that nobody has.
    """

    players: list[list[int]]
    nearest: Sequence[str] = ()

    def pre_validate(self, _form: Any) -> None:
        """Find the players. Refuses a name that matches none or too many, and too many names."""
        names = [name.strip() for name in COMMA.split(self.data) if name.strip()]
        table_id = require_phone().table_id
        if len(names) > MAX_NAMES:
            raise ValidationError(_("Enter at most {most} names.").format(most=MAX_NAMES))
        self.players = []
        for name in names:
            found = players_called(database(), table_id, name, MAX_MATCHES + 1)
            if not found:
                others = names_like(database(), table_id, name, MAX_OFFERED)
                self.nearest = [
                    ", ".join(other if one == name else one for one in names) for other in others
                ]
                raise ValidationError(_("No games with {name}.").format(name=quoted(name)))
            if len(found) > MAX_MATCHES:
                raise ValidationError(_("Several players match. Type more of the name."))
            self.players.append([player.id for player in found])


class DayField(TextField):
    """A day such as 2026-01-31, from 1970 to 2999, or nothing; `day` once the field is valid."""

    day: date | None = None

    def pre_validate(self, _form: Any) -> None:
        """Parse the day."""
        try:
            day = date.fromisoformat(self.data) if self.data else None
        except ValueError:
            day = date.min
        if day and not 1970 <= day.year <= 2999:
            raise ValidationError(_("Enter a date like 2026-01-31."))
        self.day = day


class SearchForm(Form):
    """What is searched for in the history of this phone's table, sent by GET."""

    player = PlayersField(filters=[str.strip])
    winner = PlayersField(filters=[str.strip])
    partners = PlayersField(filters=[str.strip])
    rules = TextField(filters=[str.strip])
    note = TextField(filters=[str.strip])
    since = DayField(name="from", filters=[str.strip])
    until = DayField(name="to", filters=[str.strip])

    def validate_rules(self, field: Field) -> None:
        """Refuse an unknown rule book."""
        if field.data not in ("", *PRESETS):
            raise ValidationError(_("Unknown rules. Choose from the list."))

    def validate_partners(self, field: PlayersField) -> None:
        """Refuse other numbers of names than two."""
        if len(field.players) not in (0, 2):
            raise ValidationError(_("Enter two names, like Ana, Ben."))

    def validate_until(self, field: DayField) -> None:
        """Refuse a day before the first one."""
        if self.since.day and field.day and self.since.day > field.day:
            raise ValidationError(_("The end date is before the start date."))

    @property
    def search(self) -> Search:
        """What to look for, once the form is valid."""
        first, last = self.since.day, self.until.day
        return Search(
            players=tuple(self.player.players),
            winners=[one for group in self.winner.players for one in group] or None,
            rules=self.rules.data,
            since=midnight(first) if first else "",
            until=midnight(last + timedelta(days=1)) if last else END,
            note=search_key(self.note.data),
            partners=(pair[0], pair[1]) if (pair := self.partners.players) else None,
        )

    @property
    def filters(self) -> dict[str, str]:
        """The fields that are not empty, for the address of the next page."""
        return {field.name: field.data for field in self if field.data}

    @property
    def is_malformed(self) -> bool:
        """Whether anything but the names of players is wrong."""
        return not self.errors.keys() <= {"player", "winner", "partners"}

    @property
    def in_detail(self) -> bool:
        """Whether the search has criteria besides players."""
        return not self.filters.keys() <= {"player"}


pages = Blueprint("history", __name__)
Answer = str | tuple[str, int]


@pages.get("/history")
def index() -> Answer:
    """Show the games that match the search, newest first."""
    phone, form = require_phone(), SearchForm(request.args)
    if not form.validate():
        return _index_page(form, history.Found([], None)), 422 if form.is_malformed else 200
    after = request.args.get("after", "")
    found = history.search(database(), phone.table_id, form.search, after)
    return _index_page(form, found or abort(404))


class Choice(NamedTuple):
    """A winner or a pair to search for; `filters` are the fields of the search then."""

    players: Sequence[Player]
    games: int
    filters: dict[str, str]


@pages.get("/history/winners")
def winners() -> str:
    """List who has won, most often first, each as a search for the games won."""
    found = most_wins(database(), require_phone().table_id, "")
    return _choices(_("Winner"), "winner", [([one], wins) for one, wins in found])


@pages.get("/history/partners")
def partners() -> str:
    """List the pairs of partners, those with most games first, each as a search for their games."""
    found = history.pairs_by_games(database(), require_phone().table_id)
    return _choices(_("Partners"), "partners", [([one, two], games) for one, two, games in found])


def _choices(title: str, field: str, found: Sequence[tuple[Sequence[Player], int]]) -> str:
    """Return a page of searches that differ in one field and have the others of the query."""
    others = SearchForm(request.args).filters
    choices = [
        Choice(players, games, {**others, field: ", ".join(one.name for one in players)})
        for players, games in found
    ]
    return render_template("history/choices.html", title=title, choices=choices)


@pages.get("/history/removed")
def removed() -> str:
    """List the removed games, a page of them at a time."""
    phone, after = require_phone(), request.args.get("after", "")
    games, following = history.removed_games(database(), phone.table_id, after) or abort(404)
    return render_template("history/removed.html", games=games, after=following)


@pages.get("/games/<game_id>/removal")
def removal(game_id: str) -> str:
    """Ask for confirmation before a game is removed."""
    return render_template("history/removal.html", game=find_game_or_404(game_id))


@pages.post("/games/<game_id>/removal")
def remove(game_id: str) -> Response:
    """Remove a game, which can be restored; once more changes nothing."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if game := load_game(db, phone.table_id, game_id):
            history.remove_game(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id, removed=True):
            abort(404)
    return redirect(url_for("history.removed"), 303)


@pages.post("/history/removed/<game_id>")
def bring_back(game_id: str) -> Response:
    """Restore a removed game and go to it; once more changes nothing."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        if game := load_game(db, phone.table_id, game_id, removed=True):
            history.bring_back(db, game, phone.id, now())
        elif not load_game(db, phone.table_id, game_id):
            abort(404)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _index_page(form: SearchForm, found: history.Found) -> str:
    return render_template(
        "history/index.html",
        form=form,
        found=found,
        evenings=_by_evening(found.games),
        is_empty=not (
            found.games or form.filters or request.args.get("after") or found.after or found.damaged
        ),
        payments=_payments(form, found),
        filters=_chips(form, found.games),
        presets=PRESETS.values(),
    )


class Evening(NamedTuple):
    """Games under a title: those of an evening of a `day` with its winner, or those that go on."""

    title: str
    cards: list[ResultCard]
    winners: Sequence[Player] = ()
    about: Markup | str = ""
    day: str = ""


def _by_evening(games: Sequence[Game]) -> list[Evening]:
    """Return games under titles: first those that go on, then each evening."""
    open_games = [game for game in games if game.state.phase != "over"]
    over = [game for game in games if game.state.phase == "over"]
    cards = [result_card(game, with_rules=True) for game in open_games]
    found = [Evening(_("In progress"), cards)] if cards else []
    return found + [
        _evening(day, [*of_day])
        for day, of_day in groupby(over, lambda game: evening_of(game.started))
    ]


def _evening(day: date, games: Sequence[Game]) -> Evening:
    """Return an evening; it has a winner where several games were played."""
    cards = [result_card(game, with_rules=True, with_day=False) for game in games]
    if len(games) < MANY:
        return Evening(evening(day), cards, day=day.isoformat())
    table_id = require_phone().table_id
    winners = most_ahead(database(), table_id, Span(*evening_span(day)))
    about = fill(ngettext("{n} game", "{n} games", len(games)), n=len(games))
    if winners:
        sentence = _("{names}’s evening")
        names = fill(sentence, names=listed([one.name for one in winners]))
        about = Markup(" · ").join([names, about])
    return Evening(evening(day), cards, winners, about, day.isoformat())


def _payments(form: SearchForm, found: history.Found) -> list[Markup]:
    """Return who pays whom over all games since a day, where one page lists them all."""
    if not form.since.day or found.after or request.args.get("after"):
        return []
    balances: Counter[str] = Counter()
    for game in found.games:
        if game.stake and game.state.phase == "over":
            balances.update(
                dict(zip(game.names, stake_balances(game.state, game.stake), strict=True))
            )
    return payment_lines([*balances], [*balances.values()])


class Chip(NamedTuple):
    """A filter that one tap sets; `filters` are the fields of the search then.

    One that leads to a `page` of choices takes them along.
    """

    label: str
    filters: Mapping[str, str]
    is_chosen: bool
    page: str = "history.index"


def _chips(form: SearchForm, games: Sequence[Game]) -> list[Chip]:
    """Return filters for what is listed: all, today, this month, winner, partners, rule books."""
    today = this_evening()
    days = [
        (_("All games"), {}),
        (_("Today"), {"from": today.isoformat()}),
        (_("This month"), {"from": today.replace(day=1).isoformat()}),
    ]
    keys = dict.fromkeys([form.rules.data, *(game.rules.key for game in games)])
    books = [(book_name(PRESETS[key]), {"rules": key}) for key in keys if key in PRESETS]
    named = [
        _chip_of_names(form, form.winner, _("Winner"), "history.winners"),
        _chip_of_names(form, form.partners, _("Partners"), "history.partners"),
    ]
    return [*_set_by_one_tap(form, days), *named, *_set_by_one_tap(form, books)]


def _set_by_one_tap(
    form: SearchForm, wanted: Sequence[tuple[str, Mapping[str, str]]]
) -> list[Chip]:
    return [Chip(label, filters, filters == form.filters) for label, filters in wanted]


def _chip_of_names(form: SearchForm, field: PlayersField, label: str, page: str) -> Chip:
    if field.data:
        label = _("{what}: {text}").format(what=label, text=field.data)
    others = {name: value for name, value in form.filters.items() if name != field.name}
    return Chip(label, others, bool(field.data), page)
