"""Opening the store that the settings name."""

import os
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.store.database import Store, StoreRefused

PREFIXES = ("postgresql://", "postgres://")


def database_url(url: str | None = None) -> str:
    """Return a database, by default SCOREKEEPER_DATABASE; empty where the data folder has one.

    Raises `StoreRefused` for one that is not PostgreSQL.
    """
    if url is None:
        url = os.environ.get("SCOREKEEPER_DATABASE", "")
    if url and not is_url(url):
        raise StoreRefused(_("SCOREKEEPER_DATABASE must start with postgresql://."))
    return url


def is_url(text: str) -> bool:
    """Return whether a text names a database on PostgreSQL."""
    return text.startswith(PREFIXES)


def open_store(
    folder: Path, *, check_later: bool = False, url: str | None = None, direct_url: str = ""
) -> Store:
    """Open the database that is named, by default in the settings, else the one in a data folder.

    Raises `StoreRefused` where it cannot be used.
    """
    if url := database_url(url):
        direct_url = direct_url or os.environ.get("SCOREKEEPER_DATABASE_DIRECT", "")
        return open_postgresql(url, folder, direct_url=direct_url, waits_long=not check_later)
    return Store(folder, check_later=check_later)


def open_postgresql(
    url: str, folder: Path, *, direct_url: str = "", waits_long: bool = False
) -> Store:
    """Open a database on PostgreSQL, with the options of `PostgresStore`.

    Raises `StoreRefused` where it cannot be used.
    """
    try:
        from scorekeeper.store.postgresql.store import PostgresStore
    except ImportError as error:
        sentence = _(
            "PostgreSQL needs a driver. "
            "Install it in the checkout with pip install -e '.[postgresql]'."
        )
        raise StoreRefused(sentence) from error
    return PostgresStore(url, folder, direct_url=direct_url, waits_long=waits_long)
