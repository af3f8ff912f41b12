"""The README names what there is, and what it shows is what happens."""

import http.client
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scorekeeper.cli.parser import _parser
from scorekeeper.rules.presets import PRESETS
from tests.program import CHECKOUT, clean_environment

README = (CHECKOUT / "README.md").read_text("utf-8")
CODE = "\n".join(path.read_text("utf-8") for path in (CHECKOUT / "scorekeeper").rglob("*.py"))


@pytest.mark.parametrize("variable", sorted(set(re.findall(r"SCOREKEEPER_[A-Z_]+", CODE))))
def test_every_variable_is_named(variable: str) -> None:
    assert f"| `{variable}` |" in README


@pytest.mark.parametrize("key", PRESETS)
def test_every_rule_book_is_named(key: str) -> None:
    assert f"| `{key}` |" in README


def test_every_command_is_named() -> None:
    commands = re.search(r"\{([^}]+)\}", _parser().format_usage())
    listed = _parser().format_help()
    names = commands[1].split(",") if commands else re.findall(r"^    (\w+) ", listed, re.MULTILINE)
    assert len(names) > 5
    assert [name for name in names if name != "serve" and f"scorekeeper {name}" not in README] == []


def unit() -> str:
    """Return the unit that starts the server on a public host, its long lines joined."""
    found = re.search(r"```ini\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1].replace("\\\n", " ").replace("%%", "%")


def test_the_unit_leaves_connections_and_files_free_of_streams() -> None:
    numbers = {
        name: int(number)
        for name, number in re.findall(
            r"(STREAMS|--worker-connections|LimitNOFILE)[= ](\d+)", unit()
        )
    }
    assert numbers["--worker-connections"] >= 2 * numbers["STREAMS"]
    assert numbers["LimitNOFILE"] >= 2 * numbers["--worker-connections"]


@pytest.mark.slow
def test_the_unit_serves_and_takes_no_address_from_a_header(tmp_path: Path) -> None:
    start = re.search(r"^ExecStart=\S+/gunicorn (.*)$", unit(), re.MULTILINE)
    assert start is not None
    words = [word.replace("127.0.0.1:8000", "127.0.0.1:0") for word in shlex.split(start[1])]
    variables = dict(
        setting.split("=", 1)
        for line in re.findall(r"^Environment=(.*)$", unit(), re.MULTILINE)
        for setting in line.split()
    )
    log = tmp_path / "log"
    with (
        log.open("w") as written,
        subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *words],
            cwd=tmp_path,
            env=clean_environment(
                **variables | {"SCOREKEEPER_DATA": str(tmp_path)}, PYTHONPATH=str(CHECKOUT)
            ),
            stdout=written,
            stderr=written,
        ) as server,
    ):
        try:
            address = urlsplit(_listening(log))
            forged = {"Host": "spades.example.org", "Script_Name": "//elsewhere.invalid"}
            answers = []
            for path, headers in (
                ("//elsewhere.invalid/sw.js", forged),
                ("/healthz", forged),
                ("/sw.js", {"Host": "spades.example.org"}),
            ):
                connection = http.client.HTTPConnection(address.netloc, timeout=20)
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                answers.append((answer.status, b"elsewhere.invalid" in answer.read()))
                connection.close()
        finally:
            server.terminate()
    assert answers[1:] == [(200, False), (200, False)]
    assert answers[0][0] in (308, 404)


def _listening(log: Path) -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if found := re.search(r"Listening at: (http://\S+)", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"it does not listen: {log.read_text()}")


def test_the_example_of_a_paper_sheet_prints_what_is_shown(tmp_path: Path) -> None:
    sheet = re.search(r"```csv\n(.*?)```", README, re.DOTALL)
    shown = re.search(r"\$ scorekeeper (score .*?) \| cut.*?\n(.*?)```", README, re.DOTALL)
    assert sheet is not None
    assert shown is not None
    (tmp_path / "evening.csv").write_text(sheet[1], "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "scorekeeper", *shown[1].split()],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    kept = [7, 9, 10, 15, 16, 17, 18]  # what `cut -f8,10,11,16-19` lets through
    rows = [line.split(",") for line in ran.stdout.splitlines()]
    assert [",".join(row[place] for place in kept) for row in rows] == shown[2].splitlines()
