"""Forms beside the bids and tricks of a round: penalties, seats, notes, cards, start totals."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, NamedTuple

from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.free_text import NameRefused, normalize_name, one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits, translate
from scorekeeper.rules.entry import Refused, deal_cards, give_penalty, swap_seats, take_seat
from scorekeeper.rules.faces import Face
from scorekeeper.rules.penalties import (
    KINDS,
    REASONS,
    RECEIVERS,
    UNSIZED,
    Penalty,
)
from scorekeeper.rules.round import NOTES, Round
from scorekeeper.rules.seating import Substitute, Substitutes
from scorekeeper.rules.sentence import minus
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, known_names
from scorekeeper.store.players import first_spelling
from scorekeeper.web.game.round_form import WrongFields
from scorekeeper.web.http.forms import (
    MAX_SEATS,
    Form,
    Malformed,
    StrictIntegerField,
    TextField,
    check_seat,
    parse_digits,
    typed_points,
)
from scorekeeper.web.http.requests import database
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import fill, listed


class PlayerChoice(NamedTuple):
    """A player to choose: the number of the seat, and the name."""

    n: int
    name: str


class FormBeside(Form):
    """A form beside the bids and tricks of a round, with what is `stored` or what was `typed`.

    `key` names it on the page. `about` has the field that a refusal is about, by its code; others
    are about the whole form.
    """

    key: ClassVar[str]
    about: ClassVar[Mapping[str, str]] = {}

    def __init__(self, game: Game, number: int, typed: MultiDict[str, str] | None = None) -> None:
        self.game, self.number = game, number
        self.game_id, self.revision = game.id, game.revision
        super().__init__(typed, data=self.stored() if typed is None else None)

    def stored(self) -> dict[str, Any]:
        """Return what the fields show at first."""
        return {}

    def edited(self, round_: Round) -> Round:
        """Return a round with what was typed. Raises `WrongFields`, or `Refused`."""
        if not self.validate():
            raise WrongFields(self.messages)
        return self.edit(round_)

    def edit(self, round_: Round) -> Round:
        """Return a round with what is valid. Raises `Refused` where the rules forbid it."""
        raise NotImplementedError

    def refuse(self, wrong: Refused | Malformed) -> None:
        """Show why nothing was stored, beside the fields at fault."""
        is_valid = self.validate()
        if isinstance(wrong, Refused):
            for one in wrong.refusals:
                name = self.field_of(one.code)
                errors = self[name].errors if name else self.form_errors
                errors.append(translate(one.sentence))
        elif is_valid:
            self.form_errors.append(str(wrong))

    def field_of(self, code: str) -> str:
        """Return the field that a refusal is about; empty where that is all of the form."""
        return self.about.get(code, "")

    def shown(self, name: str, first: str = "") -> str:
        """Return what a field shows: what was typed or is stored, or else `first`."""
        field = self[name]
        return str(field.raw_data[0] if field.raw_data else field.data or first)

    def validate_seat(self, field: Field) -> None:
        if field.data is not None:
            check_seat(field.data, len(self.game.names))

    @property
    def players(self) -> list[PlayerChoice]:
        """The players of the round, in the order of the seats."""
        seats = self.game.seats_in(self.number)
        return [PlayerChoice(seat + 1, seats.names[seat]) for seat in seats.taken]


def among(*words: str) -> Callable[[Form, Field], None]:
    """Return a validator that takes these words, which the page offers, and no others."""

    def check(_form: Form, field: Field) -> None:
        if field.data not in words:
            raise Malformed(_("Choose a penalty."))

    return check


class PenaltyForm(FormBeside):
    """A penalty: whose fault it was, and what it costs."""

    key = "penalty"
    about: ClassVar = {
        **dict.fromkeys(("penalty_points", "penalty_books"), "size"),
        **dict.fromkeys(("penalty_seat_books", "penalty_to"), "what"),
    }
    seat = StrictIntegerField()
    reason = TextField(validators=[among(*REASONS)])
    size = TextField()
    what = TextField(validators=[among(*map(":".join, product(KINDS, RECEIVERS)))])

    def validate_size(self, field: Field) -> None:
        is_asked = self.what.data.partition(":")[0] not in UNSIZED
        field.data = parse_digits(_("Amount"), plain_digits(field.data), 4) if is_asked else 1

    def edit(self, round_: Round) -> Round:
        kind, _colon, to = self.what.data.partition(":")
        is_tenfold = kind == "points" and self.game.rules.shown_as == "tenths"
        size = self.size.data * (10 if is_tenfold else 1)
        penalty = Penalty(self.seat.data - 1, kind, size, to, self.reason.data)
        return give_penalty(self.game.state, round_, penalty)

    @property
    def takes_books(self) -> bool:
        return self.game.rules.totals_by == "side"

    @property
    def to_others(self) -> bool:
        return self.takes_books and self.game.rules.partnerships


class PointsForm(FormBeside):
    """Points by hand, as people see them; a select or their sign says which way."""

    key = "points"
    about: ClassVar = {"penalty_points": "size", "penalty_reason": "reason"}
    seat = StrictIntegerField()
    sign = TextField()
    size = TextField()
    reason = TextField()

    def validate_size(self, field: Field) -> None:
        shown_as = self.game.rules.shown_as
        points = typed_points(field.data, shown_as) if field.data.strip() else None
        if points is None:
            example = "2.5" if shown_as == "tenths" else "20"
            raise Malformed(_("Enter points such as {example}.").format(example=example))
        field.data = -abs(points) if self.sign.data == "-" else points

    def edit(self, round_: Round) -> Round:
        seat, reason = self.seat.data - 1, one_line(self.reason.data)
        points = Penalty(seat, "bonus", self.size.data, "nobody", reason)
        return give_penalty(self.game.state, round_, points)


class NoteRow(NamedTuple):
    """A note in its form: what it is about, the field that has it, its text, what is wrong."""

    game_id: str
    number: int
    revision: str
    label: Markup
    field: str
    text: str
    messages: Mapping[str, str]


class NoteForm(FormBeside):
    """The note on a round or on the game, or its trump; those that are not sent stay."""

    key = "note"
    remark = TextField()
    game_remark = TextField()
    trump = TextField()

    def stored(self) -> dict[str, Any]:
        return self.game.round(self.number).notes.to_json()

    def edit(self, round_: Round) -> Round:
        sent = {name: one_line(self[name].data) or NOTES[name].kind.default for name in self._sent}
        return round_.noted(**sent)

    def field_of(self, code: str) -> str:
        return self._sent[0] if code == "remark" else ""

    @property
    def _sent(self) -> list[str]:
        return [name for name, field in self._fields.items() if field.raw_data]

    @property
    def rows(self) -> list[NoteRow]:
        """The note on the round, and with the first one that on the game."""
        key = self.game_id, self.number, self.revision
        labels = {"remark": fill(say("note_of_round"), n=self.number)}
        if self.number == 1:
            labels["game_remark"] = escape(say("note_of_game"))
        return [
            NoteRow(*key, label, name, self.shown(name), self.messages)
            for name, label in labels.items()
        ]


class CardsForm(FormBeside):
    """Other cards than those of the list, where rules have one."""

    key = "cards"
    about: ClassVar = {"cards_dealt": "cards"}
    cards = StrictIntegerField()

    def __init__(self, game: Game, *sent: Any) -> None:
        self.low, self.high = game.rules.cards_range(game.state.players)
        super().__init__(game, *sent)

    def stored(self) -> dict[str, Any]:
        dealt = self.game.state.rules_in(self.number, self.game.round(self.number))
        return {"cards": dealt.tricks}

    def edit(self, round_: Round) -> Round:
        return deal_cards(self.game.state, self.number, round_, self.cards.data)


class StartRow(NamedTuple):
    """A side or a player in the form of the start; `n` counts the rows from 1."""

    n: int
    faces: list[Face]
    names: Markup
    has_bags: bool


class StartForm(FormBeside):
    """The totals and bags of a game that was continued from paper: `start-1`, `bags-1`, …"""

    key = "start-totals"

    def stored(self) -> dict[str, Any]:
        notes, shown_as = self.game.round(1).notes, self.game.rules.shown_as
        totals = {f"start-{n}": minus(one, shown_as) for n, one in enumerate(notes.start, 1)}
        return totals | {f"bags-{n}": str(bags) for n, bags in enumerate(notes.start_bags, 1)}

    def edit(self, round_: Round) -> Round:  # zeros stay, so that the form can be opened again
        start = [self[f"start-{n}"].data for n, _seats in enumerate(self._groups, 1)]
        bags = [self[f"bags-{n}"].data for n, _seats in enumerate(self.game.state.sides, 1)]
        return round_.noted(start=tuple(start), start_bags=tuple(bags) if any(bags) else ())

    @property
    def _groups(self) -> Sequence[Sequence[int]]:
        """The seats of each start total: sides, or players where each has one."""
        sides = self.game.state.sides
        is_own = len(self.game.round(1).notes.start) > len(sides)
        return [(seat,) for seat in range(len(self.game.starters))] if is_own else sides

    @property
    def rows(self) -> list[StartRow]:
        names, faces = self.game.names_in(1), self.game.faces_in(1)
        with_bags = len(self.game.state.sides) if self.game.rules.bag_limit is not None else 0
        return [
            StartRow(
                n,
                [faces[one] for one in seats],
                listed([names[one] for one in seats]),
                has_bags=n <= with_bags,
            )
            for n, seats in enumerate(self._groups, 1)
        ]


def start_number(form: StartForm, field: Field) -> None:
    """Read a total or bags, which are zero where they are blank."""
    is_total = field.name.startswith("start")
    points = typed_points(field.data, form.game.rules.shown_as if is_total else "points")
    if points is None:
        raise Malformed(say("start_numbers"))
    field.data = points


for _n in range(1, MAX_SEATS + 1):
    setattr(StartForm, f"start-{_n}", TextField(validators=[start_number]))
    setattr(StartForm, f"bags-{_n}", TextField(validators=[start_number]))

MOST_SHOWN = 12  # names to tap


class FormOfPlayers(FormBeside):
    """Who sits where from a round on."""

    @property
    def earlier(self) -> list[Substitutes]:
        """The changes of seats before the round."""
        return [one.notes.substitutes for one in self.game.rounds[: self.number - 1]]

    @property
    def players(self) -> list[PlayerChoice]:
        """Everybody who has a seat, or has left it empty."""
        names, empty = self.game.state.seats
        return [
            PlayerChoice(n + 1, say("has_left").format(name=name) if n in empty else name)
            for n, name in enumerate(names)
        ]


class SeatsForm(FormOfPlayers):
    """Another player for a seat, or nobody.

    Players who have left are among those to choose from, as long as their seat is empty. Where one
    is, either `joins_at_zero` or `joins_at_lowest` says with which total somebody new begins there.
    """

    key = "seats"
    about: ClassVar = {"seated": "name", "empty": "seat", "substitute": "seat"}
    seat = StrictIntegerField()
    name = TextField()
    player = TextField()
    leaves = TextField()

    def validate_name(self, field: Field) -> None:
        name = self.player.data or field.data
        is_left = self.leaves.data == "yes"
        field.data = None if is_left else known_spelling(database(), self.game.table_id, name)

    def edit(self, round_: Round) -> Round:
        rules, new = self.game.rules, Substitute(self.seat.data - 1, self.name.data)
        return take_seat(rules, self.game.starters, self.earlier, round_, new)

    @property
    def known(self) -> list[str]:
        """Names of the table to tap."""
        seats = self.game.state.seats
        seated = [seats.names[seat] for seat in seats.taken]
        known = known_names(database(), self.game.table_id, MOST_SHOWN + len(seats.names))
        return [name for name in known if name not in seated][:MOST_SHOWN]

    @property
    def can_leave(self) -> bool:
        return len(self.game.state.seats.taken) - 1 in self.game.rules.table_sizes

    @property
    def joins_at_zero(self) -> bool:
        return bool(self.game.state.seats.empty) and self.game.rules.joins_at == "zero"

    @property
    def joins_at_lowest(self) -> bool:
        return bool(self.game.state.seats.empty) and self.game.rules.joins_at == "lowest"


class NumbersField(Field):
    """Whole numbers, one for each field of the name."""

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Convert the texts sent. Raises `Malformed`, which WTForms makes an error of the field."""
        self.data = [parse_digits(self.name, text, 2) for text in valuelist]


