"""The journal: undo, redo, and edit conflicts between phones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.round import Round
from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of, next_step
from scorekeeper.store.connection import StoreError
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game
from scorekeeper.store.journal import EditConflict
from tests.properties import examples
from tests.rules.test_properties import tables
from tests.store.play import CROWD, Keeper, everything, next_round

some = examples(50)
NOBODY = (None,) * 4
ROUND = Round((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
ANOTHER = Round((1, 1, 1, 1), (1, 1, 1, 7))


@pytest.fixture
def game(keeper: Keeper) -> Game:
    """A game of Cutthroat Spades LITE before its first bid."""
    return keeper.begin()


# Undo and redo


@some
@given(st.data())
def test_undo_and_redo_walk_like_a_pointer_through_a_list(
    busy_store: Store, data: st.DataObject
) -> None:
    keeper = Keeper(busy_store)
    rules, players, dealer = data.draw(tables())
    game = keeper.begin(rules, CROWD[:players], dealer)
    states, at = [game.rounds], 0
    for _ in range(data.draw(st.integers(1, 14))):
        step = data.draw(st.sampled_from(["change", "change", "undo", "redo"]))
        if step == "change":
            change = data.draw(next_round(game))
            if change is None or change[1] == game.round(change[0]):
                continue
            game = keeper.put(game, *change)
            states, at = [*states[: at + 1], game.rounds], at + 1
        elif step == "undo":
            game, at = keeper.undo(game), max(at - 1, 0)
        else:
            game, at = keeper.redo(game), min(at + 1, len(states) - 1)
        assert game.rounds == states[at]
        assert game == keeper.load(game.id)
        assert (next_step(keeper.db, game, "undo") is not None) == (at > 0)
        is_last = at == len(states) - 1
        assert (next_step(keeper.db, game, "redo") is None) == is_last


@some
@given(st.data())
def test_as_many_redos_as_undos_change_nothing(busy_store: Store, data: st.DataObject) -> None:
    keeper = Keeper(busy_store)
    game = keeper.begin()
    steps = 0
    for _ in range(data.draw(st.integers(1, 10))):
        change = data.draw(next_round(game))
        if change is not None and change[1] != game.round(change[0]):
            game, steps = keeper.put(game, *change), steps + 1
    walked = data.draw(st.integers(0, steps))
    before = game
    for _ in range(walked):
        game = keeper.undo(game)
    for _ in range(walked):
        game = keeper.redo(game)
    assert (game.rounds, game.state) == (before.rounds, before.state)
    assert game.version == before.version + 2 * walked
    assert len(changes_of(keeper.db, game)) == game.version


def test_undo_past_the_winning_round_reopens_the_game(keeper: Keeper, game: Game) -> None:
    won = keeper.put(game, 1, Round((10, 1, 1, 1), (10, 0, 0, 0)))
    won = keeper.put(won, 2, Round((10, 1, 1, 1), (10, 0, 0, 0)))
    assert won.state.phase == "over"
    reopened = keeper.undo(won)
    assert reopened.state.phase == "bidding"
    assert keeper.db.execute("SELECT count(*) FROM outcomes").fetchone() == (0,)
    assert keeper.redo(reopened).state.outcome == won.state.outcome


def test_at_the_beginning_undo_changes_nothing(keeper: Keeper, game: Game) -> None:
    assert keeper.undo(game) == game


def test_with_nothing_taken_back_redo_changes_nothing(keeper: Keeper, game: Game) -> None:
    bid = keeper.bid(game, 0, 3)
    assert keeper.redo(bid) == bid


def test_a_change_after_undo_ends_redo(keeper: Keeper, game: Game) -> None:
    taken_back = keeper.undo(keeper.bid(game, 0, 3))
    changed = keeper.bid(taken_back, 1, 2)
    assert keeper.redo(changed) == changed
    assert changed.rounds == (Round((None, 2, None, None)),)


def test_undo_from_an_old_page_takes_nothing_back(keeper: Keeper, game: Game) -> None:
    bid = keeper.bid(keeper.bid(game, 0, 3), 1, 2)
    with pytest.raises(EditConflict) as stale, keeper.store.write() as db:
        journal.undo_or_redo(
            db, bid, "undo", bid.version - 1, journal.Who(keeper.phone.id, keeper.now())
        )
    assert stale.value.game == bid
    assert keeper.load(game.id) == bid


# Two phones


def test_phones_fill_different_seats_from_the_same_page(keeper: Keeper, game: Game) -> None:
    seen = game.version
    keeper.bid(game, 0, 3, seen)
    assert keeper.bid(game, 1, 2, seen).rounds == (Round((3, 2, None, None)),)


def test_phones_that_agree_change_the_version_once(keeper: Keeper, game: Game) -> None:
    seen = game.version
    first = keeper.bid(game, 0, 3, seen)
    assert keeper.bid(game, 0, 3, seen) == first
    assert len(changes_of(keeper.db, game)) == 2


def test_phones_that_disagree_are_told_what_is_there(keeper: Keeper, game: Game) -> None:
    seen = game.version
    first = keeper.bid(game, 0, 3, seen)
    with pytest.raises(EditConflict) as stale:
        keeper.bid(game, 0, 4, seen)
    assert stale.value.game == first
    assert keeper.load(game.id) == first


def test_a_seat_that_was_changed_and_changed_back_is_stale_all_the_same(
    keeper: Keeper, game: Game
) -> None:
    seen = keeper.bid(game, 0, 3).version
    keeper.bid(game, 0, 4)
    keeper.bid(game, 0, 3)
    with pytest.raises(EditConflict):
        keeper.bid(game, 0, 5, seen)


def test_an_undo_meanwhile_makes_the_seat_stale(keeper: Keeper, game: Game) -> None:
    bid = keeper.bid(game, 0, 3)
    keeper.undo(bid)
    with pytest.raises(EditConflict):
        keeper.bid(game, 0, 5, bid.version)


def test_changes_of_other_rounds_make_nothing_stale(keeper: Keeper, game: Game) -> None:
    scored = keeper.put(game, 1, ROUND)
    keeper.bid(scored, 0, 2)
    corrected = ROUND._replace(tricks=(4, 3, 0, 3))
    changed = keeper.put(scored, 1, corrected, "corrected", scored.version)
    assert changed.rounds == (corrected, Round((2, None, None, None)))


MERGES = {
    "a bid and a trick count": (
        ROUND._replace(bids=(5, 2, Nil.NIL, 4)),
        ROUND._replace(tricks=(3, 4, 3, 0)),
        True,
    ),
    "two bids": (ROUND._replace(bids=(5, 2, Nil.NIL, 4)), ROUND._replace(bids=(3, 2, 1, 4)), True),
    "the same trick counts": (
        ROUND._replace(tricks=(4, 3, 0, 3)),
        ROUND._replace(tricks=(2, 5, 0, 3)),
        False,
    ),
    "one trick count in common": (
        ROUND._replace(tricks=(4, 3, 0, 3)),
        ROUND._replace(tricks=(3, 3, 1, 3)),
        False,
    ),
}


@pytest.mark.parametrize(("mine", "theirs", "fits"), MERGES.values(), ids=MERGES.keys())
def test_corrections_fit_together_when_they_concern_different_cells(
    keeper: Keeper, game: Game, mine: Round, theirs: Round, fits: bool
) -> None:
    scored = keeper.put(game, 1, ROUND)
    keeper.put(scored, 1, mine, "corrected", scored.version)
    merged = mine._replace(
        bids=tuple(
            there if there != old else here
            for old, here, there in zip(ROUND.bids, mine.bids, theirs.bids, strict=True)
        ),
        tricks=theirs.tricks if theirs.tricks != ROUND.tricks else mine.tricks,
    )
    if fits:
        assert keeper.put(scored, 1, merged, "corrected", scored.version).rounds == (merged,)
    else:
        with pytest.raises(EditConflict):
            keeper.put(scored, 1, merged, "corrected", scored.version)


# What is written down


def test_every_change_says_what_was_before_and_what_is_after(keeper: Keeper, game: Game) -> None:
    keeper.put(keeper.bid(game, 0, Nil.NIL), 1, ROUND)
    changes = [(c.kind, c.round, c.before, c.after) for c in changes_of(keeper.db, game)]
    first = Round((Nil.NIL, None, None, None))
    assert changes[1:] == [("bid", 1, None, first), ("scored", 1, first, ROUND)]


def test_versions_have_no_gaps_and_name_the_phone(keeper: Keeper, game: Game) -> None:
    keeper.undo(keeper.put(keeper.put(game, 1, ROUND), 2, ANOTHER))
    changes = changes_of(keeper.db, game)
    assert [change.version for change in changes] == [1, 2, 3, 4]
    assert {change.phone for change in changes} == {"Kim's phone"}
    assert [change.kind for change in changes] == ["begin", "scored", "scored", "undo"]


def test_the_order_is_that_of_the_versions_whatever_the_clock_says(
    keeper: Keeper, game: Game
) -> None:
    keeper.put(game, 1, ROUND)
    keeper.moment = keeper.moment.replace(year=1970)
    keeper.put(game, 2, ANOTHER)
    assert [change.round for change in changes_of(keeper.db, game)] == [None, 1, 2]


def test_the_journal_of_one_round_is_its_own(keeper: Keeper, game: Game) -> None:
    keeper.put(keeper.put(game, 1, ROUND), 2, ANOTHER)
    assert [change.version for change in changes_of(keeper.db, game, 2)] == [3]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE changes SET at = '1970-01-01'",
        "UPDATE changes SET after = NULL WHERE version = 2",
        "DELETE FROM changes",
        "DELETE FROM changes WHERE version = 2",
        pytest.param(
            "REPLACE INTO changes SELECT * FROM changes WHERE version = 2",
            marks=pytest.mark.sqlite,
        ),
    ],
)
def test_nobody_can_change_the_journal(keeper: Keeper, game: Game, statement: str) -> None:
    keeper.put(game, 1, ROUND)
    before = changes_of(keeper.db, game)
    with pytest.raises(StoreError), keeper.store.write() as db:
        db.execute(statement)
    assert changes_of(keeper.db, game) == before


def test_a_version_is_written_once(keeper: Keeper, game: Game) -> None:
    keeper.bid(game, 0, 3)
    row = next(keeper.db.query("SELECT * FROM changes WHERE version = 2"))
    del row["sequence"]
    insert = f"INSERT INTO changes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    with pytest.raises(StoreError, match=r"UNIQUE|unique"), keeper.store.write() as db:
        db.execute(insert, [*row.values()])


def test_a_change_that_fails_half_way_leaves_nothing(
    keeper: Keeper, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("database or disk is full")

    before = everything(keeper.db)
    monkeypatch.setattr(journal, "derive", fail)
    with pytest.raises(StoreError):
        keeper.put(game, 1, ROUND)
    assert everything(keeper.db) == before
    monkeypatch.undo()
    assert keeper.put(game, 1, ROUND).rounds == (ROUND,)
