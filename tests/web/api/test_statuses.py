"""Every status that the document names for an operation is one that the server answers."""

from typing import Any, NoReturn

import pytest
from werkzeug.test import TestResponse

from scorekeeper.files.imports import LARGEST_UPLOAD
from scorekeeper.store.connection import StoreBusy
from scorekeeper.web.http.rate_limits import HOUR, Limit, Limits
from tests.web.api.caller import BIDS, NEW_GAME, NEW_RULES, SHEET, TRICKS, Caller
from tests.web.api.document import OPERATIONS

# Options of a good request after the first round, when the game is at version 2.
GOOD: dict[str, dict[str, Any]] = {
    "start_game": {"json": NEW_GAME},
    "put_round": {"version": 2, "json": {"bids": BIDS, "tricks": TRICKS}},
    "delete_round": {"version": 2},
    "delete_game": {"version": 2},
    "undo": {"version": 2},
    "import_games": {"data": SHEET, "content_type": "text/csv"},
    "add_rules": {"json": NEW_RULES},
    "change_rules": {"version": 2, "json": NEW_RULES},
    "delete_rules": {"version": 2},
    "redo": {"version": 2},
    "end_game": {"version": 2},
}
# Options that the rules refuse after the second round, when the game is at version 3.
REFUSED: dict[str, dict[str, Any]] = {
    "start_game": {"json": {**NEW_GAME, "players": ["North", "North", "South"]}},
    "put_round": {"version": 3, "json": {"bids": BIDS, "tricks": [0, 0, 0, 0]}},
    "delete_round": {"version": 3},
    "import_games": {"data": "round,player\n"},
    "add_rules": {"json": {**NEW_RULES, "rules": "poker"}},
    "change_rules": {"version": 2, "json": {**NEW_RULES, "rules": "poker"}},
}
CHANGE_NOTHING = ("304", "400", "401", "403", "404", "411", "412", "428")
CASES = [
    (path, method, operation["operationId"], statuses)
    for path, method, operation in OPERATIONS
    for statuses in (
        [status for status in operation["responses"] if status in CHANGE_NOTHING],
        *([status] for status in operation["responses"] if status not in CHANGE_NOTHING),
    )
    # Only a proxy in front of the server limits how often the document is read.
    if (operation["operationId"], statuses) != ("openapi", ["429"])
]


@pytest.mark.parametrize(
    ("path", "method", "name", "statuses"),
    CASES,
    ids=[f"{method} {path} {' '.join(statuses)}" for path, method, _name, statuses in CASES],
)
def test_the_statuses_are_answered(
    one_round: Caller, path: str, method: str, name: str, statuses: list[str]
) -> None:
    rules = saved_rules(one_round) if name in ("show_rules", "change_rules", "delete_rules") else ""

    def send(game_id: str = one_round.game_id, **options: Any) -> TestResponse:
        number = 2 if name == "put_round" else 1
        is_there = game_id != "0000000000"
        ids = {"player_id": int(is_there), "rules_id": rules if is_there else game_id}
        address = path.format(game_id=game_id, number=number, **ids)
        return one_round.call(method, address, **(GOOD.get(name, {}) | options))

    for status in statuses:
        assert provoke(one_round, name, status, send).status_code == int(status)


def saved_rules(api: Caller) -> str:
    """Save rules, bring them to version 2, and return their id."""
    saved = api.call("POST", "rules", json={**NEW_RULES, "name": "Thursday night"}).json
    sent = {**NEW_RULES, "name": "Thursday evening"}
    api.call("PUT", f"rules/{saved['id']}", version=1, json=sent)
    return str(saved["id"])


def provoke(api: Caller, name: str, status: str, send: Any) -> TestResponse:
    """Send the request that an operation answers with a status."""
    match status:
        case "200" | "201" | "204":
            api.app.config["OPEN"] = True
            return send()
        case "304":
            return send(headers={"If-None-Match": '"2"'})
        case "400":
            return send(headers={"Host": "elsewhere.example"})
        case "401":
            return send(key=None)
        case "403":
            return send(headers={"Sec-Fetch-Site": "cross-site"})
        case "404":
            return send(game_id="0000000000")
        case "412":
            return send(version=1)
        case "411":
            return send(
                headers={"Transfer-Encoding": "chunked"},
                environ_overrides={"wsgi.input_terminated": True},  # as gunicorn says
            )
        case "413":
            api.app.config["OPEN"] = True
            too_large = {"data": b" " * (LARGEST_UPLOAD + 1)}
            return send(**too_large if name == "import_games" else {"json": {"x": " " * 70_000}})
        case "415":
            api.app.config["OPEN"] = True
            return send(json=None, data="{}", content_type="text/plain")
        case "422" if name == "end_game":
            api.walk("undo")  # nothing is scored then
            return send(version=3)
        case "422":
            api.put(2, BIDS, TRICKS)
            return send(**REFUSED[name])
        case "428":
            return send(version=None)
        case "429":
            api.app.config["OPEN"] = True
            api.app.extensions["limits"] = Limits(
                wrong_keys=Limit(1, HOUR), new_tables=Limit(1, HOUR)
            )
            send(key="wrong")
            return send(key="wrong")
    error = StoreBusy("database is locked") if status == "503" else ZeroDivisionError()

    def fail(**_arguments: object) -> NoReturn:
        raise error

    api.app.view_functions[endpoint_of(api, name)] = fail
    return send()


def endpoint_of(api: Caller, name: str) -> str:
    """Return the endpoint of an operation, in whichever blueprint it is."""
    names = (f"{blueprint}.{name}" for blueprint in ("api", "api_table"))
    return next(one for one in names if one in api.app.view_functions)
