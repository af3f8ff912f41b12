"""A round that is bid to the end, for the tests of its tricks."""

import pytest

from tests.web.checklist import VersionChecklist
from tests.web.play import Table

BIDS = (3, 2, "nil", 4)


class TricksChecklist(VersionChecklist):
    """The checklist of an address that takes tricks, once the bidding is over."""

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid_round(*BIDS)


@pytest.fixture
def playing(game: Table) -> Table:
    """The first round, bid to the end."""
    game.bid_round(*BIDS)
    return game


@pytest.fixture(scope="module")
def waiting(still: Table) -> Table:
    """The same, for counts that are refused."""
    still.bid_round(*BIDS)
    return still
