"""Penalties, and the last round that somebody calls."""

import io
import re
from typing import Any, ClassVar

import pytest

from scorekeeper.rules.penalties import Penalty
from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of

RENEGE = Penalty(1, "books", 3, "others", "renege")
FIELDS = {"seat": 2, "what": "books:others", "size": 3, "reason": "renege"}
BONUS = {"seat": 1, "sign": "+", "size": 20, "reason": "Won a wager"}
FINE = {"seat": 1, "what": "points:nobody", "size": 30, "reason": "table_talk"}


class TestPenalty(VersionChecklist):
    __test__ = True
    fields: ClassVar = FINE

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)

    def address(self, table: Table) -> str:
        return table.round_path("penalties", 1)


class TestRemovedPenalty(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"penalty": "0:points:30:nobody:table_talk"}

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.post(table.round_path("penalties", 1), table.fresh(**FINE))

    def address(self, table: Table) -> str:
        return table.round_path("penalties/remove", 1)


class TestLastRound(VersionChecklist):
    __test__ = True

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)

    def address(self, table: Table) -> str:
        return table.round_path("last", 1)


@pytest.fixture
def partners(table: Table) -> Table:
    table.new_game("partnership")
    return table


def test_three_books_set_a_side_and_help_the_other(partners: Table) -> None:
    partners.bid_round(3, 3, 3, 3)
    partners.send(partners.round_form("/penalties"), **FIELDS)
    assert partners.game.round(1).notes.penalties == (RENEGE,)
    assert "East – Renege: 3 tricks to the other side" in partners.page().text
    partners.score(3, 4, 3, 3)
    assert partners.totals == (63, -60)
    text = partners.page(f"{partners.path}/rounds/1").text
    assert "Renege: 3 tricks to the other side" in text
    assert "bid 6, took 4, set −60" in text
    assert "Renege: 3 tricks from the other side" in text
    assert "bid 6, took 9 +60" in text


def test_a_hand_can_count_as_set(partners: Table) -> None:
    partners.bid_round(3, 3, 3, 3)
    partners.send(
        partners.round_form("/penalties"),
        seat=2,
        what="set:nobody",
        reason="renege",
    )
    assert partners.game.round(1).notes.penalties == (Penalty(1, "set", 1, "nobody", "renege"),)
    assert "East – Renege: contract counts as set" in partners.page().text
    partners.score(3, 4, 3, 3)
    assert partners.totals == (60, -60)
    text = partners.page(f"{partners.path}/rounds/1").text
    assert "Renege: contract counts as set" in text
    assert "bid 6, took 7, set −60" in text
    sheet = partners.get(f"{partners.path}.csv").get_data(as_text=True)
    assert "penalty=set:1:nobody:renege" in sheet


