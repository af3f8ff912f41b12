"""How often a phone asks that gets no stream."""

from itertools import pairwise

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
    assert found == {"asked": [0], "polled": []}
