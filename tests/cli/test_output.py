"""Commands whose standard output is closed or cannot be written: one sentence, and status 2."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.store.database import Store
from tests.program import CHECKOUT, clean_environment
from tests.store.play import Keeper

SCORE = f"score {CHECKOUT / 'tests' / 'files' / 'golden' / 'lite-four.csv'}"
FULL = "Can’t write to standard output: No space left on device.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a game."""
    with Store(tmp_path) as store:
        Keeper(store).begin()
    return tmp_path


def complaint(command: str, output: str, folder: Path, **environment: str) -> str:
    """Return what a command says on the standard error; its status must be 2."""
    ended = subprocess.run(
        ["sh", "-c", f'exec "$0" -m scorekeeper {command} >{output}', sys.executable],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder), **environment),
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert ended.returncode == 2
    return ended.stderr


@pytest.mark.parametrize("command", [SCORE, "export"])
def test_a_closed_output_is_told_in_a_sentence(command: str, folder: Path) -> None:
    assert complaint(command, "&-", folder) == "Standard output is closed.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
@pytest.mark.parametrize(
    "command",
    [SCORE, "export", "deploy nginx", "--help", "demo"],
)
def test_a_full_disk_is_told_in_a_sentence(command: str, folder: Path) -> None:
    assert complaint(command, "/dev/full", folder, PORT="0") == FULL


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
def test_what_is_wrong_with_another_file_is_not_laid_to_the_output(folder: Path) -> None:
    assert complaint("import nothing.csv", "/dev/full", folder).startswith("Can’t read nothing.csv")
