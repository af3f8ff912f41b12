"""Setting up a club night: how it is played, and who plays."""

import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import Any, NamedTuple

from flask import Blueprint, redirect, render_template, request, url_for
from wtforms import Field, ValidationError
from wtforms.validators import AnyOf, Optional

from scorekeeper.clock import now
from scorekeeper.club import events
from scorekeeper.club.events import FORMATS, SINGLES, Event, Plan
from scorekeeper.club.games import books_for, rules_of
from scorekeeper.club.next_match import pair_next
from scorekeeper.club.night import MOST_NAMES, Night, NightRefused, after, fold
from scorekeeper.club.standings import Criterion, Scoring
from scorekeeper.free_text import NameRefused, name_key, normalize_name, one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, RulesRefused, house_rules, with_house_rules
from scorekeeper.store.club import ClubNight, create_night, load_night, night_ids
from scorekeeper.store.connection import Database
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import list_saved_rules
from scorekeeper.web.club import words
from scorekeeper.web.club.nights import act, find_night_or_404
from scorekeeper.web.http.forms import (
    Form,
    TextField,
    text_limits,
    typed_points,
    valid_name,
    whole_number,
)
from scorekeeper.web.http.requests import Answer, database, require_phone, store
from scorekeeper.web.text.rule_books import refusal_shown
from scorekeeper.web.text.wording import minus

pages = Blueprint("club_setup", __name__, url_prefix="/club")
Names = tuple[str, ...]
WARNS = 5  # minutes before the end, at first
LENGTHS = ("target", "rounds", "minutes")
TIES: dict[str, tuple[Criterion, ...]] = {
    "points": ("wins", "points"),
    "difference": ("wins", "difference", "points"),
    "head_to_head": ("head_to_head", "difference", "points"),
    "bags": ("wins", "points", "bags"),
    "points_alone": ("points",),
}  # what decides them before a play-off and a lot, by its value in the form
LAST: tuple[Criterion, ...] = ("play_off", "lot")
MATCH_POINTS = ("2-1-0", "4-2-0", "6-2-0", "0-0-0")  # in halves: of a win, a draw and a loss
SCORES = ("win", "draw", "loss")
LONGEST_PRIZE = 100  # characters
ABOUT_ONE = ("replaced", "leaves", "returns")  # acts of one entry, by its number
MOST_TYPED = 20_000  # characters: 160 names at their longest, and blanks
USUAL, KEPT = "partnership-sandbags", "kept"  # rules by their values: the first, those it has


def _number_to(most: int, length: str = "") -> Any:
    """Return a validator of numbers from 1, which only matches of that length have."""

    def check(form: "PlanForm", field: Field) -> None:
        field.data = plain_digits(field.data).strip()
        is_number = re.fullmatch("[0-9]{1,3}", field.data) and 1 <= int(field.data) <= most
        if length in ("", form.length.data) and not is_number:
            raise ValidationError(_("Enter a number from 1 to {most}.").format(most=most))

    return check


