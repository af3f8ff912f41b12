"""Both servers start on a file that is damaged somewhere, show pages and save nothing."""

import json
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.cli.test_served_live import BOX, GUNICORN, free_port
from tests.program import CHECKOUT, clean_environment, fetch
from tests.store.test_file_check import MAX_WAIT, damaged

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]  # PostgreSQL checks its pages itself

__all__ = ["damaged"]
Found = TypeVar("Found")


def is_told(address: str) -> bool:
    with suppress(OSError):
        status, body = fetch(f"{address}/healthz")
        return status == 503 and b"damaged" in body
    return False


def why_not(address: str) -> str:
    """Return why no table can be made, once the advice is complete."""
    request = Request(f"{address}/api/tables", method="POST", data=b"")
    try:
        with urlopen(request, timeout=10):
            return ""
    except HTTPError as refused:
        with refused:
            problem = json.loads(refused.read())
    assert problem["status"] == 503
    return problem["detail"] if "restore" in problem["detail"] else ""


def wait_for(look: Callable[[], Found]) -> Found:
    end = time.monotonic() + MAX_WAIT
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.02)
    assert found
    return found


@pytest.mark.parametrize(
    "command", [BOX, GUNICORN], ids=["the server in the box", "two workers of gunicorn"]
)
def test_pages_are_shown_and_nothing_is_saved(
    damaged: Path, tmp_path: Path, command: list[str]
) -> None:
    port, log = free_port(), tmp_path / "log"
    address = f"http://127.0.0.1:{port}"
    with log.open("w") as file:
        process = subprocess.Popen(
            [part.format(port=port) for part in command],
            cwd=tmp_path,
            env=clean_environment(
                SCOREKEEPER_DATA=str(damaged), SCOREKEEPER_OPEN="1", PYTHONPATH=str(CHECKOUT)
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
        )
    try:
        wait_for(lambda: is_told(address))
        assert fetch(f"{address}/")[0] == 200
        # Each worker looks for itself, and one may be later than the other.
        sentence = wait_for(lambda: why_not(address))
    finally:
        process.terminate()
        status = process.wait(timeout=MAX_WAIT)
    assert status == 0
    assert "is damaged. Nothing was changed." in sentence
    assert sentence in log.read_text()
