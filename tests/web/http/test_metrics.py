"""/metrics: who may read it, what it counts, and what is printed to watch it."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from scorekeeper import __version__, create_app
from scorekeeper.config import ConfigError
from scorekeeper.web.http.metrics import KINDS, TAPS
from scorekeeper.web.http.rate_limits import HOUR, Limit, Limits
from tests.deployed import printed
from tests.web.play import Table
from tests.web.taps import FINE, send, send_together, undo_or_redo
from tests.web.visitors import NEW_GAME

KEY = "a key that only the operator has"
SCORED = {"bids": (3, 2, 1, 4), "tricks": (3, 2, 1, 4)}
Series = tuple[str, frozenset[tuple[str, str]]]


def metrics(app: Flask) -> dict[Series, float]:
    """Return the value of each series, as Prometheus reads them."""
    answer = app.test_client().get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def value(app: Flask, name: str, **labels: str) -> float:
    return metrics(app)["scorekeeper_" + name, frozenset(labels.items())]


def taps(app: Flask) -> dict[str, float]:
    """Return how many taps of each kind were counted, without those that were none."""
    found = metrics(app)
    kinds = {kind: found["scorekeeper_taps_total", frozenset({("kind", kind)})] for kind in KINDS}
    return {kind: count for kind, count in kinds.items() if count}


def test_the_database_is_named(app: Flask, database: str) -> None:
    assert value(app, "database_primary", database=database) == 1


def test_version_and_worker_are_named(app: Flask) -> None:
    found = metrics(app)
    (build,) = [dict(labels) for name, labels in found if name == "scorekeeper_build_info"]
    assert build["version"] == __version__
    own = frozenset({("pid", str(os.getpid()))})
    assert found["process_resident_memory_bytes", own] > 0
    assert found["process_open_fds", own] <= found["process_max_fds", own]


# Who may read it


def test_on_this_computer_no_key_is_needed(client: FlaskClient) -> None:
    assert client.get("/metrics").status_code == 200


@pytest.mark.parametrize("setting", ["BASE_URL", "PROXIES", "OPEN"])
def test_elsewhere_there_is_no_such_page_without_a_key(
    app: Flask, client: FlaskClient, setting: str
) -> None:
    app.config[setting] = "https://localhost" if setting == "BASE_URL" else 1
    answer = client.get("/metrics")
    assert answer.status_code == 404
    assert answer.get_data() == client.get("/no-such-page").get_data()


def test_another_computer_of_the_house_sees_no_such_page(client: FlaskClient) -> None:
    there = {"REMOTE_ADDR": "192.168.1.7"}
    assert client.get("/metrics", environ_overrides=there).status_code == 404


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (f"Bearer {KEY}", 200),
        (f"bearer {KEY}", 200),
        (None, 404),
        ("", 404),
        ("Bearer", 404),
        ("Bearer ", 404),
        (f"Bearer {KEY}x", 404),
        (f"Bearer {KEY[:-1]}", 404),
        ("Bearer schlüssel", 404),
        (f"Basic {KEY}", 404),
        (KEY, 404),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_where_there_is_a_key_only_the_key_opens(
    app: Flask, client: FlaskClient, sent: str | None, status: int, is_open: bool
) -> None:
    app.config.update(METRICS_KEY=KEY, OPEN=is_open)
    headers = {} if sent is None else {"Authorization": sent}
    assert client.get("/metrics", headers=headers).status_code == status


@pytest.mark.parametrize("key", ["x", "x" * 31])
def test_a_short_key_is_refused_at_the_start(data: Path, key: str) -> None:
    with pytest.raises(ConfigError, match="SCOREKEEPER_METRICS_KEY is too short"):
        create_app(DATA=data, SECRET_KEY="x" * 32, METRICS_KEY=key)


# What is counted


def test_taps_that_scripts_send_are_counted_by_kind(game: Table) -> None:
    bids = SCORED["bids"]
    send_together(game, 1, 1, {"bids": bids}, {"bids": bids, "tally": (3, "", "", "")})
    send(game, 1, bids=("",) * 4, kind="misdeal")
    send(game, 1, **SCORED)
    undo_or_redo(game, "undo", 5)
    undo_or_redo(game, "redo", 5)
    send(game, 1, **{**SCORED, "tricks": SCORED["tricks"][::-1]})
    send(game, 2, bids=("",) * 4, penalties=[FINE])
    counts = {"bid": 1, "tricks": 1, "round": 1, "undo": 1, "redo": 1, "other": 3}
    assert taps(game.app) == counts


def test_taps_are_counted_by_kind(game: Table) -> None:
    game.bid_round(3, 2, 1, 4)
    assert taps(game.app) == {"bid": 1}
    game.take(1)
    assert game.score(3, 2, 1, 4).status_code == 303
    assert taps(game.app) == {"bid": 1, "tricks": 1, "round": 1}
    game.undo()
    game.redo()
    assert taps(game.app) == {"bid": 1, "tricks": 1, "round": 1, "undo": 1, "redo": 1}
    game.correct(1, tricks_1=2, tricks_2=3)
    assert taps(game.app)["other"] == 1


def test_changes_by_programs_are_taps_too(table: Table) -> None:
    key = {"Authorization": f"Bearer {table.key}"}
    table.game_id = table.client.post("/api/games", json=NEW_GAME, headers=key).get_json()["id"]
    path = f"/api{table.path}"
    for version, (method, end, body) in enumerate(
        [
            ("PUT", "/rounds/1", SCORED),
            ("POST", "/undo", None),
            ("POST", "/redo", None),
            ("DELETE", "/rounds/1", None),
        ],
        1,
    ):
        seen = {"If-Match": f'"{version}"'}
        answer = table.client.open(path + end, method=method, json=body, headers=key | seen)
        assert answer.status_code == 200
    assert taps(table.app) == {"round": 1, "undo": 1, "redo": 1, "other": 1}


def test_a_tap_that_was_refused_is_none(game: Table) -> None:
    assert game.bid(99).status_code == 422
    assert game.post(game.round_path(), {"bid-1": 3}).status_code == 400
    assert game.client.options(game.round_path()).status_code == 200
    assert taps(game.app) == {}


def test_every_tap_is_of_an_endpoint_that_is_there(app: Flask) -> None:
    assert TAPS.keys() - app.view_functions.keys() == set()


def test_requests_are_timed_by_route_and_never_by_path(game: Table) -> None:
    before = metrics(game.app)
    assert game.get(game.path).status_code == 200
    assert game.client.get("/no-such-page").status_code == 404
    found = metrics(game.app)
    for route in ("/games/<game_id>", "none"):
        name = "scorekeeper_request_duration_seconds_count", frozenset({("route", route)})
        assert found[name] == before.get(name, 0) + 1
    assert not [series for series in found if game.game_id in str(series) or "page" in str(series)]


def test_responses_are_counted_by_class(game: Table) -> None:
    before = {c: value(game.app, "responses_total", status=c) for c in ("3xx", "4xx")}
    game.bid(3)
    game.client.get("/no-such-page")
    for status, count in before.items():
        assert value(game.app, "responses_total", status=status) == count + 1


def test_a_request_over_a_rate_limit_is_counted(app: Flask, table: Table) -> None:
    assert value(app, "refused_total", reason="rate_limit") == 0
    app.config["OPEN"] = True
    app.extensions["limits"] = Limits(wrong_keys=Limit(1, HOUR))
    codes = [app.test_client().get("/join/wrong").status_code for _ in range(3)]
    app.config["OPEN"] = False
    assert codes == [404, 429, 429]
    assert value(app, "refused_total", reason="rate_limit") == 2


def test_streams_are_counted_while_they_are_open_and_when_refused(tmp_path: Path) -> None:
    app = create_app(DATA=tmp_path, SECRET_KEY="x" * 32, STREAMS=1)
    table = Table(app)
    table.sit_down()
    table.begin()
    events = f"{table.path}/events"
    stream = table.client.get(events)
    assert stream.status_code == 200
    assert value(app, "streams_open") == 1
    assert table.client.get(events).status_code == 503
    assert value(app, "refused_total", reason="streams") == 1
    stream.close()
    assert value(app, "streams_open") == 0
    for end in app.extensions["on_stop"]:
        end()
    app.extensions["store"].close()


def test_a_bug_is_counted_by_its_type(app: Flask, client: FlaskClient) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    app.view_functions["table.home"] = fail
    assert client.get("/").status_code == 500
    assert value(app, "exceptions_total", type="ZeroDivisionError") == 1
    assert value(app, "responses_total", status="5xx") == 1


# Alerts and the dashboard


def printed_queries() -> list[str]:
    """Return the queries of both files that `scorekeeper deploy` prints."""
    groups = yaml.safe_load(printed("alerts"))["groups"]
    dashboard = json.loads(printed("dashboard"))
    alerts = [rule["expr"] for group in groups for rule in group["rules"]]
    panels = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    variables = [one["definition"] for one in dashboard["templating"]["list"][1:]]
    return alerts + panels + variables


def test_alerts_and_dashboard_name_only_metrics_and_values_that_there_are(app: Flask) -> None:
    text = app.test_client().get("/metrics").text
    there = {name for name, _labels in metrics(app)} | set(re.findall(r"^# TYPE (\S+)", text, re.M))
    there.add("scorekeeper_exceptions_total")  # it begins with the first
    values = re.compile(r'(\w+)=~?"([a-z0-9_|]+)"')
    sent = {pair for _name, labels in metrics(app) for pair in labels} | {("job", "scorekeeper")}
    queries = printed_queries()
    assert len(queries) > 20
    for query in queries:
        assert set(re.findall(r"\b(?:scorekeeper|process)_\w+", query)) <= there
        for label, allowed in values.findall(query):
            assert {(label, one) for one in allowed.split("|")} <= sent


def test_alerts_and_dashboard_name_the_routes_of_taps(app: Flask) -> None:
    (pattern,) = {one for query in printed_queries() for one in re.findall('route=~"(.*?)"', query)}
    rules = list(app.url_map.iter_rules())
    matched = {rule.endpoint for rule in rules if re.fullmatch(pattern, rule.rule)}
    assert matched - {"offline.undo", "offline.redo"} <= TAPS.keys()
    assert {"taps.enter_round", "taps.undo", "taps.redo"} <= matched


def test_every_alert_says_where_and_what() -> None:
    (group,) = yaml.safe_load(printed("alerts"))["groups"]
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")
