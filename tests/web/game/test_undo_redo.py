"""Taking changes back, and bringing them back."""

from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of


class TestUndo(VersionChecklist):
    __test__ = True

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)
        table.bid(2)

    def address(self, table: Table) -> str:
        return f"{table.path}/undo"


class TestRedo(VersionChecklist):
    __test__ = True

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)
        table.bid(2)
        table.undo()
        table.undo()

    def address(self, table: Table) -> str:
        return f"{table.path}/redo"


def test_undo_takes_one_bid_back(game: Table) -> None:
    game.bid(3)
    game.bid(2)
    assert game.undo().location == game.path
    assert game.state.open.bids == (3, None, None, None)


def test_redo_brings_it_back(game: Table) -> None:
    game.bid(3)
    game.undo()
    assert game.redo().location == game.path
    assert game.state.open.bids == (3, None, None, None)


def test_undo_reaches_past_the_scored_round(game: Table) -> None:
    game.play_one_by_one((3, 2, "nil", 4), (3, 4, 0, 3))
    game.undo()
    assert game.totals == (0, 0, 0, 0)
    assert game.state.phase == "playing"
    assert game.state.open.tally == (3, 4, 0, None)


def test_undo_of_the_winning_round_reopens_the_game(table: Table) -> None:
    table.new_game(target=30)
    table.play_one_by_one((3, 2, 1, 4), (3, 2, 1, 4))
    assert table.state.phase == "over"
    table.undo()
    assert table.state.phase == "playing"
    assert "wins" not in table.page().text.partition("Rounds")[0].partition("West")[0]
    table.score()
    assert table.state.phase == "over"


def test_undo_goes_back_to_the_first_card(game: Table) -> None:
    game.play_one_by_one((3, 2, "nil", 4), (3, 4, 0, 3))
    for _ in range(8):
        game.undo()
    assert game.game.rounds == ()
    assert [form.action for form in game.page().forms() if form.action.endswith("/undo")] == []


def test_undo_at_the_beginning_changes_nothing(game: Table) -> None:
    before = game.everything()
    assert game.post(f"{game.path}/undo", game.fresh()).status_code == 303
    assert game.everything() == before


def test_redo_with_nothing_taken_back_changes_nothing(game: Table) -> None:
    game.bid(3)
    before = game.everything()
    assert game.post(f"{game.path}/redo", game.fresh()).status_code == 303
    assert game.everything() == before


def test_a_new_bid_ends_redo(game: Table) -> None:
    game.bid(3)
    game.undo()
    game.bid(4)
    assert [form.action for form in game.page().forms() if form.action.endswith("/redo")] == []
    game.post(f"{game.path}/redo", game.fresh())
    assert game.state.open.bids == (4, None, None, None)


def test_undo_of_a_correction_restores_what_was_there(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(5)
    game.correct(1, tricks_1=4, tricks_2=3)
    game.undo()
    assert game.totals == (30, 22, 50, -40)
    assert game.state.open.bids == (None, 5, None, None)


def test_a_double_tap_takes_one_change_back(game: Table) -> None:
    game.bid(3)
    game.bid(2)
    form = game.page().form("/undo")
    assert game.send(form).status_code == 303
    answer = game.send(form)
    assert answer.status_code == 409
    assert page_of(answer).alerts == (
        "The game has changed, so nothing was undone. Check it, then undo again."
    )
    assert game.state.open.bids == (3, None, None, None)


def test_an_old_page_takes_back_nothing_that_it_did_not_show(game: Table) -> None:
    game.bid(3)
    old = game.page().form("/undo")
    other = game.second_phone()
    other.bid(2)
    assert game.send(old).status_code == 409
    assert game.state.open.bids == (3, 2, None, None)


def test_the_409_page_can_undo(game: Table) -> None:
    game.bid(3)
    old = game.page().form("/undo")
    game.bid(2)
    fresh = page_of(game.send(old)).form("/undo")
    assert game.send(fresh).status_code == 303
    assert game.state.open.bids == (3, None, None, None)


def steps_named(game: Table) -> list[str]:
    """Return what the menu says that undo and redo would change."""
    page = game.page()
    return [
        text
        for way in ("undo", "redo")
        for text in page.texts(f"form//button[@class='icon-{way}']/small")
    ]


def test_the_menu_names_the_entry_that_undo_takes_back(game: Table) -> None:
    assert steps_named(game) == []
    game.bid(3)
    game.bid("nil")
    assert steps_named(game) == ["East bid Nil"]
    game.undo()
    assert steps_named(game) == ["North bid 3", "East bid Nil"]
    game.redo()
    game.bid(1)
    game.bid(4)
    game.take(0, seat=1)
    assert steps_named(game) == ["North took 0"]


def test_the_menu_names_the_round_of_a_step_with_several_entries(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert steps_named(game) == ["Round 1"]
    game.bid(5)
    game.correct(1, tricks_1=4, tricks_2=3)
    assert steps_named(game) == ["Round 1"]
    game.undo()
    game.misdeal()
    assert steps_named(game) == ["Round 2"]
