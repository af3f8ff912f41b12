"""The form of a round: it enters the open round, and corrects one that is scored."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import blind_bids, calls, parsed_bid, possible_bids, refusal
from scorekeeper.rules.entry import (
    Refused,
    empty_seats,
    enter_with_tally,
    fill_last_count,
    no_counts,
    table_before,
)
from scorekeeper.rules.game import bids_itself
from scorekeeper.rules.round import Round
from scorekeeper.store.games import Game
from scorekeeper.store.tables import OwnSeat
from scorekeeper.web.game.open_round import OpenRound, preview
from scorekeeper.web.http.forms import MAX_SEATS, Form, Malformed, StrictIntegerField, bid_of
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bid_word, points_kind

SEATS = range(1, MAX_SEATS + 1)
Errors = Mapping[str, Sequence[str]]  # messages by field: `bid-1`, or all the `tricks`
Option = tuple[str, str]  # the value and what is shown


class BidField(Field):
    """A number or a kind of Nil."""

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Parse the bid. Raises `Malformed`, which WTForms makes an error of the field."""
        self.data = bid_of(valuelist[0] if valuelist else "")


class WrongFields(Malformed):
    """Fields of the form that make no bid or count, with the message of each."""

    def __init__(self, messages: Mapping[str, str]):
        super().__init__(" ".join(messages.values()))
        self.messages = {name: [message] for name, message in messages.items()}


class Asked(NamedTuple):
    """The seats whose bids are asked for, and those whose tricks are."""

    bids: Collection[int]
    counts: Collection[int]


class RoundForm(Form):
    """The bids and tricks of a round: `bid-1` and `tricks-1` are those of the first seat.

    Seats that are not `asked` stay as they were before. In a round that is not scored yet, a field
    may be left blank.
    """

    def __init__(self, formdata: Mapping[str, str], before: Round, asked: Asked) -> None:
        super().__init__(MultiDict(formdata))
        self._before, self._asked = before, asked
        for seat, n in enumerate(SEATS):
            for name, seats in ((f"bid-{n}", asked.bids), (f"tricks-{n}", asked.counts)):
                is_blank = before.tricks is None and not formdata.get(name, "").strip()
                if seat not in seats or is_blank:
                    del self[name]

    def to_round(self, counts_before: Sequence[int | None]) -> Round:
        """Return the round, its counts as a tally; seats that are not asked keep theirs.

        Raises `WrongFields`.
        """
        if not self.validate():
            raise WrongFields(self.messages)
        bids = self._values("bid", self._asked.bids, self._before.bids)
        tally = self._values("tricks", self._asked.counts, counts_before)
        return self._before._replace(bids=bids, tricks=None, tally=tally)

    def _values(self, what: str, seats: Collection[int], known: Sequence[Any]) -> tuple[Any, ...]:
        """Return what the form has for some seats, and what is known of the others."""
        return tuple(
            self.data.get(f"{what}-{seat + 1}") if seat in seats else value
            for seat, value in enumerate(known)
        )


for _n in SEATS:
    setattr(RoundForm, f"bid-{_n}", BidField())
for _n in SEATS:
    setattr(RoundForm, f"tricks-{_n}", StrictIntegerField())


def asked_seats(game: Game, number: int, own: OwnSeat | None = None) -> Asked:
    """Return the seats that the form of a round asks for.

    A phone that has claimed a seat enters for no other in a round that is not scored yet.
    """
    rules, round_, players = game.rules, game.round(number), len(game.names)
    taken, nobody = game.seats_in(number).taken, no_counts(rules, players)
    counted = [seat for seat in taken if nobody[seat] is None]
    if round_.tricks is not None:
        return Asked([seat for seat in taken if round_.bids[seat] is not None], counted)
    bidding = () if bids_itself(rules, number) else range(calls(rules, players))
    asked = Asked([seat for seat in taken if seat in bidding], counted)
    return asked if own is None else Asked(*(_of_own(game, own, seats) for seats in asked))


def _of_own(game: Game, own: OwnSeat, seats: Collection[int]) -> list[int]:
    """Return the one of some seats for which a phone enters: its own, or its partner's."""
    asked = own.seat if own.seat in seats else own.seat % len(game.state.sides)
    return [asked] if asked in seats and not own.taken_by else []


