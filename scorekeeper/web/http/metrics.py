"""What the operator sees: metrics of the server and its database, the health check, logs.

Each process counts for itself and starts from zero. The workers of gunicorn share their counts in
the folder PROMETHEUS_MULTIPROC_DIR; then each of them answers for all.
"""

import hmac
import logging
import os
import platform
import re
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

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
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from scorekeeper.config import ConfigError
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.round import Round
from scorekeeper.store.connection import StoreError, StoreLost
from scorekeeper.store.database import (
    DatabaseState,
    Store,
    database_state,
    storage_problem,
)
from scorekeeper.version import __version__
from scorekeeper.web.http.loopback import is_local_request
from scorekeeper.web.http.requests import store


class DatabaseCollector(Collector):
    """Which database has the games, whether it takes changes, and how far its standbys are."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            state = database_state(store())
        except StoreError:
            state = DatabaseState("postgresql", is_primary=False)
        primary = GaugeMetricFamily(
            "scorekeeper_database_primary",
            "Whether the database answers and takes changes, by its kind.",
            labels=["database"],
        )
        primary.add_metric([state.kind], int(state.is_primary))
        yield primary
        behind = GaugeMetricFamily(
            "scorekeeper_standby_behind_bytes",
            "Bytes of the log that a standby has still to replay.",
            labels=["standby"],
        )
        for name, size in state.standbys:
            behind.add_metric([name], size)
        yield behind


class ProgramCollector(Collector):
    """The version of the program, and memory, processor and files of each of its workers."""

    def collect(self) -> Iterator[Metric]:
        build = {"version": __version__, "python": platform.python_version()}
        yield InfoMetricFamily("scorekeeper_build", "The versions that run.", build)
        families: dict[str, Metric] = {}
        for pid in _workers():
            # Of any process, while the library's own metrics leave out those of workers.
            for of_worker in ProcessCollector(pid=partial(str, pid), registry=None).collect():
                family = families.setdefault(of_worker.name, _like(of_worker))
                for sample in of_worker.samples:
                    family.add_sample(sample.name, {"pid": str(pid)}, sample.value)
        yield from families.values()


pages = Blueprint("metrics", __name__)
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # as prometheus-client calls it
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
REASONS = ("rate_limit", "budget", "streams", "new_tables", "busy")

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
    "rounds.end": "other",
    "api.end_game": "other",
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
        registry.register(ProgramCollector())
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
    """Count every request, and keep secrets out of logs.

    Called before other parts are set up, so that what these do is timed too. Raises `ConfigError`
    for a folder that is not writable.
    """
    if folder := os.environ.get(SHARED_FOLDER):
        _prepare(Path(folder))
    # They would be a second series for each of the others.
    disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no annotations
    app.extensions["metrics"] = Metrics()
    app.extensions["health"] = Health()
    app.before_request(_begin)
    app.after_request(_count)
    _set_up_logs(app)


@pages.get("/metrics")
def show() -> Response:
    """Send all metrics in the text format of Prometheus, or 404 without permission."""
    if not _may_read():
        abort(404)
    registry = _metrics().registry
    if os.environ.get(SHARED_FOLDER):
        registry = CollectorRegistry()
        registry.register(DatabaseCollector())
        registry.register(ProgramCollector())
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
    metrics = _metrics()
    metrics.streams.set(current_app.extensions["live"].open_streams)
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
        for process in _processes_in(folder):
            if not _is_running(process):
                mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]  # as above
    except OSError as error:
        sentence = _("Can’t store metrics in {folder}: {reason}.")
        reason = error.strerror or error
        raise ConfigError(sentence.format(folder=folder, reason=reason)) from error


def _workers() -> list[int]:
    """Return the ids of the processes that this server consists of, without gunicorn's first."""
    folder = os.environ.get(SHARED_FOLDER)
    return sorted(filter(_is_running, _processes_in(Path(folder)))) if folder else [os.getpid()]


