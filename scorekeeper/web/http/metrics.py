"""Metrics of the server, which Prometheus reads at /metrics.

Each process counts for itself and starts from zero. The workers of gunicorn share their counts in
the folder PROMETHEUS_MULTIPROC_DIR; then each of them answers for all.
"""

import hmac
import os
import time
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, g, request
from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from scorekeeper.config import ConfigError
from scorekeeper.i18n import gettext as _
from scorekeeper.live.streams import Live
from scorekeeper.rules.game import Round
from scorekeeper.web.http.current import store
from scorekeeper.web.http.database_metrics import DatabaseCollector
from scorekeeper.web.http.local_request import is_local_request

pages = Blueprint("metrics", __name__)
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # as prometheus-client calls it
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
REASONS = ("rate_limit", "streams", "new_tables", "busy")

KINDS = ("bid", "tricks", "round", "undo", "redo", "other")  # of taps
# The kind of tap that each endpoint takes.
TAPS = {
    "taps.enter_round": "bid",  # unless the view names others in g.taps
    "taps.undo": "undo",
    "taps.redo": "redo",
    "api.put_round": "round",
    "game.undo": "undo",
    "api.undo": "undo",
    "game.redo": "redo",
    "api.redo": "redo",
    "rounds.call_off": "other",
    "rounds.penalize": "other",
    "rounds.take_back_penalty": "other",
    "rounds.call_last": "other",
    "rounds.replace_player": "other",
    "rounds.enter": "other",  # unless the view names another in g.taps
    "api.delete_round": "other",
}


class Metrics:
    """The metrics of one application.

    None may be changed by a finalizer, as in a generator's `finally`: garbage collection would run
    it while the same thread holds the lock of that metric.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        registry.register(DatabaseCollector())
        self.taps = Counter(
            "scorekeeper_taps", "Taps that were accepted, by kind.", ["kind"], registry=registry
        )
        self.duration = Histogram(
            "scorekeeper_request_duration_seconds",
            "Time until a response begins, by route; waiting for a free thread not included.",
            ["route"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.responses = Counter(
            "scorekeeper_responses", "Responses by class of status.", ["status"], registry=registry
        )
        self.refused = Counter(
            "scorekeeper_refused", "Requests refused, by reason.", ["reason"], registry=registry
        )
        self.exceptions = Counter(
            "scorekeeper_exceptions",
            "Exceptions answered with an error page, by type.",
            ["type"],
            registry=registry,
        )
        self.streams = Gauge(
            "scorekeeper_streams_open",
            "Live streams that are open.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.writers_waiting = Gauge(
            "scorekeeper_writers_waiting",
            "Requests that wait to write to the database.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        # Series that appear only with their first event hide it from rate().
        for counter, values in (
            (self.taps, dict.fromkeys(KINDS)),
            (self.responses, STATUSES),
            (self.refused, REASONS),
        ):
            for value in values:
                counter.labels(value)


def init_app(app: Flask) -> None:
    """Count every request. Raises `ConfigError` for a folder that is not writable.

    Called before other parts are set up, so that what these do is timed too.
    """
    if folder := os.environ.get(SHARED_FOLDER):
        _prepare(Path(folder))
    # They would be a second series for each of the others.
    disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no annotations
    app.extensions["metrics"] = Metrics()
    app.before_request(_begin)
    app.after_request(_count)


@pages.get("/metrics")
def show() -> Response:
    """Send all metrics in the text format of Prometheus, or 404 without permission."""
    if not _may_read():
        abort(404)
    registry = _metrics().registry
    if os.environ.get(SHARED_FOLDER):
        registry = CollectorRegistry()
        registry.register(DatabaseCollector())
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no annotations
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def count_refused(reason: str) -> None:
    """Count a request that was refused for one of `REASONS`."""
    _metrics().refused.labels(reason).inc()


def count_exception(error: Exception) -> None:
    """Count an exception that ended a request."""
    _metrics().exceptions.labels(type(error).__name__).inc()


def _begin() -> None:
    g.begun = time.perf_counter()
    metrics, live = _metrics(), current_app.extensions["live"]
    assert isinstance(live, Live)
    metrics.streams.set(live.open_streams)
    metrics.writers_waiting.set(store().writers_waiting)


def _count(response: Response) -> Response:
    metrics = _metrics()
    if "begun" in g:
        route = request.url_rule.rule if request.url_rule else "none"
        metrics.duration.labels(route).observe(time.perf_counter() - g.begun)
    metrics.responses.labels(f"{response.status_code // 100}xx").inc()
    if response.status_code < 400 and request.method != "OPTIONS":
        own = TAPS.get(request.endpoint or "")
        for kind in g.get("taps") or ([own] if own else []):
            metrics.taps.labels(kind).inc()
    return response


def _metrics() -> Metrics:
    found: Metrics = current_app.extensions["metrics"]
    return found


def kind_of_tap(before: Round, sent: Round, *, misdealt: bool = False) -> str:
    """Return the kind under which a round that is sent is counted."""
    is_same = (before.bids, before.tricks, before.tally) == (sent.bids, sent.tricks, sent.tally)
    if misdealt or before.tricks or is_same:
        return "other"
    return "round" if sent.tricks else "tricks" if sent.tally else "bid"


def _may_read() -> bool:
    """Return whether a request carries the key, or needs none as it comes from this computer."""
    key = current_app.config["METRICS_KEY"]
    if not key:
        return is_local_request()
    sent = request.authorization
    token = (sent.token if sent and sent.type == "bearer" else None) or ""
    return hmac.compare_digest(token.encode(), key.encode())


def _prepare(folder: Path) -> None:
    """Make the folder that workers share, without the gauges of those that were killed."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in folder.glob("gauge_live*_*.db"):
            process = int(file.stem.rpartition("_")[2])
            if not _is_running(process):
                mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]  # as above
    except OSError as error:
        sentence = _("Can’t store metrics in {folder}: {reason}.")
        reason = error.strerror or error
        raise ConfigError(sentence.format(folder=folder, reason=reason)) from error


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
