"""How often a phone asks that gets no stream, and how the pages of a browser share streams."""

from itertools import pairwise

import pytest

from tests.web.offline.conftest import Ask


def test_a_phone_that_is_refused_a_stream_polls_ever_more_slowly(ask: Ask) -> None:
    (found,) = ask("following", [{"refuses": [True], "seconds": 600}])
    waits = [later - earlier for earlier, later in pairwise(found["polled"])]
    assert 2 <= waits[0] <= 3
    assert all(10 <= wait <= 15 for wait in waits[5:])
    assert len({round(wait, 3) for wait in waits[5:]}) > 1, "all phones ask at once"


def test_it_asks_for_a_stream_again_every_half_minute(ask: Ask) -> None:
    (found,) = ask("following", [{"refuses": [True], "seconds": 600}])
    assert all(30 <= later - earlier <= 45 for earlier, later in pairwise(found["asked"]))


def test_a_phone_with_a_stream_polls_once_for_what_it_has_missed(ask: Ask) -> None:
    (found,) = ask("following", [{"refuses": [True, False], "seconds": 600}])
    assert len(found["asked"]) == 2
    assert found["polled"][-1] == found["asked"][-1]
    assert found["asked"][-1] <= 45


def test_a_phone_that_gets_a_stream_at_once_never_polls(ask: Ask) -> None:
    (found,) = ask("following", [{"refuses": [False], "seconds": 600}])
    assert found == {"asked": [0.1], "polled": []}


# The addresses of the events that the pages of a browser follow, and those of the open streams.
PAGES = {
    "one page": (["a"], ["a"]),
    "two pages of a game": (["a", "a"], ["a"]),
    "eight pages of a game": (["a"] * 8, ["a"]),
    "a game and its live page": (["a", "w", "a", "w"], ["a", "w"]),
    "four games": (["a", "b", "c", "d"], ["a", "b", "c", "d"]),
    "six games": (["a", "b", "c", "d", "e", "f"], 4),
    "eight pages of five games": (["a", "b", "c", "d", "a", "b", "c", "e"], 4),
}


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("case", PAGES)
def test_pages_of_a_browser_share_four_streams(ask: Ask, case: str, at_once: bool) -> None:
    pages, streams = PAGES[case]
    (found,) = ask("together", [{"pages": pages, "at_once": at_once, "seconds": 60}])
    if isinstance(streams, int):
        assert len(set(found["streams"])) == len(found["streams"]) == streams
    else:
        assert found["streams"] == streams
    assert found["most"] <= 4
    has_stream = [page in found["streams"] for page in pages]
    assert found["heard"] == [int(has) for has in has_stream]
    assert found["polls"] == [not has for has in has_stream]


def test_another_page_takes_over_the_stream_of_one_that_is_closed(ask: Ask) -> None:
    (found,) = ask("together", [{"pages": ["a", "a", "a"], "closed": [0], "seconds": 60}])
    assert found["streams"] == ["a"]
    assert found["heard"] == [0, 1, 1]


def test_a_page_that_polls_gets_the_stream_that_is_given_up(ask: Ask) -> None:
    pages = ["a", "b", "c", "d", "e"]
    (found,) = ask("together", [{"pages": pages, "closed": [1], "seconds": 60}])
    assert found["streams"] == ["a", "c", "d", "e"]
    assert found["heard"] == [1, 0, 1, 1, 1]


def test_pages_that_nobody_sees_follow_nothing(ask: Ask) -> None:
    pages = ["a", "a", "b", "c", "d", "e"]
    (found,) = ask("together", [{"pages": pages, "hidden": True, "seconds": 60}])
    assert found["streams"] == []
    assert not any(found["polls"])
