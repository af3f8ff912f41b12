"""The score keeper for Spades round a table: rules, store, pages and commands."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

__version__ = "0.1.0"


def create_app(**config: Any) -> "Flask":
    """Return the web application, its data folder opened.

    `config` overrides the settings; `DATA` names the data folder. Raises `ConfigError` or
    `StoreRefused` with a sentence when the folder or the database cannot be used.
    """
    # Flask is imported here, and not above, because scoring a sheet must start at once.
    from scorekeeper.web import make_app

    return make_app(**config)