def _processes_in(folder: Path) -> set[int]:
    return {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*_*.db")}


def _like(family: Metric) -> Metric:
    return Metric(family.name, family.documentation, family.type, family.unit)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


FRESH = 1.0  # seconds that a result is used again, as each check writes


class Health:
    """Whether games can be saved, tried at most once in `FRESH` seconds for all who ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._found = ("", "")

    def look(self, store: Store) -> tuple[str, str]:
        """Return why games cannot be saved, or else the description, a moment old at most."""
        with self._lock:
            if time.monotonic() >= self._until:
                problem = storage_problem(store)
                self._found = problem, "" if problem else _described(database_state(store))
                self._until = time.monotonic() + FRESH
            return self._found


@pages.get("/healthz")
def healthz() -> Response:
    """Answer 200 and which database has the games if they can be saved, else 503 with the reason.

    The lines after the first are `database: sqlite`, or `database: postgresql, primary` with a line
    such as `standby walreceiver: 0 bytes behind` for each standby.
    """
    problem, health = _problem_that_is_logged(), ""
    if not problem:
        problem, health = current_app.extensions["health"].look(store())
    answer = Response(f"{problem or health}\n", 503 if problem else 200)
    answer.content_type = "text/plain; charset=utf-8"
    return answer


def _problem_that_is_logged() -> str:
    """Return what is wrong with the file, without its path as anybody may ask, or nothing."""
    if store().file_check.sentence:
        return _("The database is damaged, so nothing is saved. See the log for what to do.")
    try:
        store().check_files()
    except StoreLost:
        return _(
            "The database file was deleted, moved or replaced, so nothing is saved. See the log "
            "for what to do."
        )
    return ""


def _described(database: DatabaseState) -> str:
    role = ", primary" if database.kind == "postgresql" else ""
    behind = [f"standby {name}: {size} bytes behind" for name, size in database.standbys]
    return "\n".join(["ok", f"database: {database.kind}{role}", *behind])


# Signed values are content, time and signature; keys and ids are 26 lower-case letters and digits.
# The look-behind lets a signed value begin only where a word begins. Without it the search would
# start at every character, and take quadratic time in a long word.
SECRETS = re.compile(r"(?<![\w.-])[\w.-]*\.[\w-]{6}\.[\w-]{27}\b|\b[0-9a-z]{26,}\b")
MAX_MESSAGE = 1000  # characters; clients choose how long paths and headers are

REQUESTS = logging.getLogger("scorekeeper.requests")


def _set_up_logs(app: Flask) -> None:
    """Remove secrets from every record that this process logs from now on.

    Servers log the path of a failed request, and the path of a join link contains its key. They
    use loggers of their own, so records are changed in the record factory, which all loggers share.
    With `LOG_REQUESTS` each request is logged in a line: method, path, status and milliseconds.
    The query is left out, as people search for names there.
    """
    factory = logging.getLogRecordFactory()
    if not isinstance(factory, _RedactingFactory):
        logging.setLogRecordFactory(_RedactingFactory(factory))
    if app.config.get("LOG_REQUESTS"):
        REQUESTS.setLevel(logging.INFO)
        if not REQUESTS.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
            REQUESTS.addHandler(handler)
    if REQUESTS.isEnabledFor(logging.INFO):
        app.after_request(_log_request)


def without_secrets(text: str) -> str:
    """Return a text with every key, cookie and token replaced by `[secret]`."""
    return SECRETS.sub("[secret]", text)


def _shortened(text: str) -> str:
    """Return a message without its middle if it is long; servers put the status at the end."""
    half = MAX_MESSAGE // 2
    return text if len(text) <= MAX_MESSAGE else f"{text[:half]} … {text[-half:]}"


def _log_request(response: Response) -> Response:
    took = round(1000 * (time.perf_counter() - g.begun))
    # Quoted again, so that a path cannot contain a line break.
    path = quote(request.path, errors="replace")
    REQUESTS.info("%s %s %d %d ms", request.method, path, response.status_code, took)
    return response


class _RedactingFactory:
    """Log record factory that removes secrets from message, traceback and stack."""

    def __init__(self, factory: Any):
        self._factory = factory

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._factory(*args, **kwargs)
        # Arguments that do not fit the message are left to the handler, which reports them.
        with suppress(TypeError, ValueError):
            # Before shortening, as the pattern would not match a secret that was cut in two.
            record.msg, record.args = _shortened(without_secrets(record.getMessage())), ()
        if record.exc_info and record.exc_info[1]:
            shown = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_text = without_secrets(shown)
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info)
        return record
