"""The same form sent twice, as by two taps without a pause: the second changes nothing."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tests.web.play import Table

BIDS = {f"bid-{n}": bid for n, bid in enumerate((3, 2, 1, 4), 1)}
TRICKS = {f"tricks-{n}": count for n, count in enumerate((3, 2, 1, 4), 1)}
PENALTY = {"seat": "1", "what": "books:others", "size": "1", "reason": "renege"}


def nothing(_table: Table) -> None:
    """Leave the first round without bids."""


def bid(table: Table) -> None:
    table.bid_round(3, 2, 1, 4)


def bid_by_one(table: Table) -> None:
    table.bid(3)


def scored(table: Table) -> None:
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))


def punished(table: Table) -> None:
    table.post(table.round_path("penalties", number=1), table.fresh(**PENALTY))


class Sent(NamedTuple):
    """A form: what was played before it, its address, its fields, and the number of its round."""

    fields: dict[str, Any]
    to: str = ""
    before: Callable[[Table], None] = nothing
    book: str = "cutthroat-lite"
    more: Mapping[str, str] = MappingProxyType({})
    number: int = 1


PAPER = {"start-1": "120", "start-2": "35"}
FORMS = {
    "one bid": Sent({"bid-1": 3}),
    "all bids": Sent(BIDS),
    "tricks": Sent(TRICKS, before=bid),
    "bids and tricks": Sent({**BIDS, **TRICKS}),
    "the last tricks of the game": Sent(TRICKS, before=bid, more={"target": "30"}),
    "a correction": Sent({"bid-1": 4}, before=scored),
    "a correction of tricks": Sent({"tricks-1": 2, "tricks-2": 3}, before=scored),
    "points": Sent({"seat": "1", "what": "bonus:nobody", "size": "20", "reason": ""}, "penalties"),
    "points later": Sent(
        {"seat": "1", "what": "bonus:nobody", "size": "20", "reason": "x"}, "penalties", scored
    ),
    "a penalty": Sent(PENALTY, "penalties", book="partnership"),
    "a lost game": Sent({**PENALTY, "what": "lost:nobody"}, "penalties"),
    "a penalty removed": Sent({"penalty": "0:books:1:others:renege"}, "penalties/remove", punished,
                              "partnership"),
    "a note": Sent({"remark": "Ana’s hand"}, "note"),
    "a note on the game": Sent({"game_remark": "Friday"}, "note", scored),
    "a note removed": Sent({"remark": ""}, "note", lambda table: note(table)),
    "cards": Sent({"cards": "3"}, "cards", book="kachufool"),
    "the cards of the list": Sent({"cards": "1"}, "cards", lambda table: dealt(table), "kachufool"),
    "a seat": Sent({"seat": "1", "name": "Eve"}, "seats"),
    "a seat left": Sent({"seat": "1", "leaves": "yes"}, "seats", scored, number=2),
    "a swap": Sent({"seat": ["1", "2"]}, "swap"),
    "start totals": Sent({"start-1": "100", "start-2": "35"}, "start",
                         book="partnership-sandbags", more=PAPER),
    "the last round": Sent({}, "last"),
    "a misdeal": Sent({}, "misdeal", bid_by_one),
}  # fmt: skip


def note(table: Table) -> None:
    table.post(table.round_path("note", number=1), table.fresh(remark="Ana’s hand"))


def dealt(table: Table) -> None:
    table.post(table.round_path("cards", number=1), table.fresh(cards="3"))


@pytest.fixture(params=FORMS.values(), ids=FORMS)
def sent(request: pytest.FixtureRequest, table: Table) -> tuple[str, dict[str, Any]]:
    """The address of a form and its fields, as a page of a game had them."""
    form: Sent = request.param
    assert table.new_game(form.book, **form.more).status_code == 303
    form.before(table)
    path = table.round_path(form.to, number=form.number)
    if form.to:
        return path, table.fresh(**form.fields)
    return path, {**table.page(path).form("round").fields, **form.fields}


def test_the_second_time_it_is_done_already(table: Table, sent: tuple[str, dict[str, Any]]) -> None:
    before = table.game.version
    assert table.post(*sent).status_code == 303
    assert table.game.version == before + 1
    stored = table.everything()
    for _tap in range(2):
        assert table.post(*sent).status_code == 303
        assert table.everything() == stored


def test_what_others_entered_since_then_stays(
    table: Table, sent: tuple[str, dict[str, Any]]
) -> None:
    path, fields = sent
    table.post(path, fields)
    other = table.second_phone()
    remark = other.round_path("note", number=2 if table.game.round(1).tricks else 1)
    if table.state.phase != "over" and "remark" not in fields:
        other.post(remark, other.fresh(remark="by the other phone"))
    stored = table.everything()
    assert table.post(path, fields).status_code == 303
    assert table.everything() == stored


def test_what_was_undone_since_then_is_not_done(
    table: Table, sent: tuple[str, dict[str, Any]]
) -> None:
    table.post(*sent)
    table.undo()
    undone = table.everything()
    assert table.post(*sent).status_code == 409
    assert table.everything() == undone


def test_other_values_are_another_entry(table: Table) -> None:
    table.new_game()
    path = table.round_path("note", number=1)
    first, second = (table.fresh(remark=text) for text in ("one", "two"))
    assert table.post(path, first).status_code == 303
    assert table.post(path, second).status_code == 409
