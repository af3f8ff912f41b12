"""Base class and fields of the forms, and strict readers for buttons that send one value."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from flask_wtf import FlaskForm
from wtforms import Field, IntegerField, StringField, ValidationError

from scorekeeper.free_text import LONGEST_TYPED, NameRefused, normalize_name
from scorekeeper.i18n import MINUS, plain_digits
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, parse_bid
from scorekeeper.rules.values import MOST_PLAYERS

LONGEST = 500  # characters of a field, unless its view says otherwise with `text_limits`
MAX_FIELDS = 300  # of a request: every house rule and every seat of the largest form
# Fields of names, which `normalize_name` limits: its message stands beside the field.
NAMES = re.compile(r"(player|name|was|substitute)-[0-9]{1,4}|name|label|rules_name")
MAX_SEATS = MOST_PLAYERS
BLANKS = " \t\u00a0"
View = TypeVar("View", bound=Callable[..., Any])


class Form(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """Base class of the forms that people fill in.

    Views pass `request.form` or `request.args`, as Flask-WTF would also read a body of JSON.
    Forms have no CSRF field: `CSRFProtect` checks every POST before its view runs, and templates
    write the token with the macro `token`. A search sent by GET must not carry one at all.
    """

    class Meta(FlaskForm.Meta):  # type: ignore[misc]  # Flask-WTF comes without types
        csrf = False

        def get_translations(self, form: FlaskForm) -> None:
            """Load no catalogue of WTForms: every message shown is one of our own."""

    @property
    def messages(self) -> dict[str, str]:
        """The error messages to show, each under the HTML name of its field."""
        return {field.name: field.errors[0] for field in self if field.errors}


class TextField(StringField):
    """A line of text, empty where the field was not sent; `refuse_long_texts` limits its length."""

    data: Any  # text, unless a form makes a value of it

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"default": "", **kwargs})


class StrictIntegerField(IntegerField):
    """A whole number in ASCII digits; `int` would take other digits, signs and underscores too."""

    data: Any

    def __init__(self, most_digits: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most_digits = most_digits

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Convert the text sent. Raises `Malformed`, which WTForms makes an error of the field."""
        self.data = parse_digits(self.name, valuelist[0] if valuelist else "", self.most_digits)


def valid_name(_form: Form, field: Field) -> None:
    """Validate a name, and replace it by the form in which it is stored."""
    try:
        field.data = normalize_name(field.data)
    except NameRefused as refused:
        field.data = field.data[:LONGEST_TYPED]  # all that the page shows again
        raise ValidationError(str(refused)) from None


class Malformed(ValidationError):
    """A value that none of our pages sends; the message says what is wrong with it."""


class TextLimits(NamedTuple):
    """How many fields a view takes, and how long those are that exceed `LONGEST` characters."""

    max_fields: int
    longest: Mapping[str, int]


USUAL = TextLimits(MAX_FIELDS, {})


def text_limits(max_fields: int = MAX_FIELDS, **longest: int) -> Callable[[View], View]:
    """Let a view take more fields, or longer texts in some of them."""

    def mark(view: View) -> View:
        view.text_limits = TextLimits(max_fields, longest)  # type: ignore[attr-defined]  # a mark
        return view

    return mark


def refuse_long_texts(view: object, fields: Iterable[tuple[str, str]]) -> None:
    """Raise `Malformed` for fields beyond the limits of a view, in number or in length."""
    limits: TextLimits = getattr(view, "text_limits", USUAL)
    for n, (name, text) in enumerate(fields, 1):
        most = limits.longest.get(name, LONGEST)
        if n > limits.max_fields or len(name) > LONGEST:
            raise Malformed(_("Invalid request. Go back and use the buttons on the page."))
        if len(text) > most and not NAMES.fullmatch(name):
            sentence = _("“{name}” can have at most {most} characters. This one has {n}.")
            raise Malformed(sentence.format(name=name[:40], most=most, n=len(text)))


def parse_digits(name: str, text: str, most_digits: int) -> int:
    """Return the number in a field called `name`. Raises `Malformed` unless it is ASCII digits."""
    text = text.strip(BLANKS)
    if not re.fullmatch(rf"[0-9]{{1,{most_digits}}}", text, re.ASCII):
        sentence = _("“{name}” must be a whole number, not {text}.")
        raise Malformed(sentence.format(name=name, text=quoted(text)))
    return int(text)


def whole_number(form: Mapping[str, str], name: str, most_digits: int = 2) -> int:
    """Return the number in a field of ASCII digits. Raises `Malformed` for anything else."""
    return parse_digits(name, form.get(name, ""), most_digits)


def typed_start(
    totals: Sequence[str], bags: Sequence[str], shown_as: str
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the totals and bags that a game begins with, from text as people see points.

    Nothing but zeros is no start. None where one is no number.
    """
    points = [typed_points(text, shown_as) for text in totals]
    counts = [typed_points(text, "points") for text in bags]
    if None in points or None in counts:
        return None
    start, start_bags = (tuple(n for n in row if n is not None) for row in (points, counts))
    if not any([*start, *start_bags]):
        return (), ()
    return start, start_bags if any(start_bags) else ()


def typed_points(typed: str, shown_as: str) -> int | None:
    """Return points typed as people see them; nothing is zero. None where they are no number."""
    text = plain_digits(typed).strip().replace(MINUS, "-").replace(",", ".") or "0"
    digits = r"[+-]?[0-9]{1,7}" + (r"(\.[0-9])?" if shown_as == "tenths" else "")
    if not re.fullmatch(digits, text, re.ASCII):
        return None
    return int(Decimal(text) * (10 if shown_as == "tenths" else 1))


def seat_of(form: Mapping[str, str], players: int) -> int:
    """Return the seat in the field `seat`, counted from 0. Raises `Malformed` if there is none."""
    seat = whole_number(form, "seat")
    check_seat(seat, players)
    return seat - 1


def check_seat(seat: int, players: int) -> None:
    """Raise `Malformed` for the number of no seat, counted from 1."""
    if not 1 <= seat <= players:
        sentence = _("No seat {n} at this table. Seats are 1 to {players}.")
        raise Malformed(sentence.format(n=seat, players=players))


def bid_of(text: str) -> Bid:
    """Parse a bid. Raises `Malformed` for anything else."""
    try:
        return parse_bid(text.strip(BLANKS))
    except ValueError:
        sentence = _("{text} isn’t a bid. Bid a number or Nil.")
        raise Malformed(sentence.format(text=quoted(text))) from None


def quoted(text: str) -> str:
    """Return a text in quotation marks, cut to 20 characters."""
    return f"“{text[:20]}…”" if len(text) > 20 else f"“{text}”"
