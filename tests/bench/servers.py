"""The servers that are measured: the program itself, and a plain Flask application beside it."""

import sys
from contextlib import suppress
from pathlib import Path

from tests.program import CHECKOUT, Program

# Only the tests need Babel, so a server does not have it; Flask-WTF loads it where it is there.
OURS = (
    "import sys; sys.modules['babel'] = None; from scorekeeper.cli.main import main; "
    "sys.exit(main(['serve', '--host', '127.0.0.1', '--port', '0']))"
)


def ours(folder: Path, **environment: str) -> Program:
    """Start the program with its own server on a folder of games."""
    command = [sys.executable, "-c", OURS]
    return Program(command, CHECKOUT, SCOREKEEPER_DATA=str(folder), **environment)


def bare(folder: Path) -> Program:
    """Start the plain application, which keeps its rows in a folder."""
    return Program([sys.executable, "-m", "tests.bench.bare", str(folder)], CHECKOUT)


def processor_seconds(pids: list[int]) -> float:
    """Return the processor time that processes and their children that have ended have used."""
    ticks = 0
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):  # a child that ends just now
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, stat[11:15]))
    return ticks / 100
