"""Recorded evenings: the same in every run, and what differs is found."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import CHECKOUT, clean_environment
from tests.recording.compare import compare

EVENING = "new_games"


def record(out: Path) -> str:
    """Record one evening in a process of its own, as it fixes the clock, and return the text."""
    words = [sys.executable, "-m", "tests.recording", str(out), "--only", EVENING]
    subprocess.run(words, cwd=CHECKOUT, env=clean_environment(), check=True, capture_output=True)
    return (out / f"{EVENING}.txt").read_bytes().decode()


@pytest.mark.slow
def test_an_evening_is_recorded_the_same_twice(tmp_path: Path) -> None:
    first, second = record(tmp_path / "first"), record(tmp_path / "second")
    assert first.count("\n=== ") > 40
    assert "2026-01-03T20:1" in first
    assert first == second


def write(folder: Path, *answers: str) -> Path:
    folder.mkdir()
    texts = [f"=== {n} {answer}\n" for n, answer in enumerate(answers, 1)]
    (folder / "evening.txt").write_text("".join(texts), "utf-8")
    return folder


HOME = "GET / by Kim\n200 OK\n\nHome"
GAME = "GET /games/<id-{n}> by Kim\n200 OK\n\n{total} points"


def test_differences_are_counted_by_route(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = [GAME.format(n=n, total=10) for n in (1, 2)]
    new = [GAME.format(n=n, total=n + 20) for n in (1, 2)]
    assert compare(write(tmp_path / "old", HOME, *old), write(tmp_path / "new", HOME, *new)) == 1
    told = capsys.readouterr().out
    assert "2 × GET /games/…, first in evening:" in told
    assert "-10 points" in told
    assert "+21 points" in told
    assert "2 of 3 answers differ." in told


def test_an_answer_that_came_between_moves_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GAME.format(n=1, total=10)
    compare(write(tmp_path / "old", HOME, game), write(tmp_path / "new", HOME, HOME, game))
    assert "1 × GET / only in NEW, first in evening:" in (told := capsys.readouterr().out)
    assert "1 of 2 answers differ." in told


def test_equal_recordings_have_no_differences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(write(tmp_path / "old", HOME), write(tmp_path / "new", HOME)) == 0
    assert capsys.readouterr().out == "0 of 1 answers differ.\n"