def test_a_scored_round_can_get_one_too_and_undo_takes_it_back(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.send(game.page(f"{game.path}/rounds/1").form("/penalties"), **FINE)
    assert game.totals == (0, 22, 50, -40)
    changes = game.page(f"{game.path}/changes").text
    assert "North – Table talk: −30" in changes
    game.undo()
    assert game.totals == (30, 22, 50, -40)


def test_one_penalty_is_removed_by_itself(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    path = f"{game.path}/rounds/1"
    for fine in (FINE, FINE, {**FINE, "seat": 2, "size": 5}):
        game.send(game.page(path).form("/penalties"), **fine)
    game.play_round((3, 2, 2, 2), (3, 3, 2, 2))
    assert game.totals == (0, 38, 70, -20)
    game.send(game.page(path).form("/penalties/remove"))
    assert game.totals == (30, 38, 70, -20)
    left = [form for form in game.page(path).forms() if form.action.endswith("/remove")]
    assert len(left) == 2
    changes = game.page(f"{game.path}/changes").text
    assert "penalty removed: North – Table talk: −30" in changes
    game.undo()
    assert game.totals == (0, 38, 70, -20)


@pytest.mark.parametrize("text", ["", "0:points", "7:points:30:nobody:renege", "x"])
def test_no_penalty_is_removed_by_other_words(game: Table, text: str) -> None:
    answer = game.post(game.round_path("penalties/remove", 1), game.fresh(penalty=text))
    assert answer.status_code == 400
    assert "isn’t a penalty" in page_of(answer).alerts


def test_a_correction_keeps_the_penalty(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.send(game.page(f"{game.path}/rounds/1").form("/penalties"), **FINE)
    form = game.page(f"{game.path}/rounds/1").form("/rounds/1")
    game.send(form, **{"tricks-1": 4, "tricks-2": 3})
    assert game.totals == (1, 21, 50, -40)


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"what": "books:others", "size": 3}, 422, "Only tricks go to the other side"),
        ({"what": "points:others"}, 422, "Only tricks go to the other side"),
        ({"what": "books:nobody", "size": 11}, 422, "Choose 1 to 10 tricks."),
        ({"size": 0}, 422, "Choose 1 to 1000 points."),
        ({"what": "set:others"}, 422, "Only tricks go to the other side"),
        ({"what": "cards:nobody"}, 422, "Choose a penalty."),
        ({"reason": "cheek"}, 422, "Choose a penalty."),
        ({"size": "-3"}, 422, ""),
        ({"seat": 5}, 422, ""),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_cannot_be_given_is_refused_with_a_sentence(
    game: Table, fields: dict[str, object], status: int, sentence: str
) -> None:
    answer = game.post(game.round_path("penalties", 1), game.fresh(**{**FINE, **fields}))
    assert answer.status_code == status
    assert sentence in page_of(answer).alerts
    assert not game.game.rounds


@pytest.mark.parametrize("typed", ["2", "٢", "२"])
def test_points_are_typed_as_people_see_them(table: Table, typed: str) -> None:
    table.new_game("call-break")
    table.send(table.round_form("/penalties"), **{**FINE, "size": typed})
    assert table.game.round(1).notes.penalties[0].size == 20
    assert "North – Table talk: −2.0" in table.page().text


def test_the_game_ends_with_the_last_round(game: Table) -> None:
    game.send(game.page().form("/last"))
    assert "Last round" in game.page().text
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert game.state.phase == "over"
    assert "South wins" in game.page().text
    assert "The game ends with the last round," in game.page().text


def test_a_tie_in_the_last_round_plays_another(game: Table) -> None:
    game.send(game.page().form("/last"))
    game.play_round((3, 3, 2, 2), (3, 3, 2, 2))
    assert game.state.phase == "bidding"
    game.play_round((3, 3, 2, 2), (4, 2, 2, 2))
    assert game.state.phase == "over"


def test_nothing_is_kept_of_a_round_whose_only_penalty_is_removed(game: Table) -> None:
    game.post(game.round_path("penalties", 1), game.fresh(**FINE))
    game.bid(3)
    game.misdeal()
    assert len(game.game.rounds) == 1
    removed = game.fresh(penalty="0:points:30:nobody:table_talk")
    assert game.post(game.round_path("penalties/remove", 1), removed).status_code == 303
    assert game.game.rounds == ()


def test_a_misdeal_keeps_both(game: Table) -> None:
    game.bid(3)
    game.send(game.page().form("/last"))
    game.send(game.round_form("/penalties"), **FINE)
    game.misdeal()
    assert game.state.open.notes.last_round
    assert len(game.state.open.notes.penalties) == 1


def test_watchers_are_told(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    game.send(game.page().form("/last"))
    found = re.search(r"/watch/[0-9a-z]+", game.page(f"{game.path}/share").html)
    assert found is not None
    assert "Last round" in Table(game.app).page(found[0]).text


LOST = {"seat": 2, "what": "lost:nobody", "reason": "renege"}
PAGES = ("", "/sheet", "/result", "/picture.svg", "/changes", "/rules", "/share", ".csv", ".json")


@pytest.mark.parametrize("rounds", [0, 2])
def test_a_lost_game_is_over_at_once(partners: Table, rounds: int) -> None:
    for _ in range(rounds):
        partners.play_round((4, 4, 2, 3), (4, 4, 2, 3))
    partners.bid(4)
    partners.send(partners.round_form("/penalties"), **LOST)
    assert partners.state.phase == "over"
    assert len(partners.state.rounds) == rounds
    shown = partners.page().text
    assert "North and South win" in shown
    assert "The game ends because of a penalty." in shown
    assert "East – Renege: game lost" in shown
    assert {partners.get(f"{partners.path}{page}").status_code for page in PAGES} == {200}
    for page in ("/", "/players", "/history"):
        assert partners.get(page).status_code == 200
    assert partners.count("outcomes") == 1
    assert list(faults(partners.store)) == []
    partners.undo()
    assert partners.state.phase == "bidding"
    assert partners.count("outcomes") == 0


def test_a_scored_round_can_lose_the_game(partners: Table) -> None:
    for _ in range(2):
        partners.play_round((4, 4, 2, 3), (4, 4, 2, 3))
    form = partners.page(f"{partners.path}/rounds/1").form("/penalties")
    partners.send(form, **LOST)
    assert partners.state.outcome == ("penalty", 0, ())
    assert partners.state.uncounted == 1
    assert "Renege: game lost" in partners.page(f"{partners.path}/rounds/1").text


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_lost_game_is_imported_as_it_was(partners: Table, kind: str) -> None:
    partners.play_round((4, 4, 2, 3), (4, 4, 2, 3))
    partners.bid(4)
    partners.send(partners.round_form("/penalties"), **LOST)
    before = partners.state
    file = io.BytesIO(partners.get(f"{partners.path}.{kind}").data)
    guest = Table(partners.app)
    guest.join()
    form = guest.page("/import").form("choose")
    form.fields.pop("file")
    preview = guest.send(form, file=(file, f"game.{kind}"))
    guest.send(page_of(preview).form("/import/all"))
    [row] = guest.store.db.query("SELECT id FROM games WHERE table_id = ?", [guest.id])
    guest.game_id = row["id"]
    assert guest.state == before
    assert list(faults(guest.store)) == []


# Points by hand


def points_form(table: Table) -> Any:
    """Return the form that gives points by hand in round 1, as it is there without scripts."""
    forms = table.page(f"{table.path}/rounds/1").forms()
    return next(form for form in forms if form.fields.get("what") == "bonus:nobody")


def test_points_given_by_hand_are_scored_explained_and_undone(game: Table) -> None:
    game.send(points_form(game), **BONUS)
    assert game.game.round(1).notes.penalties == (Penalty(0, "bonus", 20, "nobody", "Won a wager"),)
    assert "North – \u2068Won a wager\u2069: +20" in game.page().text
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert game.totals == (50, 22, 50, -40)
    assert "\u2068Won a wager\u2069: +20" in game.page().text
    assert "\u2068Won a wager\u2069" in game.page(f"{game.path}/rounds/1").text
    sheet = game.get(f"{game.path}.csv").get_data(as_text=True)
    assert "penalty=bonus:20:nobody:Won%20a%20wager" in sheet
    assert sheet.splitlines()[1].endswith(",20,,,,,")
    game.undo()
    game.undo()
    assert game.game.round(1).notes.penalties == ()


def test_points_of_a_scored_round_are_taken_and_given_back(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    path = f"{game.path}/rounds/1"
    game.send(points_form(game), **{**BONUS, "sign": "-", "reason": ""})
    assert game.totals == (10, 22, 50, -40)
    assert "North – Deduction: −20" in game.page(f"{game.path}/changes").text
    assert "Remove points" in game.page(path).text
    game.send(game.page(path).form("/penalties/remove"))
    assert game.totals == (30, 22, 50, -40)
    changes = game.page(f"{game.path}/changes").text
    assert "points removed: North – Deduction: −20" in changes


@pytest.mark.parametrize(
    ("rules", "typed", "size"),
    [
        ("cutthroat-lite", "20", 20),
        ("cutthroat-lite", " २० ", 20),
        ("cutthroat-lite", "-5", -5),
        ("cutthroat-lite", "\N{MINUS SIGN}5", -5),
        ("call-break", "2", 20),
        ("call-break", "2.5", 25),
        ("call-break", "0,1", 1),
        ("call-break", "٢٫٥", 25),
    ],
)
def test_points_by_hand_are_typed_as_people_see_them(
    table: Table, rules: str, typed: str, size: int
) -> None:
    table.new_game(rules)
    table.send(points_form(table), **{**BONUS, "size": typed})
    assert table.game.round(1).notes.penalties[0].size == size


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"size": "0"}, 422, "Choose 1 to 1000000 points."),
        ({"size": "1000001"}, 422, "Choose 1 to 1000000 points."),
        ({"size": "2.5"}, 422, "Enter points such as 20."),
        ({"size": ""}, 422, "Enter points such as 20."),
        ({"size": "12345678"}, 422, "Enter points such as 20."),
        ({"reason": "x" * 61}, 422, "A reason can have at most 60 characters."),
        ({"reason": "x" * 501}, 400, "can have at most 500 characters"),
        ({"seat": 5}, 422, ""),
    ],
    ids=str,
)
def test_points_beyond_the_limits_are_refused_with_a_sentence(
    game: Table, fields: dict[str, object], status: int, sentence: str
) -> None:
    sent = game.fresh(**{"what": "bonus:nobody", **BONUS, **fields})
    answer = game.post(game.round_path("penalties", 1), sent)
    assert answer.status_code == status
    assert sentence in page_of(answer).alerts
    assert not game.game.rounds


def test_a_reason_is_one_line_of_what_people_can_see(game: Table) -> None:
    game.send(points_form(game), **{**BONUS, "reason": " Won\u202e a\n\twager\u2069 "})
    assert game.game.round(1).notes.penalties[0].reason == "Won a wager"
