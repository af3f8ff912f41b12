"""Starts with an empty, missing, damaged or newer database are refused and change nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

from scorekeeper.store.database import FILE
from tests.faults.ledger import Tale
from tests.faults.upgrade import fill_with_games
from tests.program import CHECKOUT, clean_environment
from tests.store.test_store import REFUSED

TABLE_SEES = "no server; its terminal says what is wrong with the file, and the command that helps"


def refuse(folder: Path, _times: int, tale: Tale) -> Tale:
    """Start the server on every kind of file that it must refuse, twice each."""
    before = folder / "before"
    before.mkdir()
    fill_with_games(before)
    for name, (spoil, sentence) in REFUSED.items():
        work = folder / name
        shutil.copytree(before, work)
        spoil(work)
        kept = _content(work)
        for _twice in range(2):
            ended = subprocess.run(
                [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", "0"],
                cwd=CHECKOUT,
                env=clean_environment(SCOREKEEPER_DATA=str(work)),
                capture_output=True,
                encoding="utf-8",
                timeout=30,
            )
            explains = sentence in ended.stderr and "Traceback" not in ended.stderr
            if not (ended.returncode == 1 and explains and _content(work) == kept):
                tale.wrong.append(f"{name}: {ended.returncode} {ended.stderr}")
            tale.times += 1
    tale.sees = TABLE_SEES
    return tale


def _content(folder: Path) -> bytes | None:
    path = folder / FILE
    return path.read_bytes() if path.is_file() else None