def entered_round(
    game: Game, number: int, fields: Mapping[str, str], own: OwnSeat | None = None
) -> Round:
    """Return the round that the fields of a form make of the one that is stored.

    It is scored once every seat is counted in the form, or where the button says so, which is there
    when one is missing at most. Raises `WrongFields` or, for what the rules forbid, `Refused`.
    """
    before, seats = game.round(number), asked_seats(game, number)
    form = RoundForm(fields, before, asked_seats(game, number, own))
    nobody = no_counts(game.rules, len(game.names))
    known = before.tricks or before.tally or nobody
    round_ = form.to_round(
        [count if seat in seats.counts else nobody[seat] for seat, count in enumerate(known)]
    )
    counts = round_.tally or nobody
    if fields.get("score"):
        empty = empty_seats(game.state, number, before)
        counts = fill_last_count(counts, game.state.rules_in(number, before), len(counts), empty)
    is_scored = fields.get("score") or all(fields.get(f"tricks-{n + 1}") for n in seats.counts)
    if is_scored and all(counts[seat] is not None for seat in seats.counts):
        round_ = round_._replace(tricks=tuple(count or 0 for count in counts), tally=None)
    elif counts == nobody:
        round_ = round_._replace(tally=None)
    newest = number >= len(game.rounds)
    return enter_with_tally(game.state, number, before, round_, newest=newest)


def original_of(round_: Round) -> str:
    """Return the cells with which a form is rendered, and which it sends back.

    The version alone is not enough: a browser may restore old values in a page it fetched anew.
    """
    return ",".join(["open" if round_.tricks is None else "scored", *cells_of(round_).values()])


def cells_of(round_: Round) -> dict[str, str]:
    """Return the bids and counts of a round by the fields of its form."""
    counts = round_.tricks or round_.tally or (None,) * len(round_.bids)
    return {
        f"{what}-{n}": "" if value is None else str(value)
        for what, values in (("bid", round_.bids), ("tricks", counts))
        for n, value in enumerate(values, 1)
    }


def is_outdated(fields: Mapping[str, str], game: Game) -> bool:
    """Return whether a form was made on another version of the game than that of now."""
    return fields.get("version", "").partition("-")[0] != str(game.version)


def rebase(fields: Mapping[str, str], game: Game, number: int) -> dict[str, str]:
    """Return the fields of an outdated form as if it had been rendered now.

    What is stored now takes the place of every cell that was left as it was shown. The tricks of a
    round that was scored are one, as they add up only together; and all of it where the round was
    reopened meanwhile.
    """
    stored, shown = game.round(number), fields.get("original", "").split(",")
    now = cells_of(stored)
    if not is_outdated(fields, game) or len(shown) != len(now) + 1:
        return dict(fields)
    was = dict(zip(now, shown[1:], strict=True))
    changed = {name for name in now if fields.get(name, was[name]) != was[name]}
    counts = {name for name in now if name.startswith("tricks")}
    if shown[0] == "scored" and stored.tricks is None:
        changed = {*now}
    elif shown[0] == "scored" and changed & counts:
        changed |= counts
    taken = {name: now[name] for name in now if name in fields and name not in changed}
    return {**fields, **taken, "original": original_of(stored)}


def is_contradicted(fields: Mapping[str, str], game: Game, number: int) -> bool:
    """Return whether a form says that it was rendered with other cells than it can have been.

    That is so where a browser has restored an old page, and where the round was scored or reopened
    meanwhile, so that an entry would become a correction.
    """
    shown, now = fields.get("original", ""), original_of(game.round(number))
    if is_outdated(fields, game):
        return shown.partition(",")[0] != now.partition(",")[0]
    return shown != now


class Cell(NamedTuple):
    """A bid or a count in the form: a field with options, or without any a text."""

    what: str
    seat: int
    whose: str
    value: str
    options: list[Option]

    @property
    def name(self) -> str:
        return f"{self.what}-{self.seat + 1}"

    @property
    def label(self) -> str:
        """What a screen reader says."""
        label = say("bid_of") if self.what == "bid" else say("tricks_of")
        return label.format(name=self.whose)

    @property
    def shown(self) -> str:
        return _shown(self.value) if self.what == "bid" else self.value