class SwapForm(FormOfPlayers):
    """Two players who change seats."""

    key = "swap"
    about: ClassVar = {"two_seats": "seat", "substitute": "seat"}
    seat = NumbersField()

    def validate_seat(self, field: Field) -> None:
        for seat in field.data or ():
            check_seat(seat, len(self.game.names))

    def edit(self, round_: Round) -> Round:
        rules, seats = self.game.rules, [seat - 1 for seat in self.seat.data or ()]
        return swap_seats(rules, self.game.starters, self.earlier, round_, seats)


def forms_beside(game: Game, number: int) -> dict[str, FormBeside]:
    """Return the forms of a round by their keys."""
    forms: list[type[FormBeside]] = [PenaltyForm, PointsForm, NoteForm]
    if number == 1 and game.round(1).notes.start:
        forms.append(StartForm)
    if game.round(number).tricks is None:
        forms += [SeatsForm, SwapForm, *([CardsForm] if game.rules.cards else [])]
    return {form.key: form(game, number) for form in forms}


def known_spelling(db: Database, table_id: str, name: str | None) -> str:
    """Return the name of a player as the table spells it. Raises `Malformed` for no valid name."""
    try:
        return first_spelling(db, table_id, normalize_name(name or ""))
    except NameRefused as refused:
        raise Malformed(str(refused)) from None