class PlanForm(Form):
    """How an evening is called and played. `books` are the rules for it, by their values."""

    name = TextField(filters=[str.strip], validators=[Optional(), valid_name])
    format = TextField(default="swiss", validators=[AnyOf(FORMATS)])
    length = TextField(validators=[AnyOf(LENGTHS)])
    rounds = TextField(validators=[_number_to(50, "rounds")])
    minutes = TextField(validators=[_number_to(300, "minutes")])
    warns = TextField(default=str(WARNS), validators=[_number_to(60, "minutes")])
    # Not called `matches`, which is a function of the form in browsers.
    matches = TextField(name="how-many", validators=[Optional(), _number_to(50)])
    calls_last_round = TextField()
    match_points = TextField(validators=[AnyOf(MATCH_POINTS)])
    bye = TextField(validators=[AnyOf(SCORES)])
    bye_score = TextField()
    ties = TextField(validators=[AnyOf(TIES)])
    lot = TextField()
    prize_list = TextField()
    book = TextField()  # checked last, with all the others

    def __init__(self, formdata: Any, before: Plan | None = None) -> None:
        fit = {book.key: book for alone in (False, True) for book in books_for(alone=alone)}
        own = list_saved_rules(database(), require_phone().table_id)
        self.books: dict[str, RuleSet] = fit | {o.id: o.rules for o in own if o.rules.key in fit}
        length, book, self.seed = "target", USUAL, secrets.randbits(29)
        if before:
            length = "rounds" if before.rounds else "minutes" if before.minutes else length
            rules = with_house_rules(PRESETS[before.rules], dict(before.house_rules))
            self.books, book, self.seed = {KEPT: rules} | self.books, KEPT, before.seed
        shown = before if formdata is None else None
        self._before = before
        self._shown = _shown_scoring(before.scoring if before else Scoring(), self.books[book])
        prize_list = "\n".join(before.prizes) if before else ""
        super().__init__(
            formdata, obj=shown, length=length, book=book, prize_list=prize_list, **self._shown
        )

    def validate_bye_score(self, field: Field) -> None:
        """Refuse what is no number of points."""
        if self._points(field.data) is None:
            raise ValidationError(_("Points are whole numbers."))

    def _points(self, typed: str) -> int | None:
        book = self.books.get(self.book.data)
        return typed_points(typed, book.shown_as if book else "points")

    def validate_book(self, field: Field) -> None:
        """Refuse rules that are not for this format, or cannot be played as chosen."""
        book = self.books.get(field.data)
        if not book or not (book.partnerships or self.format.data in SINGLES):
            raise ValidationError(_("These rules aren’t for this format. Choose others."))
        try:
            rules_of(self.plan() if not self.messages else Plan(format="swiss", seed=0))
        except RulesRefused as refused:
            raise ValidationError(refusal_shown(refused)) from None

    def plan(self) -> Plan:
        """Return the plan that was chosen."""
        book, length = self.books[self.book.data], self.length.data
        prizes = [one_line(line)[:LONGEST_PRIZE] for line in self.prize_list.data.splitlines()]
        return Plan(
            format=self.format.data,
            seed=self.seed,
            name=self.name.data,
            matches=int(self.matches.data.strip() or 0) or None,
            alone=not book.partnerships,
            rules=book.key,
            house_rules=tuple(house_rules(PRESETS[book.key], book).items()),
            rounds=int(self.rounds.data) if length == "rounds" else None,
            minutes=int(self.minutes.data) if length == "minutes" else None,
            warns=int(self.warns.data) if length == "minutes" else WARNS,
            calls_last_round=bool(self.calls_last_round.data),
            scoring=self._scoring(are_alone=not book.partnerships),
            prizes=tuple(filter(None, prizes)),
        )

    def _scoring(self, *, are_alone: bool) -> Scoring:
        """Return what a match scores; who plays alone has points by place, on another scale.

        What an imported evening has and these fields cannot show stays until one is changed.
        """
        is_same = all((self[name].data or "") == shown for name, shown in self._shown.items())
        if self._before and self._before.alone == are_alone and is_same:
            return self._before.scoring
        chosen = MATCH_POINTS[0] if are_alone else self.match_points.data
        scores = dict(zip(SCORES, map(int, chosen.split("-")), strict=True))
        typed = self.bye_score.data.strip()
        return Scoring(
            **scores,
            bye=scores[self.bye.data],
            bye_score=self._points(typed) if typed else None,
            criteria=(*TIES[self.ties.data], *LAST[: 2 if self.lot.data else 1]),
        )


def _shown_scoring(scoring: Scoring, rules: RuleSet) -> dict[str, str]:
    """Return a plan's scoring as its fields show it; what these do not have is as at first."""
    score = scoring.bye_score
    match_points = f"{scoring.win}-{scoring.draw}-{scoring.loss}"
    decides = tuple(one for one in scoring.criteria if one not in LAST)
    return {
        "match_points": match_points if match_points in MATCH_POINTS else MATCH_POINTS[0],
        "bye": next((one for one in SCORES if getattr(scoring, one) == scoring.bye), "win"),
        "bye_score": "" if score is None else minus(score, rules.shown_as),
        "ties": next((one for one in TIES if TIES[one] == decides), "points"),
        "lot": "yes" if "lot" in scoring.criteria else "",
    }


@pages.route("/new", methods=["GET", "POST"])
@pages.route("/<night_id>/plan", methods=["GET", "POST"])
def plan(night_id: str | None = None) -> Answer:
    """Show the form of an evening that is set up, or changed; store it, and ask who plays."""
    known = find_night_or_404(night_id) if night_id else None
    form = PlanForm(request.form if request.method == "POST" else None, known and known.night.plan)

    def show(club: ClubNight | None, refused: str = "") -> str:
        return render_template(
            "club/plan.html",
            form=form,
            club=club,
            refused=refused,
            words=words,
            match_points=MATCH_POINTS,
        )

    def decide(_db: Database, club: ClubNight) -> list[Event]:
        happens: list[Event] = [events.SetUp(form.plan())]
        with suppress(NightRefused):  # too few are there yet
            happens += _paired_anew(club.night, happens)
        return happens

    if request.method != "POST":
        return show(known)
    if not form.validate():
        return show(known), 422
    if night_id:
        return act(night_id, decide, show)
    phone = require_phone()
    with store().write(phone.table_id) as db:
        club = _just_made(db, phone.table_id, form.plan())
        club = club or create_night(db, phone.table_id, form.plan(), Who(phone.id, now()))
    return redirect(url_for("club_setup.entries", night_id=club.id), 303)


