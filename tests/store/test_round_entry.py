"""Entering rounds, and which can be entered: as a page asks, and as a phone that was offline."""

import pytest

from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.changes import changes_of
from scorekeeper.store.entry import Entry, RoundClosed, enter, why_closed
from scorekeeper.store.games import Game
from scorekeeper.store.journal import EditConflict, Who
from tests.store.play import Keeper

SHORT = with_house_rules(CUTTHROAT_LITE, {"target": "30"})
NAMES = ("North", "East", "South")
EMPTY = Round((None, None, None))
BIDS = Round((2, 2, 2))
PLAYED = Round((2, 2, 2), (2, 2, 6))
WON = Round((3, 3, 3), (3, 3, 4))
LATE = "not reached"


def game_of(*rounds: Round) -> Game:
    return Game("g", "t", SHORT, NAMES, 2, None, "", 1, "", rounds)


@pytest.mark.parametrize(
    ("rounds", "number", "why"),
    [
        pytest.param([], 1, None, id="the first round"),
        pytest.param([], 2, LATE, id="a round after one that was never played"),
        pytest.param([PLAYED], 1, None, id="a correction"),
        pytest.param([PLAYED], 2, None, id="the next round"),
        pytest.param([PLAYED, BIDS], 2, None, id="the round that is open"),
        pytest.param([PLAYED, BIDS], 3, LATE, id="a round after one that is open"),
        pytest.param([PLAYED, WON], 2, None, id="a correction after the end"),
        pytest.param([PLAYED, WON], 3, "over", id="a round after the end"),
        pytest.param([PLAYED, WON], 4, LATE, id="one further after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, "over", id="one left open after the end"),
        pytest.param([PLAYED, WON, PLAYED], 3, None, id="one scored after the end"),
    ],
)
def test_on_a_page(rounds: list[Round], number: int, why: str | None) -> None:
    assert why_closed(game_of(*rounds), number) == why


@pytest.mark.parametrize(
    ("rounds", "number", "sent", "why"),
    [
        pytest.param([], 1, BIDS, None, id="the first round"),
        pytest.param([], 2, PLAYED, LATE, id="a round after one that was never played"),
        pytest.param([PLAYED], 2, PLAYED, None, id="the next round"),
        pytest.param([PLAYED], 1, WON, None, id="a correction"),
        pytest.param([PLAYED, BIDS], 2, PLAYED, None, id="the round that is open"),
        pytest.param([PLAYED, BIDS], 3, PLAYED, LATE, id="a round after one that is open"),
        pytest.param([PLAYED, WON], 3, PLAYED, None, id="one played after the end"),
        pytest.param([PLAYED, WON], 3, BIDS, "over", id="only bids after the end"),
        pytest.param([PLAYED, WON], 4, PLAYED, LATE, id="one further after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, PLAYED, None, id="one left open after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, EMPTY, None, id="the same, taken back"),
        pytest.param([PLAYED, WON, BIDS], 4, PLAYED, "over", id="one after it"),
        pytest.param([PLAYED, WON], 2, EMPTY, None, id="the last round, taken back"),
    ],
)
def test_from_a_phone_that_was_offline(
    rounds: list[Round], number: int, sent: Round, why: str | None
) -> None:
    assert why_closed(game_of(*rounds), number, sent) == why


def entered(keeper: Keeper, game: Game, entry: Entry, seen: int | None = None) -> Game:
    """Enter a round, on the page of version `seen` or of now."""
    with keeper.store.write(keeper.table_id) as db:
        who = Who(keeper.phone.id, keeper.now())
        return enter(db, game, entry, game.version if seen is None else seen, who)


@pytest.mark.parametrize(
    ("earlier", "sent", "kind"),
    [
        pytest.param([], BIDS, "bid", id="bids"),
        pytest.param([BIDS], BIDS._replace(tally=(2, None, None)), "tally", id="counts"),
        pytest.param([BIDS], PLAYED, "scored", id="tricks"),
        pytest.param([PLAYED], WON, "corrected", id="other tricks"),
        pytest.param([BIDS], BIDS.noted(last_round=True), "last_round", id="the last round"),
    ],
)
def test_the_journal_calls_an_entry_what_it_changes(
    keeper: Keeper, earlier: list[Round], sent: Round, kind: str
) -> None:
    game = keeper.begin(SHORT, NAMES, 2)
    for round_ in earlier:
        game = entered(keeper, game, Entry(1, round_))
    game = entered(keeper, game, Entry(1, sent))
    assert game == keeper.load(game.id)
    assert (game.rounds, changes_of(keeper.db, game)[-1].kind) == ((sent,), kind)
    assert entered(keeper, game, Entry(1, sent), seen=1) == game


def test_a_misdeal_removes_the_bids_alone(keeper: Keeper) -> None:
    game = entered(keeper, keeper.begin(SHORT, NAMES, 2), Entry(1, BIDS.noted(last_round=True)))
    game = entered(keeper, game, Entry(1, EMPTY, "misdeal"))
    assert game.rounds == (EMPTY.noted(last_round=True),)


def test_a_round_that_may_have_been_open_when_it_was_seen_is_a_conflict(keeper: Keeper) -> None:
    game = entered(keeper, keeper.begin(SHORT, NAMES, 2), Entry(1, BIDS))
    with pytest.raises(EditConflict):
        entered(keeper, game, Entry(2, BIDS), seen=1)
    with pytest.raises(RoundClosed, match=LATE):
        entered(keeper, game, Entry(2, BIDS))


def test_a_note_does_not_check_bids_again_that_other_rules_would_refuse(keeper: Keeper) -> None:
    game = keeper.put(keeper.begin(SHORT, NAMES, 2), 1, Round((99, None, None)), "bid")
    noted = game.rounds[0].noted(last_round=True)
    assert entered(keeper, game, Entry(1, noted)).rounds == (noted,)
