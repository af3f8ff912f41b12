"""Thousands of malformed requests: each is answered well, and only what was accepted is kept."""

import random
from collections import Counter
from io import StringIO
from pathlib import Path

from scorekeeper.store.check import check
from scorekeeper.store.sqlite import SQLiteDatabase
from tests.properties import counts
from tests.web.api.caller import BIDS, TRICKS, Caller, problem_of
from tests.web.api.document import check_answer
from tests.web.api.junk import Junk, Request

SEED = 20260103
FEW = 150  # requests in plain runs
EVERY_KIND = {200, 201, 304, 400, 401, 403, 404, 405, 412, 413, 415, 422, 428}


@counts("requests", FEW, 700)
def test_no_malformed_request_breaks_anything(
    one_round: Caller, guest: Caller, data: Path, requests: int
) -> None:
    one_round.play((BIDS, TRICKS))
    guest.start()
    untouched = guest.game
    junk = Junk(random.Random(SEED), one_round.game_id, guest.game_id)
    statuses: Counter[int] = Counter()
    game = one_round.game
    for _ in range(requests):
        written = _written(one_round)
        request = junk.draw(game["version"], one_round.key)
        status = _send(one_round, request)
        statuses[status] += 1
        if status == 204:
            game = one_round.call("POST", f"{one_round.path}/restore").json
            continue
        sent, version, game = f"{status} {request}", game["version"], one_round.game
        assert status in (200, 201) or _written(one_round) == written, sent
        assert game["version"] - version <= (1 if status == 200 else 0), sent
        if game["round"] > 3:  # a game that grew without end would make this slow
            game = one_round.delete(len(game["rounds"])).json
    assert guest.game == untouched
    faults = StringIO()
    assert check(data, faults) == 0, faults.getvalue()
    # The generator has met every kind of answer, so none of them went untried.
    assert set(statuses) >= EVERY_KIND or requests == FEW


def _written(api: Caller) -> object:
    """Return what differs once something was written."""
    db = api.table.store.db
    if isinstance(db, SQLiteDatabase):
        return db.conn.total_changes
    query = "SELECT (SELECT count(*) FROM keys), (SELECT count(*) FROM changes), sum(version)"
    return db.execute(f"{query} FROM games").fetchone()


def _send(api: Caller, request: Request) -> int:
    answer = api.client.open(
        request.path, method=request.method, headers=request.headers, **request.options
    )
    assert answer.status_code < 500, f"{answer.get_data(as_text=True)} {request}"
    check_answer(answer)
    if answer.status_code >= 400 and request.method != "HEAD":
        problem = problem_of(answer)
        assert len(problem["detail"]) < 500, request
    return answer.status_code