def _just_made(db: Database, table_id: str, plan: Plan) -> ClubNight | None:
    """Return the newest evening if it has this plan and no entries, as after a second tap."""
    newest = [load_night(db, table_id, one) for one in night_ids(db, table_id)[:1]]
    club = newest[0] if newest else None
    is_same = club and replace(club.night, plan=plan) == fold([events.SetUp(plan)])
    return club if is_same else None


class Typed(NamedTuple):
    """Entries as typed, a line each: their names, and what is wrong, by the number of the line."""

    names: list[Names]
    errors: dict[int, str]
    lines: Sequence[str]


def read_entries(text: str, *, are_single: bool, in_pairs: bool) -> Typed:
    """Return the entries of a text. Two lines of one name are a team `in_pairs`, or with a ?."""
    typed = Typed([], {}, re.split(r"[\n,;\t]" if are_single else r"\n", text))
    waiting, seen = dict[int, str](), dict[str, int]()
    for n, line in enumerate(typed.lines, 1):
        parts = [part.strip() for part in re.split(r"[&+/,;\t]", line)]
        try:
            names = tuple(normalize_name(part) for part in parts if part not in ("", "?"))
        except NameRefused as refused:
            typed.errors[n] = str(refused)
            continue
        for name in names:
            if known := seen.get(name_key(name)):
                typed.errors[n] = _("{name} is in line {n}").format(name=name, n=known)
            seen[name_key(name)] = n
        if len(names) == 1 and not are_single and (in_pairs or "?" in parts):
            waiting[n] = names[0]
        elif names and not (len(names) == 1 if are_single else 2 <= len(names) <= MOST_NAMES):
            typed.errors.setdefault(n, _wrong_number(names, are_single=are_single))
        elif names:
            typed.names.append(names)
    pairs = [*waiting.values()]
    typed.names.extend(zip(pairs[::2], pairs[1::2], strict=False))
    if len(pairs) % 2:
        typed.errors[max(waiting)] = _("no partner yet")
    return typed


def _wrong_number(names: Names, *, are_single: bool) -> str:
    if are_single:
        return _("one name a line")
    return _("one name only") if len(names) == 1 else _("more than three names")


def entered(night: Night, lines: Sequence[Names]) -> list[Event]:
    """Return what makes the entries those that were typed; of an evening that has begun, more."""
    known = {night.entries[one].names: one for one in night.present}
    new = [names for names in lines if names not in known]
    gone = [] if night.begun else [one for names, one in known.items() if names not in lines]
    happens: list[Event] = [events.Left(one) for one in gone]
    for one, names in zip(gone, new, strict=False):
        happens += [events.Replaced(one, names), events.Returned(one)]
    numbers = count(max(night.entries, default=0) + 1)
    happens += [
        events.Entered(n, names) for n, names in zip(numbers, new[len(gone) :], strict=False)
    ]
    return happens + _paired_anew(night, happens)


def _paired_anew(night: Night, happens: Sequence[Event]) -> list[Event]:
    """Return the pairing after entries have come or gone, where no match is played."""
    now = reduce(after, happens, night)
    is_due = happens and (not now.begun or len(now.matches) > len(now.begun))
    return [pair_next(now)] if is_due else []


@pages.get("/<night_id>/entries")
def entries(night_id: str) -> str:
    """Show who plays, to change that."""
    club = find_night_or_404(night_id)
    return _entries_page(club, "" if club.night.begun else words.lines(club.night))


@pages.post("/<night_id>/entries")
@text_limits(typed=MOST_TYPED)
def enter(night_id: str) -> Answer:
    """Change who plays: all entries as typed, or one that leaves, returns, or is replaced."""
    form, club = request.form, find_night_or_404(night_id)
    text = form.get("typed", "").replace("\r", "")
    typed = read_entries(
        text, are_single=club.night.plan.format in SINGLES, in_pairs="pairs" in form
    )

    def decide(_db: Database, club: ClubNight) -> list[Event]:
        for name, happens in (("leaves", events.Left), ("returns", events.Returned)):
            if name in form:
                return [happens(whole_number(form, name, 4))]
        if "replaced" in form:
            return [
                events.Replaced(whole_number(form, "replaced", 4), names)
                for names in typed.names[:1]
            ]
        return entered(club.night, typed.names)

    def show(club: ClubNight, refused: str = "") -> str:
        return _entries_page(club, text, typed, refused)

    if typed.errors and not {"leaves", "returns"} & {*form}:
        return show(club), 422
    then = "club.desk" if "typed" in form and not club.night.begun else "club_setup.entries"
    return act(night_id, decide, show, then=then)


def _entries_page(club: ClubNight, text: str, typed: Typed | None = None, refused: str = "") -> str:
    return render_template(
        "club/entries.html",
        club=club,
        night=club.night,
        text=text,
        typed=typed,
        refused=refused,
        about=next((request.form[one] for one in ABOUT_ONE if one in request.form), ""),
    )
