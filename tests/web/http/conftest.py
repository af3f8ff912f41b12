"""One server for the tests of a file."""

from tests.web.shared_server import app, database, shared_app

__all__ = ["app", "database", "shared_app"]
