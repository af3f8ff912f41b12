"""Which games the pages of players count, as chosen in their addresses."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from flask import abort, request, session
from wtforms import ValidationError

from scorekeeper.clock import midnight, this_evening
from scorekeeper.i18n import FROM_TO, ngettext, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import statistics as queries
from scorekeeper.store.statistics import ALL, ALONE, KINDS, PARTNERS, Selection, Span
from scorekeeper.web.history import DayField
from scorekeeper.web.http.forms import Form
from scorekeeper.web.http.requests import database, require_phone
from scorekeeper.web.players import figures
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.wording import day

KEPT = "players"  # the member of the session with the rules that were chosen last
RULES = (ALL, *KINDS, *PRESETS)
MOST_SIDES = 10


class PeriodForm(Form):
    """Two days between which games began; either may be empty."""

    since = DayField(filters=[str.strip])
    until = DayField(filters=[str.strip])

    def validate_until(self, field: DayField) -> None:
        """Refuse a day before the first one."""
        if self.since.day and field.day and self.since.day > field.day:
            raise ValidationError(_("The end date is before the start date."))

    @property
    def span(self) -> Span:
        """When the games began; any time for a day that is none."""
        first, last = self.since.day, self.until.day
        if self.errors:
            return queries.EVER
        return Span(
            midnight(first) if first else "",
            midnight(last + timedelta(days=1)) if last else queries.EVER.until,
        )


class Option(NamedTuple):
    """Games that one tap chooses, and how many there are; `query` is that of the address."""

    label: str
    games: str
    query: Mapping[str, str]
    is_chosen: bool


class Choice(NamedTuple):
    """The games that are chosen, and what else there is to choose."""

    wanted: Selection
    form: PeriodForm
    query: Mapping[str, str]
    kinds: Sequence[Option]
    periods: Sequence[Option]
    period: str
    books: Sequence[Option]
    book: str

    def sides(self, numbers: Iterable[int]) -> list[Option]:
        """Return the numbers of sides to choose from; nothing where there is one."""
        others = {key: text for key, text in self.query.items() if key != "sides"}
        chosen = self.wanted.sides
        known = sorted({*numbers, *([chosen] if chosen else [])})
        if self.wanted.kind == PARTNERS or len(known) < 2:
            return []
        return [
            Option(_("All sizes"), "", others, chosen is None),
            *(
                Option(figures.sides_said(n), "", {**others, "sides": str(n)}, n == chosen)
                for n in known
            ),
        ]


def chosen() -> Choice:
    """Return the games that this request asks for: by default the kind that is played most.

    Answers 404 for rules and numbers of sides that there are none of.
    """
    form = PeriodForm(request.args)
    form.validate()
    table_id = require_phone().table_id
    typed = {} if form.errors else {field.name: field.data for field in form if field.data}
    periods = _periods()
    spans = [form.span, *(Span(midnight(since) if since else "") for since in periods.values())]
    shown, *counts = queries.finished_games(database(), table_id, spans)
    rules = _rules(counts[-1])
    sides = _sides()
    wanted = Selection(rules, sides, form.span)
    query = {"rules": rules, **({"sides": str(sides)} if sides else {}), **typed}
    books = _books(shown, wanted.kind, query)
    found = [
        _period(label, since, _counted(count, rules), query)
        for (label, since), count in zip(periods.items(), counts, strict=True)
    ]
    named = next((one.label for one in found if one.is_chosen), "")
    return Choice(
        wanted,
        form,
        query,
        _kinds(shown, wanted, typed),
        found,
        named or _between(form),
        books,
        book_name(PRESETS[rules]) if rules in PRESETS else _("All rules"),
    )


def _rules(played: Mapping[str, int]) -> str:
    """Return the rules asked for, those of the last time, or the kind that is played most."""
    asked = request.args.get("rules")
    if asked is None:
        kept = session.get(KEPT)
        alone, partners = (_counted(played, kind) for kind in (ALONE, PARTNERS))
        return kept if kept in RULES else PARTNERS if partners > alone else ALONE
    if asked not in RULES:
        abort(404)
    if session.get(KEPT) != asked:
        session[KEPT] = asked
    return asked


def _sides() -> int | None:
    asked = request.args.get("sides")
    if not asked:
        return None
    known = [str(n) for n in range(2, MOST_SIDES + 1)]
    return int(asked) if asked in known else abort(404)


def _counted(played: Mapping[str, int], rules: str) -> int:
    """Return how many games of a rule book, a kind or all were played."""
    books = KINDS.get(rules, played if rules == ALL else (rules,))
    return sum(played.get(book, 0) for book in books)


def _kinds(played: Mapping[str, int], wanted: Selection, typed: Mapping[str, str]) -> list[Option]:
    names = {ALONE: _("Alone"), PARTNERS: _("Partners")}
    return [
        Option(name, str(_counted(played, kind)), {"rules": kind, **typed}, wanted.kind == kind)
        for kind, name in names.items()
    ]


def _books(played: Mapping[str, int], kind: str, query: Mapping[str, str]) -> list[Option]:
    """Return the rule books of a kind that were played, the most frequent first."""
    asked = query["rules"]
    books = [key for key in KINDS.get(kind, PRESETS) if played.get(key) or key == asked]
    books.sort(key=lambda key: -played.get(key, 0))
    whole = Option(
        _("All rules"), _games(_counted(played, kind)), {**query, "rules": kind}, asked == kind
    )
    return [
        whole,
        *(
            Option(
                book_name(PRESETS[key]),
                _games(played.get(key, 0)),
                {**query, "rules": key},
                key == asked,
            )
            for key in books
        ),
    ]


def _games(count: int) -> str:
    return ngettext("{n} game", "{n} games", count).format(n=count)


def _periods() -> dict[str, date | None]:
    """Return the first days of the periods to choose from, by their names."""
    today = this_evening()
    return {
        _("This evening"): today,
        _("This month"): today.replace(day=1),
        _("This year"): today.replace(month=1, day=1),
        _("All time"): None,
    }


def _period(label: str, since: date | None, count: int, query: Mapping[str, str]) -> Option:
    others = {key: text for key, text in query.items() if key not in ("since", "until")}
    own = {**others, **({"since": since.isoformat()} if since else {})}
    return Option(label, _games(count), own, own == query)


def _between(form: PeriodForm) -> str:
    """Return the days of a period in words."""
    first, last = (
        day(midnight(field.day)) if field.day else "" for field in (form.since, form.until)
    )
    if first and last:
        return translate(FROM_TO.about(first=first, last=last))
    sentence = _("since {day}") if first else _("until {day}")
    return sentence.format(day=first or last)
