"""The score keeper for Spades round a table: rules, store, pages and commands."""

import gc
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from scorekeeper.version import __version__ as __version__

if TYPE_CHECKING:
    from flask import Flask


def create_app(test_config: Mapping[str, Any] | None = None, **settings: Any) -> "Flask":
    """Return the web application, its data folder opened.

    Settings of a mapping or by name override those of the environment, without SCOREKEEPER_ before
    them: `create_app({"TESTING": True}, DATA=folder)`. `DATA` names the data folder, which is
    `app.instance_path`. Raises `ConfigError` or `StoreRefused` with a sentence where a setting, the
    folder or the database cannot be used. Under `flask run` it prints a join link.
    """
    # Flask is imported here, and not above, because scoring a sheet must start at once.
    from scorekeeper.web import make_app

    app = make_app({**(test_config or {}), **settings})
    _freeze_loaded()
    if address := _address_of_flask_run():
        from scorekeeper.cli.serve import show_for_flask

        show_for_flask(app, *address)
    return app


@cache
def _freeze_loaded() -> None:
    """Leave what is loaded out of garbage collection, which would hold up taps for 0.1 s."""
    gc.freeze()


def _address_of_flask_run() -> tuple[str, int] | None:
    """Return host and port of `flask run`, if that creates the application and for the first time.

    With --debug it starts itself again after each change, and a new link would end the last one.
    """
    import click
    from flask.cli import run_command
    from werkzeug.serving import is_running_from_reloader

    command = click.get_current_context(silent=True)
    if command is None or command.command is not run_command or is_running_from_reloader():
        return None
    return command.params["host"], command.params["port"]
