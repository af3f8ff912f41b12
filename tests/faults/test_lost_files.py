"""Nothing that was acknowledged is lost where files of the database are lost below a server."""

from collections.abc import Callable

import pytest

from tests.faults.hosted import HostedInstallation
from tests.faults.kills import Installation
from tests.faults.ledger import Tale
from tests.faults.lost_files import LOSSES, Lose, lose_files, put_back

pytestmark = pytest.mark.sqlite

OpenInstallation = Callable[..., Installation]


@pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES.keys())
def test_phones_lose_nothing(open_installation: OpenInstallation, lose: Lose) -> None:
    tale = lose_files(open_installation(phones=2), 1, Tale("lost files"), lose)
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])


def test_phones_go_on_when_a_renamed_folder_is_back(open_installation: OpenInstallation) -> None:
    tale = put_back(open_installation(phones=2), 2, Tale("renamed folder"))
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])


@pytest.mark.parametrize("what", ["file deleted", "log deleted"])
def test_phones_of_two_workers_lose_nothing(open_installation: OpenInstallation, what: str) -> None:
    installation = open_installation(HostedInstallation, phones=2)
    tale = lose_files(installation, 1, Tale("lost files"), LOSSES[what])
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])