class FormRow(NamedTuple):
    """The row of a seat, or of partners who are asked together.

    `points` and `total` are what a round that is counted but not scored yet would make.
    """

    seat: int
    name: str
    deals: bool
    cells: tuple[Cell, Cell]
    points: str
    total: str

    @property
    def points_kind(self) -> str:
        return points_kind(self.points)


def form_rows(
    game: Game,
    number: int,
    entered: Mapping[str, str],
    shown: OpenRound | None,
    own: OwnSeat | None,
) -> list[FormRow]:
    """Return the rows of a form with what was `entered`; `shown` is the round that is played.

    Those of an open round stand in bidding order.
    """
    state = game.state
    rules = state.rules_in(number, game.round(number))
    table, asked = asked_seats(game, number), asked_seats(game, number, own)
    together = rules.tricks_by == "side" and (rules.bid_by == "side" or not table.bids)
    counted = enumerate(shown.counts if shown else (), 1)
    filled = {f"tricks-{n}": str(count) for n, count in counted if count is not None}
    values = {**cells_of(game.round(number)), **filled, **entered}
    counts = [(str(n), str(n)) for n in range(rules.tricks + 1)]

    def cell(what: str, seat: int, by: str, options: list[Option]) -> Cell:
        is_asked = seat in (table.bids if what == "bid" else table.counts)
        value = values[f"{what}-{seat + 1}"] if is_asked else ""
        return Cell(what, seat, _whose(game, number, seat, by), value, _with(options, value))

    rows = []
    for seat in state.order if shown else game.seats_in(number).taken:
        if seat not in {*table.bids, *table.counts}:
            continue
        bids = bid_options(game, number, seat) if seat in asked.bids else []
        cells = (
            cell("bid", seat, rules.bid_by, bids),
            cell("tricks", seat, rules.tricks_by, counts if seat in asked.counts else []),
        )
        name = _whose(game, number, seat, "side" if together else "seat")
        deals = shown is not None and seat == (
            state.dealer % len(state.sides) if together else state.dealer
        )
        points = total = ""
        if shown and shown.complete and seat in state.asked:
            points, total = preview(game, seat, shown.counts)
        rows.append(FormRow(seat, name, deals, cells, points, total))
    return rows


def _whose(game: Game, number: int, seat: int, by: str) -> str:
    """Return the name of a seat in a round, or both names of a side that is asked as one."""
    names = game.side_names(game.state.side_of(seat), number)
    return " & ".join(names) if by == "side" else game.names_in(number)[seat]


def bid_options(game: Game, number: int, seat: int) -> list[Option]:
    """Return the bids that a seat may make in a round, whatever the others bid."""
    round_ = game.round(number)
    table = table_before(game.state, number, round_)
    nobody = (None,) * len(round_.bids)
    return [
        (str(bid), bid_word(bid))
        for bid in (*possible_bids(table.rules), *blind_bids(table.rules))
        if refusal(table, nobody, seat, bid) is None
    ]


def first_blank(rows: Sequence[FormRow], errors: Errors) -> str:
    """Return the field to begin with: the first that is wrong, or else that is blank."""
    fields = [row.cells[column] for column in (0, 1) for row in rows]
    fields = [field for field in fields if field.options]
    if errors:
        found = [field.name for field in fields if errors.keys() & {field.name, field.what}]
    else:
        found = [field.name for field in fields if not field.value]
    return found[0] if found else ""


def beside_fields(refused: Refused) -> dict[str, list[str]]:
    """Return the messages by the field they are about: `bid-1`, `tricks-1`, or all `tricks`."""
    found: dict[str, list[str]] = {}
    for seat, code, sentence in refused.refusals:
        what = "tricks" if code in ("sum", "tricks_range", "too_many") else "bid"
        field = what if seat is None else f"{what}-{seat + 1}"
        found.setdefault(field, []).append(translate(sentence))
    return found


def _with(options: list[Option], value: str) -> list[Option]:
    """Return the options, if any, with the value that was typed or stored if it is none of them."""
    if not (value and options) or value in dict(options):
        return options
    return [*options, (value, _shown(value))]


def _shown(bid: str) -> str:
    """Return a bid as it is said, or what was typed instead of one."""
    return bid_word(parsed_bid(bid)) or bid
