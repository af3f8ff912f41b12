"""Metrics through the built-in server and through two workers of gunicorn."""

import http.client
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.faults.hosted import Hosted
from tests.program import CHECKOUT, Program, clean_environment

KEY = "a key that only the operator has"
RULES = 'scorekeeper_request_duration_seconds_count{route="/rules"}'


def ask(address: str, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    connection.request("GET", path, headers={**sent, "Connection": "close"})
    answer = connection.getresponse()
    status, text = answer.status, answer.read().decode()
    connection.close()
    return status, text


def value(text: str, series: str) -> float:
    (line,) = [line for line in text.splitlines() if line.startswith(f"{series} ")]
    return float(line.removeprefix(series))


def test_the_built_in_server_answers_this_computer_and_no_proxy(tmp_path: Path) -> None:
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path)) as program:
        ask(program.address, "/rules")
        status, text = ask(program.address, "/metrics")
        assert (status, value(text, RULES)) == (200, 1)
        for header in ("X_Forwarded_For", "X_Forwarded_Host", "Forwarded", "Via"):
            assert ask(program.address, "/metrics", **{header: "192.0.2.1"})[0] == 404


@pytest.mark.slow
def test_each_worker_answers_for_both(tmp_path: Path) -> None:
    folder, shared = tmp_path / "games", tmp_path / "metrics"
    settings = {
        "SCOREKEEPER_METRICS_KEY": KEY,
        "SCOREKEEPER_OPEN": "1",
        "PROMETHEUS_MULTIPROC_DIR": str(shared),
    }
    with Hosted(folder, **settings) as program:
        asked = 0
        while asked < 20 or len(list(shared.glob("histogram_*.db"))) < 2:
            assert ask(program.address, "/rules")[0] == 200
            asked += 1
            assert asked < 2000, "only one worker answers"
        key = {"Authorization": f"Bearer {KEY}"}
        answers = [ask(program.address, "/metrics", **key) for _ in range(8)]
        assert {status for status, _text in answers} == {200}
        assert {value(text, RULES) for _status, text in answers} == {asked}
        assert {value(text, "scorekeeper_streams_open") for _status, text in answers} == {0}
        workers = re.findall(r'^process_open_fds\{pid="(\d+)"\} ', answers[0][1], re.MULTILINE)
        assert set(workers) == {file.stem.rpartition("_")[2] for file in shared.glob("gauge_*.db")}
        assert len(set(workers)) == 2
        assert ask(program.address, "/metrics")[0] == 404


def start(folder: Path, shared: Path) -> subprocess.CompletedProcess[str]:
    """Open the application in another process, as a worker does."""
    return subprocess.run(
        [sys.executable, "-c", "from scorekeeper import create_app; create_app()"],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder), PROMETHEUS_MULTIPROC_DIR=str(shared)),
        capture_output=True,
        encoding="utf-8",
    )


def test_the_gauges_of_a_worker_that_was_killed_are_forgotten(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    shared = tmp_path / "metrics"
    shared.mkdir()
    running = shared / f"gauge_livesum_{os.getpid()}.db"
    dead = shared / f"gauge_livesum_{gone.pid}.db"
    counted = shared / f"counter_{gone.pid}.db"
    for file in (running, dead, counted):
        file.touch()
    ended = start(tmp_path / "games", shared)
    assert ended.returncode == 0, ended.stderr
    assert [file.exists() for file in (running, dead, counted)] == [True, False, True]


def test_a_folder_for_metrics_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    ended = start(tmp_path / "games", file / "metrics")
    assert f"ConfigError: Can’t store metrics in {file}/metrics: Not a d" in ended.stderr
