"""The function for other programs: it checks what it is given, and scores as the program does."""

import doctest
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import PRESETS, Notes, Round, ScoreRefused, score, with_house_rules
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.seating import Substitute
from tests.program import CHECKOUT

LITE = "cutthroat-lite"
FOUR = ("North", "East", "South", "West")
BIDS, TRICKS = (3, 2, "nil", 4), (3, 4, 0, 3)
GOOD = (BIDS, TRICKS)
ACE = ((9, 1, 1, 1), (10, 0, 0, 0))  # of LITE; twice it wins


@pytest.mark.parametrize("module", [one.name for one in pkgutil.iter_modules(rules.__path__)])
def test_the_examples_in_the_texts_are_true(module: str) -> None:
    assert doctest.testmod(import_module(f"scorekeeper.rules.{module}")).failed == 0


def test_the_page_of_the_library_is_true_without_any_other_package() -> None:
    # -S leaves out all that is installed; -I also what the environment adds to the path.
    asked = "import doctest, sys; sys.path.insert(0, sys.argv[1])\n" + (
        "sys.exit(doctest.testfile(sys.argv[2], module_relative=False).failed)"
    )
    page = CHECKOUT / "docs" / "library.md"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", asked, CHECKOUT, page],
        capture_output=True,
        encoding="utf-8",
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_the_page_of_the_library_shows_all_that_is_exported() -> None:
    page = (CHECKOUT / "docs" / "library.md").read_text("utf-8")
    assert [name for name in rules.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_texts_and_numbers_score_as_the_facts_that_are_stored() -> None:
    stored = [Round((3, 2, Nil.NIL, 4), TRICKS), Round((1, 1, 1, 1), (4, 4, 1, 1))]
    given: list[Any] = [GOOD, [[1, "1", 1, " 1 "], [4, 4, 1, 1]]]
    assert score(LITE, 4, given) == fold(PRESETS[LITE], 4, 3, stored)
    assert score(PRESETS[LITE], 4, stored) == fold(PRESETS[LITE], 4, 3, stored)


def test_names_may_be_given_and_another_dealer() -> None:
    state = score(LITE, FOUR, [], first_dealer=1)
    assert (state.seats.names, state.order) == (FOUR, (2, 3, 0, 1))


def test_the_cards_are_those_of_the_table() -> None:
    assert score(LITE, 6, []).rules.tricks == 8


def test_zero_is_nil_where_partners_write_it_so() -> None:
    (one,) = score("partnership", 4, [((0, 4, 6, 3), (0, 4, 6, 3))]).rounds
    assert one.bids[0] is Nil.NIL


def test_cards_may_be_told_that_are_those_of_the_list() -> None:
    bids, tricks = (0, 0, 0, 1), (9, 1, 0, 0)
    told, dealt = (Round(bids, tricks, notes=Notes(cards=n)) for n in (10, 9))
    assert score("oh-hell", 4, [told]) == score("oh-hell", 4, [(bids, tricks)])
    assert score("oh-hell", 4, [dealt._replace(tricks=(8, 1, 0, 0))]).rounds[0].notes.cards == 9


def test_the_last_round_may_be_unfinished() -> None:
    state = score(LITE, 4, [GOOD, ((3, None, None, None), None)])
    assert (state.number, state.phase, state.open.bids) == (2, "bidding", (3, None, None, None))


def test_a_round_without_bidding_has_no_bids() -> None:
    house = with_house_rules(PRESETS["partnership"], {"first_round_bids_itself": "yes"})
    assert score(house, 4, [(None, (4, 3, 3, 3))]).standing.totals == (70, 60)


def test_notes_of_a_round_count() -> None:
    fined = Round(
        (3, 2, 1, 4), TRICKS, notes=Notes(penalties=(Penalty(0, "points", 30, "nobody", "renege"),))
    )
    assert score(LITE, 4, [fined]).standing.totals[0] == 0


ROUND_ONE: dict[str, tuple[Any, str]] = {
    "a text that is no bid": (((3, 2, "five", 4), TRICKS), "seat 3: 'five' is no bid"),
    "half a trick": ((BIDS, (3.5, 4, 0, 3)), "seat 1: 3.5 is no number of tricks"),
    "true is no number": (((True, 2, 1, 4), TRICKS), "seat 1: True is no bid"),
    "a bid above the cards": (((30, 2, 1, 4), TRICKS), "seat 1: Bid 1 to 10, or Nil"),
    "a bid below zero": (((-1, 2, 1, 4), TRICKS), "seat 1: Bid 1 to 10, or Nil"),
    "0 where Nil is written": (((0, 2, 1, 4), TRICKS), "seat 1: Bid 1 to 10, or Nil"),
    "Nil that is not played blind": ((("blind nil", 2, 1, 4), TRICKS), "seat 1: "),
    "too many tricks": ((BIDS, (9, 9, 9, 9)), "Tricks total 36, but 10 were played"),
    "tricks below zero": ((BIDS, (-3, 7, 3, 3)), "seat 1: A round has only 10 tricks"),
    "a seat too few": (((3, 2, 4), TRICKS), "There are 4 bids, one for each seat."),
    "a seat too many": ((BIDS, (*TRICKS, 0)), "There are 4 tricks, one for each seat."),
    "a bid that is missing": (((3, None, 1, 4), TRICKS), "seat 2: "),
    "bids as one text": (("3214", TRICKS), "There are 4 bids"),
    "only bids": ((BIDS,), "A round is a pair of bids and tricks."),
    "no round": (7, "A round is a pair of bids and tricks."),
    "a penalty for nobody": (
        Round(BIDS, TRICKS, notes=Notes(penalties=(Penalty(9, "points", 30, "nobody", "renege"),))),
        "A penalty is for a seat from 0 to 3.",
    ),
    "someone who leaves first": (
        Round(BIDS, TRICKS, notes=Notes(substitutes=(Substitute(1, None),))),
        "seat 2: Nobody can leave before a round is played.",
    ),
    "cards in a game without a list": (
        Round(BIDS, TRICKS, notes=Notes(cards=7)),
        "Every round has the same",
    ),
    "half a card": (Round(BIDS, TRICKS, notes=Notes(cards=2.5)), "2.5 is no number of cards"),  # type: ignore[arg-type]
    "start totals of too few": (
        Round(BIDS, TRICKS, notes=Notes(start=(5,))),
        "Enter a start total for each",
    ),
}


@pytest.mark.parametrize(("given", "why"), ROUND_ONE.values(), ids=ROUND_ONE.keys())
def test_what_the_rules_do_not_allow_is_refused(given: Any, why: str) -> None:
    with pytest.raises(ScoreRefused) as refused:
        score(LITE, 4, [given])
    assert str(refused.value).startswith(("round 1: " + why, "round 1, " + why))
    assert refused.value.number == 1


OTHERS: dict[str, tuple[Any, Any, list[Any], str]] = {
    "no such book": ("spades", 4, [], "Unknown rules 'spades'. Choose one of: cutthroat-lite, "),
    "no rules": (None, 4, [], "Unknown rules None."),
    "too many players": (LITE, 8, [], "Cutthroat Spades LITE is for 2, 3, 4, 5, 6, 7 players."),
    "no players": (LITE, True, [], "Players are a number, or a list of names."),
    "players in one text": (LITE, "North", [], "Players are a number, or a list of names."),
    "a name twice": (LITE, ["North", "North"], [], "Two players have the same name."),
    "no name": (LITE, ["North", " "], [], "Each player needs a name."),
    "the last bidder is bound": (
        "cutthroat",
        4,
        [((3, 3, 3, 4), (3, 3, 3, 4))],
        "round 1, seat 4: Bids can’t total 13.",
    ),
    "a round after the end": (LITE, 4, [ACE, ACE, GOOD], "round 3: The game ended after round 2."),
    "a round after one that is open": (
        LITE,
        4,
        [(BIDS, None), GOOD],
        "round 2: The round before has no tricks.",
    ),
    "blind Nil of who is ahead": (
        "partnership",
        4,
        [(("blind nil", 4, 5, 3), (0, 4, 6, 3))],
        "round 1, seat 1: ",
    ),
}


@pytest.mark.parametrize(("book", "players", "rounds", "why"), OTHERS.values(), ids=OTHERS.keys())
def test_a_game_that_cannot_be_is_refused(
    book: Any, players: Any, rounds: list[Any], why: str
) -> None:
    with pytest.raises(ScoreRefused) as refused:
        score(book, players, rounds)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("dealer", [4, -1, True, "0"])
def test_the_first_dealer_is_a_seat(dealer: Any) -> None:
    with pytest.raises(ScoreRefused, match=r"^The first dealer is a seat from 0 to 3\.$"):
        score(LITE, 4, [], first_dealer=dealer)
