"""How commands fail: messages on the standard error and exit statuses."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click

from scorekeeper.i18n import gettext as _


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
    from scorekeeper.store.database.errors import StoreError
    from scorekeeper.store.database.store import StoreRefused

    try:
        yield
    except (ConfigError, StoreRefused) as error:
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
    from scorekeeper.store.database.store import require_database
    from scorekeeper.store.opening import database_url

    with errors_as_failures():
        if not database_url():
            with suppress(PermissionError):  # `data_folder` says so
                require_database(config.chosen_folder())
        yield config.data_folder()
