"""One server for all tests of a file, each with a table of its own.

Starting a server takes longer than most tests of a page. A room's `conftest.py` imports these in
place of the fixtures of the same names; a test that changes its server is marked `own_server`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from tests.conftest import DATABASES, chosen, server

__all__ = ["app", "database", "shared_app"]


@pytest.fixture(scope="module", params=DATABASES)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """SQLite, or a schema without rows, for the tests of a file."""
    with chosen(request) as name:
        yield name


@pytest.fixture(scope="module")
def shared_app(
    tmp_path_factory: pytest.TempPathFactory,
    database: str,  # which the server opens
    compiled_templates: FileSystemBytecodeCache,
) -> Iterator[Flask]:
    """A server for the tests of a file."""
    with server(tmp_path_factory.mktemp("games"), compiled_templates) as app:
        yield app


@pytest.fixture
def app(
    request: pytest.FixtureRequest, data: Path, compiled_templates: FileSystemBytecodeCache
) -> Iterator[Flask]:
    """A server that may have been used by other tests, unless this one is to have its own."""
    if request.node.get_closest_marker("own_server") is None:
        yield request.getfixturevalue("shared_app")
    else:
        with server(data, compiled_templates) as app:
            yield app
