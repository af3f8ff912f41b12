"""The store, as the pages reach it."""

from flask import Flask, current_app
from sqlite_utils import Database

from scorekeeper.store.connection import Store


def store() -> Store:
    """Return the store of this application."""
    found: Store = current_app.extensions["store"]
    return found


def database() -> Database:
    """Return the database connection of this request, for reading."""
    return store().db


def init_app(app: Flask) -> None:
    """Give a request's connection back at its end, so that a few serve all threads."""
    app.teardown_request(lambda _error: store().release())
