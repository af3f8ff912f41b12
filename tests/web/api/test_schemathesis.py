"""The server conforms to its OpenAPI document: it accepts and refuses what that says."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck

from tests.properties import examples
from tests.store.disagreements import disagreements
from tests.web.api.caller import Caller
from tests.web.api.document import DOCUMENT, closed

schemathesis = pytest.importorskip(
    "schemathesis", reason="schemathesis is not installed: pip install .[contract]"
)
pytestmark = [pytest.mark.slow, pytest.mark.sqlite]  # test_fuzz.py asks PostgreSQL too

# What fits the shapes may still be against the rules of the game.
TAKEN = ["2xx", "304", "401", "403", "404", "412", "422"]
CONFIG = schemathesis.Config.from_dict(
    {
        "generation": {"deterministic": True},
        "checks": {
            "positive_data_acceptance": {"expected-statuses": TAKEN},
            "missing_required_header": {"expected-statuses": ["400", "428"]},
        },
    }
)
BOUNDED = examples(100, suppress_health_check=list(HealthCheck))


class Served:
    """Whichever server the test that runs has started. Of a stream it answers the beginning."""

    app: Flask

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        body = self.app(environ, start_response)
        if not environ["PATH_INFO"].endswith("/events"):
            return body
        with closing(body):
            return [next(iter(body), b"")]


served = Served()
document = closed(DOCUMENT)
# Some thousand house rules are tried as saved ones, and are read by the same function for a game.
shapes = document["components"]["schemas"]
values = shapes["RuleValues"]["properties"]
few = {name: values[name] for name in ("players", "target", "bag_limit", "bid_by")}
in_a_game = shapes["RuleValues"] | {"properties": few}
shapes["NewGame"]["properties"]["house_rules"] = {"anyOf": [in_a_game, {"type": "null"}]}
schema = schemathesis.openapi.from_dict(document, config=CONFIG)
schema.app = served


@pytest.fixture
def playing(one_round: Caller) -> Iterator[Caller]:
    """A program on a server where a game is on; in the end all that was recorded must agree."""
    served.app = one_round.app
    yield one_round
    assert disagreements(one_round.table.store.db) == []


@schema.parametrize()
@BOUNDED
def test_the_server_does_what_the_document_says(case: schemathesis.Case, playing: Caller) -> None:
    _send(case, playing)


@schema.include(path_regex="{game_id}").parametrize()
@BOUNDED
def test_a_game_that_is_there_is_told_and_changed_so(
    case: schemathesis.Case, playing: Caller
) -> None:
    if not _is_good(case):
        return
    case.path_parameters["game_id"] = playing.game_id
    if "number" in case.path_parameters:
        case.path_parameters["number"] = max(1, len(playing.game["rounds"]))
    if "If-Match" in case.headers:
        case.headers["If-Match"] = f'"{playing.version}"'
    if isinstance(case.body, dict):  # four sit at this table
        seats = {name: cells for name, cells in case.body.items() if name in ("bids", "tricks")}
        case.body |= {name: cells and (cells * 2)[:4] for name, cells in seats.items()}
        for penalty in case.body.get("penalties", []):
            penalty["seat"] = min(penalty["seat"], 4)
        starts = {name: case.body[name] for name in ("start", "start_bags") if name in case.body}
        case.body |= {name: cells and cells[:4] for name, cells in starts.items()}
        substitutes = case.body.get("substitutes", [])[:4]
        case.body |= {"substitutes": substitutes} if "substitutes" in case.body else {}
        for substitute in substitutes:
            substitute["seat"] = min(substitute["seat"], 4)
            if substitute["player"] is not None:  # no pattern says which letters a name may have
                substitute["player"] = f"Fay {len(substitute['player'])}"
    _send(case, playing)
    playing.call("POST", f"{playing.path}/restore")  # if it was deleted


def _send(case: schemathesis.Case, playing: Caller) -> None:
    """Send a request and hold the answer to the document."""
    if _is_good(case) and "after" in case.query:
        # A word that only the server gives, and for other rules it gives another.
        of_games = case.operation.path.endswith("/games")
        for name in ("since", "until", "player", "sides"):
            case.query.pop(name, None)
        case.query |= {"after": playing.game_id} if of_games else {"after": "1", "rules": "all"}
    key = {"Authorization": f"Bearer {playing.key}", "Accept-Encoding": "identity"}
    case.call_and_validate(headers=key)


def _is_good(case: schemathesis.Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive
