"""Two programs at the same instant: one entry is stored, and the other program is told so."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from scorekeeper.store.changes import changes_of
from tests.store.disagreements import disagreements
from tests.web.api.caller import BIDS, TRICKS, Caller

PAIRS = 20
OTHER_TRICKS = [4, 3, 0, 3]
Request = Callable[[], TestResponse]


class Pair:
    """Two threads that send a request each at the same instant."""

    def __init__(self, api: Caller) -> None:
        self._api = api
        self._start = threading.Barrier(2)
        self._threads = ThreadPoolExecutor(2)

    def at_once(self, *requests: Request) -> list[TestResponse]:
        """Return both answers, after a look that neither is a fault of ours."""
        answers = list(self._threads.map(self._run, requests))
        assert all(answer.status_code < 500 for answer in answers)
        return answers

    def end(self) -> None:
        """Close the connections of both threads."""
        close = self._api.table.store.close
        list(self._threads.map(lambda _n: (self._start.wait(), close()), range(2)))
        self._threads.shutdown()

    def _run(self, request: Request) -> TestResponse:
        self._start.wait()
        return request()


@pytest.fixture
def pair(api: Caller) -> Iterator[Pair]:
    pair = Pair(api)
    yield pair
    pair.end()


def put(api: Caller, number: int, tricks: list[int], version: int) -> Request:
    """Return a request that was made on a version, ready to be sent from any thread."""
    body = {"bids": BIDS, "tricks": tricks}
    path, client = f"{api.path}/rounds/{number}", api.app.test_client()
    return lambda: api.call("PUT", path, version=version, client=client, json=body)


def post(api: Caller, way: str, version: int) -> Request:
    """Return an undo or redo that was made on a version."""
    path, client = f"{api.path}/{way}", api.app.test_client()
    return lambda: api.call("POST", path, version=version, client=client)


def statuses(answers: list[TestResponse]) -> list[int]:
    return [answer.status_code for answer in answers]


def test_of_two_that_differ_one_is_recorded_and_the_other_told(api: Caller, pair: Pair) -> None:
    for _ in range(PAIRS):
        version = api.version
        sent = [TRICKS, OTHER_TRICKS]
        answers = pair.at_once(*(put(api, 1, tricks, version) for tricks in sent))
        assert sorted(statuses(answers)) == [200, 412]
        won = statuses(answers).index(200)
        game = api.game
        assert game["version"] == version + 1
        assert game["rounds"][0]["tricks"] == sent[won]
        assert answers[1 - won].json["game"] == answers[won].json == game
        api.delete(1)
    assert disagreements(api.table.store.db) == []


def test_two_that_are_alike_are_both_right_and_recorded_once(api: Caller, pair: Pair) -> None:
    for _ in range(PAIRS):
        version = api.version
        answers = pair.at_once(*(put(api, 1, TRICKS, version) for _twice in range(2)))
        assert statuses(answers) == [200, 200]
        assert answers[0].json == answers[1].json == api.game
        assert api.version == version + 1
        api.delete(1)
    changes = changes_of(api.table.store.db, api.stored)
    assert [change.version for change in changes] == list(range(1, api.version + 1))


def test_two_corrections_of_different_rounds_do_not_pass_each_other(
    api: Caller, pair: Pair
) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    for _ in range(PAIRS):
        requests = (put(api, number, OTHER_TRICKS, api.version) for number in (1, 2))
        answers = pair.at_once(*requests)
        assert sorted(statuses(answers)) == [200, 412]
        recorded = [one["tricks"] for one in api.game["rounds"]]
        assert sorted(recorded) == sorted([TRICKS, OTHER_TRICKS])
        api.walk("undo")


def test_two_undos_take_one_step_back(api: Caller, pair: Pair) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    for _ in range(PAIRS):
        answers = pair.at_once(*(post(api, "undo", api.version) for _twice in range(2)))
        assert sorted(statuses(answers)) == [200, 412]
        assert len(api.game["rounds"]) == 1
        api.walk("redo")


def test_an_undo_against_a_round_leaves_one_of_them_standing(api: Caller, pair: Pair) -> None:
    api.play((BIDS, TRICKS))
    for _ in range(PAIRS):
        version = api.version
        answers = pair.at_once(post(api, "undo", version), put(api, 2, TRICKS, version))
        assert sorted(statuses(answers)) == [200, 412]
        assert api.version == version + 1
        api.walk("redo" if answers[0].status_code == 200 else "undo")
    assert disagreements(api.table.store.db) == []


def test_two_new_games_are_two_games(api: Caller, pair: Pair) -> None:
    body = {"rules": "cutthroat-lite", "players": ["Ana", "Ben", "Cy", "Dana"]}
    clients = [api.app.test_client(), api.app.test_client()]
    for _ in range(PAIRS):
        answers = pair.at_once(
            *(lambda c=client: api.call("POST", "games", client=c, json=body) for client in clients)
        )
        assert statuses(answers) == [201, 201]
    assert len(api.call("GET", "games?limit=100").json["games"]) == 2 * PAIRS + 1
