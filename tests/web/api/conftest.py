"""What the tests of the API start from: programs with a key, games on the way."""

from pathlib import Path

import pytest
from flask import Flask

from tests.web.api.caller import BIDS, TRICKS, Caller
from tests.web.play import Table


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a slow file where slow tests are: Schemathesis makes its requests on collection."""
    is_left_out = "not slow" in config.option.markexpr
    return True if is_left_out and collection_path.name == "test_schemathesis.py" else None


@pytest.fixture
def nobody(app: Flask) -> Caller:
    """A program with the key of a table where nothing has been played."""
    return Caller(app)


@pytest.fixture
def api(nobody: Caller) -> Caller:
    """A program before the first bid of a game of four."""
    assert nobody.start().status_code == 201
    return nobody


@pytest.fixture(scope="module")
def refused(still: Table) -> Caller:
    """A program before the first bid of a game, shared by tests of a file that see it refused."""
    program = Caller(still.app)
    assert program.start().status_code == 201
    return program


@pytest.fixture
def one_round(api: Caller) -> Caller:
    """A program after the first round; the game is at version 2."""
    api.play((BIDS, TRICKS))
    return api


@pytest.fixture
def guest(app: Flask) -> Caller:
    """A program with the key of another table."""
    return Caller(app)
