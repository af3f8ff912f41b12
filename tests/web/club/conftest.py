"""Fixtures of club nights: a director whose evening is new, or runs."""

import pytest
from flask import Flask

from tests.web.club.evening import Director
from tests.web.club.slips import Evening

SHORT = {"book": "partnership", "length": "rounds", "rounds": "1"}


@pytest.fixture
def director(app: Flask) -> Director:
    """A director with four teams entered, in matches of one round."""
    director = Director(app)
    director.sit_down()
    assert director.set_up(**SHORT).status_code == 303
    return director


@pytest.fixture
def running(director: Director) -> Director:
    """The same, where the first match has started."""
    assert director.act("start").status_code == 303
    return director


@pytest.fixture
def evening(app: Flask) -> Evening:
    """An evening of four teams, whose first match runs at tables 1 and 2."""
    evening = Evening(app)
    evening.start(1)
    return evening
