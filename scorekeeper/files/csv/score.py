"""Score a CSV file: read its games, and write them with every score."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from scorekeeper.files.csv.columns import SheetError, Tell, excerpt, tell_nobody
from scorekeeper.files.csv.reader import read_scored
from scorekeeper.files.csv.writer import in_pieces
from scorekeeper.i18n import gettext as _

SMALL = 1 << 20  # bytes; results up to this size are kept in memory, not on disk


def score_file(
    path: Path,
    out: BinaryIO,
    rules_key: str | None,
    changes: Mapping[str, str],
    tell: Tell = tell_nobody,
) -> int:
    """Write the games of a file to `out` as a CSV file with every score, and return status 0.

    `-` is the standard input. The result is kept in a temporary file until the last line has been
    read, so that nothing is written when a line is wrong. Memory does not grow with the file,
    but with a game whose rows are sorted by player.
    `tell` is given sentences as by `read_games`. Raises `SheetError`, also for a file that cannot
    be read.
    """
    with tempfile.SpooledTemporaryFile(SMALL) as scored:
        with _opened(path) as source:
            for piece in in_pieces(read_scored(source, rules_key, changes, tell)):
                scored.write(piece)
        scored.seek(0)
        shutil.copyfileobj(scored, out, SMALL)
    out.flush()
    return 0


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        if sys.stdin is None:
            raise SheetError(None, _("No standard input to read."))
        yield sys.stdin.buffer
        return
    try:
        source = path.open("rb")
    except (OSError, ValueError) as error:
        sentence = _("Can’t read {path}: {reason}.")
        reason = getattr(error, "strerror", None) or error
        message = sentence.format(path=excerpt(str(path), 400), reason=reason)
        raise SheetError(None, message) from error
    with source:
        yield source
