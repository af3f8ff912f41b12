"""The store, as the pages reach it."""

from flask import current_app
from sqlite_utils import Database

from scorekeeper.store.connection import Store


def store() -> Store:
    """Return the store of this application."""
    found: Store = current_app.extensions["store"]
    return found


def database() -> Database:
    """Return this thread's database connection, for reading."""
    return store().db
