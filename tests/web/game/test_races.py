"""Two phones at the same instant: one entry is stored, and the other phone is told."""

import threading
from typing import Any

import pytest

from scorekeeper.store.changes import changes_of
from tests.properties import counts
from tests.store.disagreements import disagreements
from tests.web.play import Table


@pytest.fixture
def other(game: Table) -> Table:
    return game.second_phone()


Request = tuple[Table, str, dict[str, Any]]  # the phone, the address and the fields of a form


def filled(phone: Table, **cells: int) -> Request:
    """Return the form of the round as a phone sees it now, with some cells filled in."""
    form = phone.round_form()
    entered = {name.replace("_", "-"): value for name, value in cells.items()}
    return phone, form.action, {**form.fields, **entered}


def at_once(*requests: Request) -> list[int]:
    """Let phones send forms at the same instant and return the statuses."""
    start, statuses = threading.Barrier(len(requests)), [0] * len(requests)

    def run(place: int) -> None:
        phone, path, fields = requests[place]
        start.wait()
        statuses[place] = phone.post(path, fields).status_code

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@counts("pairs", 5, 12)
def test_of_two_different_bids_one_is_noted_and_the_other_sees_it(
    game: Table, other: Table, pairs: int
) -> None:
    for _ in range(pairs):
        version = game.game.version
        statuses = at_once(filled(game, bid_1=3), filled(other, bid_1=4))
        assert sorted(statuses) == [303, 409]
        assert game.game.version == version + 1
        assert game.game.rounds[0].bids[0] == (3 if statuses[0] == 303 else 4)
        game.undo()


@counts("pairs", 5, 12)
def test_the_same_bid_from_two_phones_is_noted_once(game: Table, other: Table, pairs: int) -> None:
    for _ in range(pairs):
        version = game.game.version
        statuses = at_once(filled(game, bid_1=3), filled(other, bid_1=3))
        assert statuses == [303, 303]
        assert game.game.version == version + 1
        game.undo()


@counts("pairs", 5, 12)
def test_different_seats_do_not_hinder_each_other(game: Table, other: Table, pairs: int) -> None:
    for _ in range(pairs):
        statuses = at_once(filled(game, bid_1=3), filled(other, bid_2=2))
        assert statuses == [303, 303]
        assert game.game.rounds[0].bids == (3, 2, None, None)
        game.misdeal()


@counts("pairs", 5, 12)
def test_two_undos_take_one_step_back(game: Table, other: Table, pairs: int) -> None:
    path = f"{game.path}/undo"
    for _ in range(pairs):
        game.bid(3, seat=1)
        game.bid(2, seat=2)
        mine, theirs = game.fresh(), other.fresh()
        statuses = at_once((game, path, mine), (other, path, theirs))
        assert sorted(statuses) == [303, 409]
        assert game.game.rounds[0].bids == (3, None, None, None)
        game.undo()


@counts("pairs", 5, 12)
def test_an_undo_against_a_bid_leaves_one_of_them_standing(
    game: Table, other: Table, pairs: int
) -> None:
    for _ in range(pairs):
        game.bid(3, seat=1)
        at_once((game, f"{game.path}/undo", game.fresh()), filled(other, bid_2=2))
        versions = [change.version for change in changes_of(game.store.db, game.game)]
        assert versions == list(range(1, game.game.version + 1))
        while game.game.rounds:
            game.undo()
    assert disagreements(game.store.db) == []
