"""Commands whose standard output is closed or cannot be written: one sentence, and status 2."""

import gc
import io
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from scorekeeper.cli.output import checked_output
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


def test_the_output_that_a_command_wrote_to_may_be_closed_before_its_wrapper_is_freed() -> None:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), checked_output():
        wrapper = sys.stdout
        print("one line", end="")
    assert wrapper.closed
    assert (out.closed, out.buffer.getvalue()) == (False, b"one line")  # type: ignore[attr-defined]
    out.close()
    del wrapper
    gc.collect()  # which reports an error of a finalizer, from Python 3.13 on
