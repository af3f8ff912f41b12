"""The journal of a game, read by people."""

import pytest

from scorekeeper.store import changes
from tests.web.page import Page, text_of
from tests.web.play import Table, page_of


def lines(table: Table, kind: str = "ol") -> list[str]:
    """Return what was entered, oldest first, or corrected (`ul`), without the time of day."""
    rounds = table.page(f"{table.path}/changes").all("section[@class='round-log']")
    shown = [text_of(line) for one in reversed(rounds) for line in one.findall(f".//{kind}/li")]
    return [line.partition(" ")[2] for line in shown]


def test_the_first_line_is_the_beginning(game: Table) -> None:
    assert lines(game) == ["game started Kim's phone"]


def test_every_change_says_what_was_done_and_on_which_phone(game: Table) -> None:
    other = game.second_phone()
    game.bid(3)
    other.bid("nil")
    assert lines(game)[1:] == [
        "North bid 3 Kim's phone",
        "East bid Nil the other phone",
    ]


def test_a_changed_bid_says_what_was_there_before(game: Table) -> None:
    game.bid(3)
    game.bid(4, seat=1)
    assert lines(game)[-1] == "North bid 3 Kim's phone"
    assert lines(game, "ul") == ["North bid 4, not 3 Kim's phone"]


def test_a_score_names_what_each_seat_took(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    game.score(3, 4, 0, 3)
    assert lines(game)[-1] == (
        "scored; North took 3; East took 4; South took 0; West took 3 Kim's phone"
    )


def test_a_bid_taken_back_is_not_called_a_bid_of_nothing(game: Table) -> None:
    game.bid(3)
    game.undo()
    game.redo()
    assert lines(game)[-2:] == [
        "undone; North bid 3 Kim's phone",
        "redone; North bid 3 Kim's phone",
    ]


def test_every_change_has_its_moment(game: Table) -> None:
    game.bid(3)
    newest, *_rest = game.page(f"{game.path}/changes").all("time[@datetime]")
    assert newest.get("datetime") == game.game.changed


@pytest.mark.parametrize("path", ["/changes", "/rules", ".csv", ""])
def test_a_guest_sees_nothing_of_a_game(still: Table, path: str) -> None:
    guest = Table(still.app)
    assert guest.get(still.path + path).status_code == 404
    guest.join()
    assert guest.get(still.path + path).status_code == 404


@pytest.mark.parametrize("path", ["/changes", "/rules", ".csv", ""])
def test_an_unknown_game_is_404(still: Table, path: str) -> None:
    assert still.get(f"/games/0000000000{path}").status_code == 404


@pytest.mark.parametrize("path", ["/changes", "/rules", ".csv", ""])
def test_looking_changes_nothing(still: Table, path: str) -> None:
    before = still.everything()
    assert still.get(still.path + path).status_code == 200
    assert still.everything() == before


def test_a_score_after_the_counts_tells_only_what_is_new(game: Table) -> None:
    game.play_one_by_one((3, 2, "nil", 4), (3, 4, 0, 3))
    assert lines(game)[-2:] == [
        "South took 0 Kim's phone",
        "scored; West took 3 Kim's phone",
    ]


def test_a_round_corrected_over_an_old_page_tells_what_became_of_it(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    old = game.round_form()
    game.score(3, 4, 0, 3)
    conflict = page_of(game.send(old, **{"tricks-1": 4, "tricks-2": 3, "tricks-3": 0}))
    game.send(conflict.form("rounds/1"), **{"tricks-4": 3})
    assert lines(game, "ul") == ["North took 4, not 3; East took 3, not 4 Kim's phone"]


def test_a_round_says_who_led_after_it(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(3)
    assert game.page(f"{game.path}/changes").texts("summary//b") == [
        "In progress", "South leads with 50", "This game",
    ]  # fmt: skip


def test_corrections_and_phones_are_shown_alone(game: Table) -> None:
    other = game.second_phone()
    game.bid(3)
    game.bid(4, seat=1)
    other.bid("nil")
    page = game.page(f"{game.path}/changes")
    assert page.texts("nav/a") == ["All", "1 correction", "the other phone", "Kim's phone"]
    corrected = game.page(f"{game.path}/changes?only=corrections")
    assert corrected.texts("section//li/span") == ["North bid 4, not 3"]
    assert game.page(f"{game.path}/changes?only=the+other+phone").texts("section//li/span") == [
        "East bid Nil"
    ]


# Page by page


@pytest.fixture
def long_game(game: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of 11 changes, eight of which are of its first round, on pages of four."""
    monkeypatch.setattr(changes, "PAGE", 4)
    game.play_one_by_one((3, 2, "nil", 4), (3, 4, 0, 3))
    for bid in (1, 2):
        game.bid(bid)
    return game


def pages(table: Table, path: str) -> list[Page]:
    """Return a page and those that its links to earlier changes lead to, one after another."""
    found = [table.page(path)]
    while older := found[-1].all("a[@rel='next']"):
        found.append(table.page(older[0].get("href", "")))
    return found


def test_the_whole_journal_is_there_page_by_page(long_game: Table) -> None:
    shown = [page.texts("ol/li") for page in pages(long_game, f"{long_game.path}/changes")]
    assert [len(lines) for lines in shown] == [4, 4, 3]
    lines = [line.partition(" ")[2] for round_lines in shown for line in round_lines]
    assert lines[:2] == ["East bid 1 Kim's phone", "South bid 2 Kim's phone"]
    assert lines[-1] == "game started Kim's phone"
    assert len({*lines}) == long_game.game.version == 11


def test_the_changes_of_a_round_are_there_page_by_page(long_game: Table) -> None:
    found = pages(long_game, long_game.round_path(number=1))
    lines = [line.partition(" ")[2] for page in found for line in page.texts("ol/li")]
    assert [len(page.texts("ol/li")) for page in found] == [4, 4]
    assert len({*lines}) == 8
    assert "North bid 3 Kim's phone" in lines


def test_a_last_page_that_is_full_leads_nowhere(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.bid(3)
    monkeypatch.setattr(changes, "PAGE", 2)
    assert [len(page.texts("ol/li")) for page in pages(game, f"{game.path}/changes")] == [2]


@pytest.mark.parametrize("asked", ["before=x", "before=-1", "before=1e3", f"round={'9' * 30}"])
def test_a_page_that_cannot_be_is_404(still: Table, asked: str) -> None:
    assert still.get(f"{still.path}/changes?{asked}").status_code == 404


def test_a_page_before_the_beginning_is_empty(still: Table) -> None:
    assert still.page(f"{still.path}/changes?before=1").texts("ol/li") == []
