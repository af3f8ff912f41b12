"""However the server ends, every acknowledged change is there once after the restart."""

import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.faults import planted
from tests.faults.hosted import HostedInstallation, kill_workers
from tests.faults.imports import kill_imports
from tests.faults.kills import Installation, kill, terminate
from tests.faults.ledger import Tale
from tests.faults.pairs import race
from tests.program import fetch

OpenInstallation = Callable[..., Installation]
KILLS, ENDS, PAIRS = 10, 5, 60
IMPORT_KILLS = 2
WORKER_KILLS = 3  # the last takes all of them


def assert_well(tale: Tale, times: int) -> None:
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])
    assert tale.times == times
    assert tale.acknowledged >= times


def test_kills_while_phones_record_lose_nothing(open_installation: OpenInstallation) -> None:
    assert_well(kill(open_installation(), KILLS, Tale("kill -9")), KILLS)


def test_the_end_by_a_signal_answers_what_was_begun(open_installation: OpenInstallation) -> None:
    assert_well(terminate(open_installation(), ENDS, Tale("SIGTERM")), ENDS)


def test_two_workers_of_a_host_lose_nothing_killed_or_ended(
    open_installation: OpenInstallation,
) -> None:
    installation = open_installation(HostedInstallation)
    assert_well(kill_workers(installation, WORKER_KILLS, Tale("kill -9 of workers")), WORKER_KILLS)
    assert_well(terminate(installation, 1, Tale("SIGTERM of their master")), 1)


def test_a_killed_import_is_finished_by_another_one_of_its_file(
    open_installation: OpenInstallation, tmp_path: Path
) -> None:
    tale = kill_imports(
        open_installation(phones=1), tmp_path, 60, IMPORT_KILLS, Tale("killed imports")
    )
    assert_well(tale, IMPORT_KILLS)


def test_a_request_of_which_a_part_was_sent_is_answered(
    open_installation: OpenInstallation,
) -> None:
    with open_installation(phones=1).start() as program:
        where = urlsplit(program.address)
        address = (str(where.hostname), int(where.port or 0))
        with socket.create_connection(address, timeout=10) as phone:
            phone.sendall(
                b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nrul"
            )
            assert fetch(f"{program.address}/healthz")[0] == 200
            program.process.terminate()
            # Reset, where the port was closed on a connection that still waited to be taken.
            with pytest.raises((ConnectionRefusedError, ConnectionResetError)):
                _connect_often(address)
            phone.sendall(b"es")
            assert phone.recv(100).startswith(b"HTTP/1.1 400")
        assert program.end() == 0


def test_two_servers_on_one_folder_keep_each_tap_once(open_installation: OpenInstallation) -> None:
    assert_well(race(open_installation(phones=1), PAIRS, Tale("two servers")), PAIRS)


def _connect_often(address: tuple[str, int]) -> None:
    while True:
        socket.create_connection(address, timeout=10).close()


# Each of these plants a fault, which the tests above must detect.


def test_an_acknowledgement_before_the_commit_is_seen(open_installation: OpenInstallation) -> None:
    installation = (
        open_installation()
    )  # the phones join a server without the fault, which might refuse them
    installation.server = planted.server(planted.EARLY)
    assert kill(installation, 20, Tale("early")).is_bad


def test_a_lost_lock_is_seen(open_installation: OpenInstallation) -> None:
    installation = open_installation(phones=1, server=planted.server(planted.UNLOCKED))
    tale = race(installation, PAIRS, Tale("unlocked"))
    assert any("503" in wrong for wrong in tale.wrong)


def test_an_end_that_answers_nothing_is_seen(open_installation: OpenInstallation) -> None:
    installation = open_installation(server=planted.server(planted.ABRUPT))
    assert any(
        "not answered" in wrong for wrong in terminate(installation, 20, Tale("abrupt")).wrong
    )


@pytest.mark.parametrize("what", ["lost", "doubled"])
def test_a_line_that_is_gone_or_there_twice_is_seen(
    open_installation: OpenInstallation, what: str
) -> None:
    installation, tale = open_installation(phones=1), Tale("by hand")
    game = installation.keepers[0].game
    begun = game.lines[0]
    game.lines[:] = [begun, begun._replace(version=2)] if what == "lost" else []
    game.acknowledged[:] = [0.0] * len(game.lines)
    tale.compare(installation.folder, installation.keepers)
    assert len(getattr(tale, what)) == 1
