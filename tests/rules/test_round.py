"""The notes of a round: each is declared once, and all that reads or stores a round follows."""

from typing import Any

import pytest

from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.round import (
    LONGEST_REMARK,
    NOTES,
    NOTHING,
    Notes,
    Round,
    changed_notes,
    check_notes,
    note_kind,
)
from scorekeeper.rules.seating import Substitute
from scorekeeper.rules.values import LARGEST, MOST_CARDS

OPEN = Round((None,) * 4)
FULL: dict[str, Any] = {
    "penalties": (Penalty(0, "books", 3, "others", "renege"),),
    "last_round": True,
    "substitutes": (Substitute(3, "Eve"),),
    "remark": "Ana dealt twice",
    "game_remark": "At the lake",
    "cards": 3,
    "start": (120, -35),
    "start_bags": (8, 0),
    "trump": "h",
}


def test_every_note_is_in_the_table_of_this_test() -> None:
    assert [*FULL] == [*NOTES]


@pytest.mark.parametrize("name", NOTES)
def test_a_note_comes_back_from_what_is_stored_and_the_others_take_no_room(name: str) -> None:
    noted = OPEN.noted(**{name: FULL[name]})
    assert [*noted.to_json()] == ["bids", name]
    assert Round.from_json(noted.to_json()) == noted
    assert changed_notes(NOTHING, noted.notes) == [name]


def test_a_round_without_notes_is_stored_as_before_there_were_any() -> None:
    assert OPEN.to_json() == {"bids": (None,) * 4}
    assert Round.from_json({"bids": [None] * 4}).notes is NOTHING


def test_the_players_of_a_stored_round_get_their_names() -> None:
    stored = {"bids": [None] * 4, "substitutes": [{"seat": 3, "player": 17}]}
    assert Round.from_json(stored, {17: "Eve"}).notes == Notes(substitutes=(Substitute(3, "Eve"),))


REFUSED = [  # the number of the round, its notes, the refusal
    (1, {"remark": "x" * LONGEST_REMARK}, None),
    (1, {"remark": "x" * (LONGEST_REMARK + 1)}, "remark"),
    (1, {"game_remark": "x" * (LONGEST_REMARK + 1)}, "remark"),
    (2, {"game_remark": "At the lake"}, "game_remark"),
    (2, {"game_remark": ""}, None),
    (1, {"cards": MOST_CARDS}, None),
    (1, {"cards": MOST_CARDS + 1}, "cards_dealt"),
    (1, {"cards": 0}, "cards_dealt"),
    (1, {"start": (LARGEST, -LARGEST)}, None),
    (1, {"start": (LARGEST + 1, 0)}, "start_points"),
    (1, {"start_bags": (-1, 0)}, "start_bags"),
    (2, {"start": (120, 85)}, "start_first"),
    (2, {"start_bags": (1, 0)}, "start_first"),
    (2, {"trump": "n"}, None),
    (2, {"trump": "x"}, "trump"),
    (2, {"trump": ""}, "trump"),
]


@pytest.mark.parametrize(("number", "notes", "code"), REFUSED)
def test_what_no_game_can_have_is_refused(number: int, notes: Any, code: str | None) -> None:
    assert [one.code for one in check_notes(number, Notes(**notes))] == [code] * bool(code)


KINDS = [
    ({"remark": "Ana dealt twice"}, "note"),
    ({"remark": "Ana dealt twice", "last_round": True}, "last_round"),
    ({"penalties": FULL["penalties"], "cards": 3}, "cards"),
    ({"last_round": True, "substitutes": FULL["substitutes"]}, "substitute"),
    ({"start": (120, -35)}, "start"),
    ({"trump": "s"}, "note"),
]


@pytest.mark.parametrize(("notes", "kind"), KINDS)
def test_the_journal_names_a_change_after_what_decides_who_plays(notes: Any, kind: str) -> None:
    assert note_kind(NOTHING, Notes(**notes)) == kind
