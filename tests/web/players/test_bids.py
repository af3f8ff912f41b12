"""The page of a player says which bids were made, and which are too high or too low."""

import pytest

from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from tests.store.test_statistics import Recorder
from tests.web.play import Table

LITE = with_house_rules(PRESETS["cutthroat-lite"], {"target": "9000", "mercy": "off"})
PARTNERS = with_house_rules(PRESETS["partnership-500"], {"target": "9000"})
NAMES = ["North", "East", "South", "West"]
Hands = list[tuple[Bid, int, int]]  # a bid of North, its tricks, and how often


@pytest.fixture
def recorder(table: Table) -> Recorder:
    found = Recorder(table.store)
    found.table = table.id
    return found


def play(recorder: Recorder, hands: Hands) -> None:
    """Let North bid and take tricks alone; the others have what is left."""
    game = recorder.begin(LITE, NAMES)
    for bid, tricks, times in hands:
        for _round in range(times):
            recorder.score(game, (bid, 1, 1, 1), (tricks, 10 - tricks, 0, 0))


def bars(table: Table, player_id: int = 1, query: str = "rules=all") -> list[str]:
    rows = table.page(f"/players/{player_id}?{query}").all("ol[@class='bids-made']/li")
    return [" ".join("".join(row.itertext()).split()) for row in rows]


def said(table: Table) -> str:
    page = table.page("/players/1?rules=all")
    (section,) = (one for one in page.all("section") if "Bids by number" in "".join(one.itertext()))
    return section.findtext("p") or ""


def test_under_twelve_bids_there_are_counts_and_no_share(table: Table, recorder: Recorder) -> None:
    play(recorder, [(1, 1, 9), (1, 0, 3), (2, 2, 11), (Nil.NIL, 0, 1), (Nil.NIL, 1, 1)])
    assert bars(table) == ["1 75% 9 of 12", "2 11 of 11", "Nil 1 of 2"]
    assert "Striped: under 12 bids, so no share." in said(table)


def test_blind_nil_stands_apart(table: Table, recorder: Recorder) -> None:
    game = recorder.begin(PARTNERS, NAMES)
    for bid in (Nil.BLIND, Nil.NIL, 2):
        recorder.score(game, (bid, 2, 4, 3), (0 if bid != 2 else 2, 4, 6 if bid != 2 else 4, 3))
    assert bars(table) == ["2 1 of 1", "Nil 1 of 1", "blind Nil 1 of 1"]


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ([(4, 3, 12)], "Bids of 4 are too high: 1.0 tricks fewer than bid, on average."),
        ([(1, 2, 6), (1, 1, 6)], "Bids of 1 are too low: 0.5 tricks more than bid, on average."),
        ([(1, 2, 5), (1, 1, 7)], "No bid is much too high or too low on average."),
        ([(1, 3, 11)], "Striped: under 12 bids, so no share."),
        (
            [(4, 3, 12), (1, 3, 12), (2, 3, 12)],
            "Bids of 4 are too high: 1.0 tricks fewer than bid, on average. "
            "Bids of 1 are too low: 2.0 tricks more than bid, on average.",
        ),
    ],
)
def test_a_sentence_says_which_bids_are_off(
    table: Table, recorder: Recorder, hands: Hands, sentence: str
) -> None:
    play(recorder, hands)
    assert said(table) == sentence


def test_bids_of_other_books_and_numbers_of_players_are_not_added(
    table: Table, recorder: Recorder
) -> None:
    play(recorder, [(1, 1, 2)])
    game = recorder.begin(LITE, NAMES[:3])
    recorder.score(game, (1, 1, 1), (1, 1, 8))
    assert bars(table) == ["1 2 of 2"]
    assert bars(table, query="rules=all&sides=3") == ["1 1 of 1"]


def test_without_bids_there_is_no_grid(table: Table, recorder: Recorder) -> None:
    rules = with_house_rules(LITE, {"first_round_bids_itself": "yes"})
    game = recorder.begin(rules, NAMES)
    recorder.score(game, (None,) * 4, (3, 4, 0, 3))
    assert bars(table) == []
