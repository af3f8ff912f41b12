"""A game ends with what is scored: who wins, what that drops, and one undo for all of it."""

import pytest
from flask import Flask

from scorekeeper.store.changes import changes_of
from tests.store.disagreements import disagreements
from tests.web.play import Table
from tests.web.taps import facts_of, send, undo_or_redo

FOUR = ("North", "East", "South", "West")
FIRST = ((3, 2, 1, 3), (3, 2, 1, 4))
LEVEL = ((2, 2, 2, 2), (2, 2, 3, 3))
END = {"bids": LEVEL[0], "tricks": LEVEL[1], "penalties": [], "last_round": True, "kind": "end"}


@pytest.fixture
def table(app: Flask) -> Table:
    table = Table(app)
    table.join()
    table.new_game(players=FOUR, target=300)
    return table


def offered(table: Table) -> list[str]:
    """Return what is said of the end that the page of the round offers."""
    found = [one.get("href", "") for one in table.page(table.round_path()).all("a")]
    pages = [table.page(one) for one in found if one.endswith("/end")]
    return [page.texts("p")[-1].removesuffix(" One Undo takes all of it back.") for page in pages]


def end(table: Table, number: int = 2) -> int:
    path = table.round_path("end", number)
    return table.post(path, table.fresh()).status_code


def test_it_says_who_wins_ends_the_game_and_one_undo_takes_it_back(table: Table) -> None:
    table.play_round(*FIRST)
    assert offered(table) == ["West wins with 31."]
    before = table.game.rounds
    assert end(table) == 303
    assert table.state.phase == "over"
    assert table.state.winners == (3,)
    table.undo()
    assert table.game.rounds == before
    assert table.state.phase == "bidding"


def test_it_asks_with_everybody_in_order_and_ties_at_one_place(table: Table) -> None:
    table.play_round(*LEVEL)
    page = table.page(table.round_path("end", 2))
    assert page.texts("ol/li") == ["1 South 21", "1 West 21", "3 North 20", "3 East 20"]
    assert "End it after round 1?" in page.text
    assert page.form("/end")


def test_it_is_not_offered_before_a_round_is_scored(table: Table) -> None:
    assert offered(table) == []
    assert end(table, 1) == 422
    assert table.get(table.round_path("end", 1)).status_code == 303


def test_only_the_newest_round_can_end_the_game(table: Table) -> None:
    table.play_round(*FIRST)
    table.play_round(*FIRST)
    assert end(table, 2) == 422


def test_what_was_bid_of_the_open_round_is_dropped_and_comes_back(table: Table) -> None:
    table.play_round(*FIRST)
    table.bid(3)
    table.bid(2)
    assert offered(table) == ["West wins with 31. Drops 2 bids."]
    before = table.game.rounds
    assert end(table) == 303
    assert (len(table.game.rounds), table.state.phase) == (1, "over")
    ended = table.game.rounds
    table.undo()
    assert (table.game.rounds, table.state.phase) == (before, "bidding")
    table.redo()
    assert table.game.rounds == ended
    assert disagreements(table.store.db) == []


def test_counts_and_notes_are_dropped_too(table: Table) -> None:
    table.play_round(*FIRST)
    table.bid_round(2, 2, 2, 2)
    table.take(3)
    assert offered(table) == ["West wins with 31. Drops what was entered in round 2."]
    assert end(table) == 303
    table.undo()
    assert table.state.open.tally is not None


@pytest.mark.parametrize("bids", [(), (3, 2)])
def test_a_tie_that_plays_on_is_shared_and_one_undo_restores_the_rules(
    table: Table, bids: tuple[int, ...]
) -> None:
    table.play_round(*LEVEL)
    for bid in bids:
        table.bid(bid)
    assert offered(table)[0].startswith("South and West win with 21.")
    before = table.game
    assert end(table) == 303
    assert table.state.winners == (2, 3)
    assert table.game.rules.tie_at_limit == "shared"
    lines = changes_of(table.store.db, table.game, after_version=before.version)
    assert [line.kind for line in lines] == ["end"] * (2 + bool(bids))
    table.undo()
    assert (table.game.rules, table.game.rounds) == (before.rules, before.rounds)
    table.redo()
    assert table.state.winners == (2, 3)
    assert disagreements(table.store.db) == []


def test_in_a_tie_that_is_shared_the_rules_stay(table: Table) -> None:
    table.new_game(players=FOUR, target=300, tie_at_limit="shared")
    table.play_round(*LEVEL)
    assert end(table) == 303
    assert table.game.version == table.game.head
    assert [one.kind for one in changes_of(table.store.db, table.game)].count("end") == 1


def test_it_is_not_offered_where_an_earlier_tie_would_end_the_game(table: Table) -> None:
    table.new_game(players=FOUR, target="off", rounds=1)
    table.play_round(*LEVEL)
    table.play_round((2, 2, 2, 2), (3, 3, 2, 2))
    assert table.state.outcome is not None
    assert table.state.winners == ()
    assert offered(table) == []
    assert end(table, 3) == 422


def test_an_end_that_is_sent_twice_is_one(table: Table) -> None:
    table.play_round(*LEVEL)
    table.bid(3)
    form = table.fresh()
    path = table.round_path("end", 2)
    assert [table.post(path, form).status_code for _twice in range(2)] == [303, 303]
    table.undo()
    assert table.state.phase == "bidding"


class TestPhones:
    def test_the_answer_to_an_end_of_more_than_a_round_has_the_game(self, table: Table) -> None:
        table.play_round(*LEVEL)
        seen = table.game.version
        answer = send(table, 1, **END).get_json()
        assert answer["game"]["rules"]["tie_at_limit"] == "shared"
        assert answer["revision"] == answer["game"]["revision"]
        assert send(table, 1, seen, **END).status_code == 200  # sent again
        assert table.game.version == seen + 2

    def test_undo_of_its_line_undoes_the_whole_act(self, table: Table) -> None:
        table.play_round(*LEVEL)
        table.bid(3)
        before = table.game
        send(table, 1, **END)
        facts = facts_of(table)
        assert (facts["undo"], facts["can_undo"]) == ([], True)
        seen = table.game.version
        answer = undo_or_redo(table, "undo", seen).get_json()
        assert answer["game"]["rounds"][1]["bids"] == list(before.round(2).bids)
        assert table.game.rules == before.rules
        assert (facts_of(table)["redo"], facts_of(table)["can_redo"]) == ([], True)
        assert undo_or_redo(table, "undo", seen, seen).status_code == 200  # sent again
        assert table.game.rounds == before.rounds
        undo_or_redo(table, "redo", seen)
        assert table.state.phase == "over"

    def test_a_bid_that_it_has_not_seen_stays_and_does_not_count(self, table: Table) -> None:
        table.play_round(*LEVEL)
        seen = table.game.version
        table.bid(3)
        send(table, 1, seen, **END)
        assert (table.state.phase, table.state.uncounted) == ("over", 1)

    def test_after_a_round_that_it_has_not_seen_it_gets_the_game(self, table: Table) -> None:
        table.play_round(*LEVEL)
        seen = table.game.version
        table.play_round(*FIRST)
        assert send(table, 1, seen, **END).status_code == 409
        assert table.state.phase == "bidding"
