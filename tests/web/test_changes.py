"""The journal of a game, read by people."""

import pytest

from tests.web.play import Table


def lines(table: Table) -> list[str]:
    """Return what was changed, oldest first, without the time of day."""
    shown = table.page(f"{table.path}/changes").texts("ol/li")
    return [line.partition(" ")[2] for line in reversed(shown)]


def test_the_first_line_is_the_beginning(game: Table) -> None:
    assert lines(game) == ["the game was begun Kim's phone"]


def test_every_change_says_what_was_done_and_on_which_phone(game: Table) -> None:
    other = game.second_phone()
    game.bid(3)
    other.bid("nil")
    assert lines(game)[1:] == [
        "Round 1: North bid 3 Kim's phone",
        "Round 1: East bid Nil the other phone",
    ]


def test_a_changed_bid_says_what_was_there_before(game: Table) -> None:
    game.bid(3)
    game.bid(4, seat=1)
    assert lines(game)[-1] == "Round 1: North bid 3 → 4 Kim's phone"


def test_a_score_names_what_each_seat_took(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    game.score(3, 4, 0, 3)
    assert lines(game)[-1] == (
        "Round 1: scored; North took 3; East took 4; South took 0; West took 3 Kim's phone"
    )


def test_a_bid_taken_back_is_not_called_a_bid_of_nothing(game: Table) -> None:
    game.bid(3)
    game.undo()
    game.redo()
    assert lines(game)[-2:] == [
        "Round 1: taken back; North bid 3 → – Kim's phone",
        "Round 1: brought back; North bid 3 Kim's phone",
    ]


def test_every_change_has_its_moment(game: Table) -> None:
    game.bid(3)
    newest, _first = game.page(f"{game.path}/changes").all("time[@datetime]")
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
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert lines(game)[-2:] == [
        "Round 1: South took 0 Kim's phone",
        "Round 1: scored; West took 3 Kim's phone",
    ]


def test_a_round_scored_anew_over_an_old_page_tells_what_became_of_it(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    game.score(3, 4, 0, 3)
    fields = {f"tricks-{seat}": count for seat, count in enumerate((4, 3, 0, 3), 1)}
    game.post(game.round_path("tricks", 1), game.fresh(**fields))
    assert lines(game)[-1] == ("Round 1: scored; North took 3 → 4; East took 4 → 3 Kim's phone")
