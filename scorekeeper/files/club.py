"""Club nights as files: rows of standings and results, and an evening as JSON with its checks."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scorekeeper.club import events
from scorekeeper.club.events import SINGLES, Event, Plan, from_json
from scorekeeper.club.games import SEATS, books_for, names_at, rules_of
from scorekeeper.club.night import Night, after, standings_of
from scorekeeper.files.csv_columns import escape_formula
from scorekeeper.files.json import moment
from scorekeeper.files.strict_json import (
    InvalidValue,
    Json,
    list_of,
    members_of,
    number_of,
    optional_of,
    parse,
    text_of,
)
from scorekeeper.free_text import normalize_name, one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.games import MAX_ROUNDS, OWN_ID

STANDINGS = (
    "place", "entry", "match_points", "wins", "draws", "losses", "byes", "points", "against",
    "difference", "bags", "decided_by",
)  # fmt: skip
RESULTS = ("match", "table", "entry", "points", "bags", "rank", "source", "game")
MEMBERS = ("club_night", "events")
MOST_EVENTS, MOST_ENTRIES, MOST_MATCHES, MOST_MINUTES = 10_000, 400, 60, 600
MOST_SECONDS = 86_400  # on a clock
LONGEST = 200  # characters of the name of an evening, and of why there is a penalty


def standings_rows(night: Night, mark: str = ".") -> Iterator[list[object]]:
    """Yield a row of `STANDINGS` for each entry, with this decimal separator."""
    for row in standings_of(night):
        one = row.record
        yield [
            row.place,
            _names(night, (one.entry,)),
            f"{one.match_points / 2:g}".replace(".", mark),
            one.wins,
            one.draws,
            one.losses,
            one.byes,
            one.points,
            one.against,
            one.difference,
            one.bags,
            row.why.code if row.why else "",
        ]


def results_rows(night: Night, _mark: str = ".") -> Iterator[list[object]]:
    """Yield a row of `RESULTS` for each side of each table, and for who sat out."""
    for match in night.begun:
        for number, table in enumerate(match.seating.tables, 1):
            known, ranks = match.at(number), night.ranks(match, number)
            result = known.counted
            for at, side in enumerate(table):
                yield [
                    match.number,
                    number,
                    _names(night, side),
                    result.scores[at] if result else "",
                    result.bags[at] if result and result.bags else "",
                    ranks[at] if ranks else "",
                    known.status,
                    match.games.get(number, ""),
                ]
        for entry in match.seating.byes:
            yield [match.number, "", _names(night, (entry,)), "", "", "", "bye", ""]


def _names(night: Night, entries: tuple[int, ...]) -> str:
    return escape_formula(" & ".join(n for one in entries for n in night.entries[one].names))


def night_json(document: Mapping[str, Any]) -> bytes:
    """Return the document of an evening as a JSON file."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def read_night(data: bytes) -> Json:
    """Return the document of an evening of which every moment can be shown.

    Raises `InvalidValue`.
    """
    document = members_of(parse(data), MEMBERS, _("the club night"))
    text_of(document["club_night"], "club_night", OWN_ID.pattern, LONGEST)
    night: Night | None = None
    for number, facts in enumerate(list_of(document["events"], "events", MOST_EVENTS), 1):
        try:
            event = from_json({name: facts[name] for name in facts if name != "at"})
            facts["at"] = moment(facts["at"])
            night = after(night, event)
            _check(night, event)
        except InvalidValue as wrong:
            sentence = _("Event {n}: {what}")
            raise InvalidValue(sentence.format(n=number, what=wrong)) from None
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
            sentence = _("Event {n} is none of a club night, or can’t happen then.")
            raise InvalidValue(sentence.format(n=number)) from None
    if night is None:
        raise InvalidValue(_("This club night has no events."))
    return document


def _check(night: Night, event: Event) -> None:
    """Raise `ValueError` or `LookupError` for what no page of ours lets happen."""
    match event:
        case events.SetUp():
            _check_plan(event.plan)
        case events.Entered() | events.Replaced():
            number_of(event.entry, "entry", 0, MOST_ENTRIES)
            _require([*map(normalize_name, event.names)] == [*event.names])
        case events.Paired():
            paired = night.matches[-1]
            sides = SEATS if night.plan.alone else 2
            _require(all(len(table) == sides for table in paired.seating.tables))
            seated = [names_at(night, paired, number) for number in paired.numbers]
            _require(all(len(names) == SEATS for names in seated))
        case events.GameBegun():
            _require(bool(OWN_ID.fullmatch(event.game)))
        case events.ClockSet():
            _require(event.ends is None or moment(event.ends) == event.ends)
            number_of(event.left, "left", 0, MOST_SECONDS)
        case events.Penalised():
            _check_text(event.penalty.reason)


def _check_plan(plan: Plan) -> None:
    for text in (plan.name, *plan.prizes):
        _check_text(text)
    optional_of(plan.matches, "matches", 1, MOST_MATCHES)
    optional_of(plan.rounds, "rounds", 1, MAX_ROUNDS)
    optional_of(plan.minutes, "minutes", 1, MOST_MINUTES)
    _require(plan.format in SINGLES or not plan.alone)
    _require(PRESETS[plan.rules] in books_for(alone=plan.alone))
    rules_of(plan)


def _check_text(text: str) -> None:
    _require(len(text) <= LONGEST and one_line(text) == text)


def _require(is_so: bool) -> None:
    if not is_so:
        raise ValueError
