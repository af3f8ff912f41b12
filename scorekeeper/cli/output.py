"""The standard output of commands, and how they end where it cannot be written."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from typing import Any, BinaryIO, TextIO

from click.exceptions import Exit

from scorekeeper.cli.errors import Failure
from scorekeeper.i18n import gettext as _

BROKEN_PIPE = 141  # 128 + SIGPIPE, as a shell reports it


def standard_output() -> TextIO:
    """Return the standard output; raise `Failure` with status 2 where it is closed."""
    if sys.stdout is None:
        raise Failure(_("Standard output is closed."), 2)
    return sys.stdout


def checked_output() -> AbstractContextManager[object]:
    """Turn errors of the standard output, and of no other file, into a `Failure` with status 2.

    Where a reader such as `head` has gone, the command ends without a message.
    """
    out = sys.stdout
    if out is None:
        return nullcontext()
    return redirect_stdout(
        io.TextIOWrapper(
            _Checked(out.buffer), out.encoding, out.errors, line_buffering=bool(out.line_buffering)
        )
    )


class _Checked(io.BufferedIOBase):
    """A stream whose errors end the command."""

    name = "<stdout>"

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, data: Any) -> int:
        with self._errors_ending():
            return self._stream.write(data)

    def flush(self) -> None:
        with self._errors_ending():
            self._stream.flush()

    @contextmanager
    def _errors_ending(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # What is still buffered goes to the null device, so that the last flush cannot fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(error, BrokenPipeError):
                raise Exit(BROKEN_PIPE) from error
            sentence = _("Can’t write to standard output: {reason}.")
            raise Failure(sentence.format(reason=error.strerror or error), 2) from error
