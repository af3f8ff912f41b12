"""How commands write and fail: the standard output, messages on standard error, exit statuses."""

import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, Self, TextIO, TypeVar

import click
from click.exceptions import Exit

from scorekeeper.i18n import gettext as _

T = TypeVar("T")
ERASED = "\r\x1b[K"  # the line of the cursor


class Failure(click.ClickException):
    """End the command with a message, shown as it is, and an exit status."""

    def __init__(self, message: object, exit_code: int = 1) -> None:
        super().__init__(str(message))
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it for the class alone

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message to the standard error."""
        print(self.message, file=file or sys.stderr)


@contextmanager
def errors_as_failures() -> Iterator[None]:
    """Turn errors of the settings, the data folder and the database into a `Failure`, status 1."""
    from scorekeeper.config import ConfigError
    from scorekeeper.store.connection import StoreError, StoreLost
    from scorekeeper.store.database import StoreRefused

    try:
        yield
    except (ConfigError, StoreRefused, StoreLost) as error:
        raise Failure(error) from error
    except StoreError as error:
        sentence = _("Can’t read or write the database: {reason}. Nothing was changed.")
        raise Failure(sentence.format(reason=error)) from error


@contextmanager
def data_folder() -> Iterator[Path]:
    """Provide the data folder, and turn errors of the block into failures."""
    from scorekeeper import config

    with errors_as_failures():
        yield config.data_folder()


@contextmanager
def used_data_folder() -> Iterator[Path]:
    """Provide the data folder as `data_folder` does; fail where it has no database."""
    from scorekeeper import config
    from scorekeeper.store.database import require_database
    from scorekeeper.store.opening import database_url

    with errors_as_failures():
        if not database_url():
            with suppress(PermissionError):  # `data_folder` says so
                require_database(config.chosen_folder())
        yield config.data_folder()


@contextmanager
def found_data_folder(tell: Callable[[str], object]) -> Iterator[Path]:
    """Provide the data folder as `data_folder` does, and tell where it gets its first database.

    Fail where SCOREKEEPER_DATA names a folder that does not exist: it may be misspelt.
    """
    from scorekeeper import config
    from scorekeeper.store.database import FILE, require_database
    from scorekeeper.store.opening import database_url

    folder = config.chosen_folder()
    if not database_url() and "SCOREKEEPER_DATA" in os.environ and not folder.exists():
        with errors_as_failures():
            require_database(folder)
    with data_folder() as folder:
        is_new = not (database_url() or (folder / FILE).exists())
        yield folder
        if is_new:
            tell(_("The games are in a new database in {folder}.").format(folder=folder))


class StatusLine:
    """How much of a long work is done, in a line that is removed at the end of the block.

    It is shown on the standard error if that is a terminal, after a second and then twice a second.
    """

    def __init__(self) -> None:
        self._is_seen = sys.stderr is not None and sys.stderr.isatty()
        self._due = time.monotonic() + 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._write("")

    def above(self, out: TextIO) -> "Above":
        """Return a stream for lines that are written while the work goes on."""
        return Above(out, self.clear)

    def clear(self) -> None:
        """Remove the line until it is shown again."""
        self._write("")

    def show(self, sentence: Callable[[], str]) -> None:
        """Show a sentence if it is time for another one."""
        if time.monotonic() > self._due:
            self._write(sentence())
            self._due = time.monotonic() + 0.5

    def _write(self, sentence: str) -> None:
        if self._is_seen:
            sys.stderr.write(f"{ERASED}{sentence}")
            sys.stderr.flush()


class Above:
    """A stream that removes a status line before each text, which would stand behind it."""

    def __init__(self, out: TextIO, clear: Callable[[], None]) -> None:
        self._out, self._clear = out, clear

    def write(self, text: str) -> int:
        self._clear()
        return self._out.write(text)


def progress(
    items: Iterable[T], sentence: Callable[[int], str], size: Callable[[T], int] = lambda _item: 1
) -> Iterator[T]:
    """Yield items, and show in a status line how many there were.

    `sentence` is given the sum of the items' sizes, their number by default.
    """
    done = 0
    with StatusLine() as line:
        for item in items:
            yield item
            done += size(item)
            line.show(partial(sentence, done))


BROKEN_PIPE = 141  # 128 + SIGPIPE, as a shell reports it


def standard_output() -> TextIO:
    """Return the standard output; raise `Failure` with status 2 where it is closed."""
    if sys.stdout is None:
        raise Failure(_("Standard output is closed."), 2)
    return sys.stdout


@contextmanager
def checked_output() -> Iterator[None]:
    """Turn errors of the standard output, and of no other file, into a `Failure` with status 2.

    Where a reader such as `head` has gone, the command ends without a message.
    """
    out = sys.stdout
    if out is None:
        yield
        return
    # Closed at the end, which leaves the standard output open: a finalizer could come too late.
    with (
        io.TextIOWrapper(
            _Checked(out.buffer), out.encoding, out.errors, line_buffering=bool(out.line_buffering)
        ) as checked,
        redirect_stdout(checked),
    ):
        yield


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
