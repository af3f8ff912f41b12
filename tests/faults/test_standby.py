"""What is said of a PostgreSQL server and its standby."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from scorekeeper import create_app
from scorekeeper.store.database import StoreRefused
from scorekeeper.store.games import Game, load_game
from tests import postgresql
from tests.store.play import Keeper
from tests.web.http.test_metrics import value

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]
PATIENCE = 20.0  # seconds


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(StoreRefused):  # the schema has not arrived
            if holds():
                return True
        time.sleep(0.1)
    return False


def test_primary_and_standby_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    postgresql.needs_postgresql()

    def health(url: str) -> tuple[int, str, float]:
        monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
        app = create_app(DATA=tmp_path, SECRET_KEY="x" * 32)
        answer = app.test_client().get("/healthz")
        is_primary = value(app, "database_primary", database="postgresql")
        for stop in app.extensions["on_stop"]:
            stop()
        app.extensions["store"].close()
        return answer.status_code, answer.text, is_primary

    with (
        postgresql.Cluster() as primary,
        postgresql.Cluster(standby_of=primary) as standby,
        postgresql.schema(primary.socket) as url,
    ):
        words = "ok\ndatabase: postgresql, primary\nstandby walreceiver: 0 bytes behind\n"
        assert eventually(lambda: health(url) == (200, words, 1))
        there = url.replace(quote(str(primary.socket)), quote(str(standby.socket)))
        assert eventually(lambda: health(there)[0] == 503)
        _status, sentence, is_primary = health(there)
        assert "it’s a read-only standby" in sentence
        assert is_primary == 0


def address_of(*servers: postgresql.Cluster) -> str:
    """Return the address that `scorekeeper deploy environment` prints for some servers."""
    hosts = ",".join(quote(str(one.socket)) for one in servers)
    return f"postgresql://scorekeeper@/postgres?host={hosts}&target_session_attrs=read-write"


class Machine:
    """A machine with the application, its data folder, and what the phones of it have."""

    def __init__(self, folder: Path, database: str) -> None:
        self.app = create_app(
            DATA=folder, SECRET_KEY="x" * 32, DATABASE=database, WTF_CSRF_ENABLED=False
        )
        self.store = self.app.extensions["store"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for stop in self.app.extensions["on_stop"]:
            stop()
        self.store.close()

    def phone(self, cookie: str) -> FlaskClient:
        phone = self.app.test_client()
        phone.set_cookie(self.app.config["SESSION_COOKIE_NAME"], cookie)
        return phone

    def visit(self, cookie: str, path: str = "/") -> tuple[int, str]:
        """Return the status that a phone gets, and its cookie after it."""
        phone = self.phone(cookie)
        status = phone.get(path).status_code
        kept = phone.get_cookie(self.app.config["SESSION_COOKIE_NAME"])
        assert kept is not None
        return status, kept.value

    def health(self) -> tuple[int, str]:
        answer = self.app.test_client().get("/healthz")
        return answer.status_code, answer.text

    def join(self) -> tuple[str, str]:
        """Return the table of a new phone and its cookie."""
        keeper = Keeper(self.store)
        serializer = self.app.session_interface.get_signing_serializer(self.app)
        return keeper.table_id, serializer.dumps({"phone": keeper.phone.id})


class FailedOver(NamedTuple):
    """A bid that only the promoted server has acknowledged, beside the old one, which runs again.

    The data folder of the machine and the cookie of its phone are those of after the bid.
    """

    old: postgresql.Cluster
    promoted: postgresql.Cluster
    folder: Path
    cookie: str
    game: Game


@pytest.fixture
def failed_over(tmp_path: Path) -> Iterator[FailedOver]:
    postgresql.needs_postgresql()
    with postgresql.Cluster() as old, postgresql.Cluster(standby_of=old) as promoted:
        folder = tmp_path / "before"
        with Machine(folder, address_of(old, promoted)) as machine:
            table_id, cookie = machine.join()
            _status, cookie = machine.visit(cookie)
            keeper = Keeper(machine.store, table_id=table_id)
            game = keeper.begin()
            machine.store.release()
            old.kill()
            promoted.promote()
            game = keeper.bid(game, 0, 3)
            machine.store.release()
            _status, cookie = machine.visit(cookie)
        old.start()
        yield FailedOver(old, promoted, folder, cookie, game)


def test_the_promoted_server_is_used_where_the_old_one_is_back(
    failed_over: FailedOver, tmp_path: Path
) -> None:
    old, promoted, _folder, cookie, game = failed_over
    for folder in (tmp_path / "before", tmp_path / "another"):
        with Machine(folder, address_of(old, promoted)) as machine:
            assert load_game(machine.store.db, game.table_id, game.id) == game
            machine.store.release()
            assert machine.visit(cookie, f"/games/{game.id}")[0] == 200
            assert machine.health()[0] == 200


def test_the_old_server_alone_is_refused(failed_over: FailedOver) -> None:
    old, promoted, folder, cookie, game = failed_over
    promoted.stop_at_once()
    with Machine(folder, address_of(old)) as machine:
        status, sentence = machine.health()
        assert status == 503
        assert re.search(r"older state .*\(timeline 1.*stop it and start the", sentence)
        phone = machine.phone(cookie)
        tap = phone.post(f"/games/{game.id}/rounds/1/sent", data={"seen": game.revision})
        assert tap.status_code == 503
        assert int(tap.headers["Retry-After"]) > 0


def test_a_phone_tells_a_new_machine_that_its_server_is_old(
    failed_over: FailedOver, tmp_path: Path
) -> None:
    old, promoted, _folder, cookie, game = failed_over
    promoted.stop_at_once()
    with Machine(tmp_path / "another", address_of(old)) as machine:
        assert machine.health()[0] == 200
        assert machine.visit(cookie, f"/games/{game.id}")[0] == 503
        # From now on nobody is answered, whoever asks.
        assert eventually(lambda: machine.health()[0] == 503)
        assert "older state of the games (timeline 1" in machine.health()[1]


def test_who_goes_back_on_purpose_says_so(failed_over: FailedOver) -> None:
    failed_over.promoted.stop_at_once()
    failed_over.old.execute("ALTER SYSTEM RESET synchronous_standby_names")
    failed_over.old.execute("SELECT pg_reload_conf()")
    with Machine(failed_over.folder, address_of(failed_over.old)) as machine:
        (statement,) = re.findall("COMMENT ON .*'", machine.health()[1])
        failed_over.old.execute(statement)
        game = failed_over.game
        assert eventually(lambda: machine.health()[0] == 200)
        assert machine.visit(failed_over.cookie, f"/games/{game.id}")[0] == 200


def test_a_server_that_lost_its_newest_changes_is_refused(tmp_path: Path) -> None:
    """As one whose disk was put back to a snapshot of the morning."""
    postgresql.needs_postgresql()
    with postgresql.Cluster() as server:
        with Machine(tmp_path, server.url) as machine:
            keeper = Keeper(machine.store)
            game = keeper.begin()
            machine.store.release()
            keeper.bid(game, 0, 3)
        server.execute(
            "SET session_replication_role = replica; DELETE FROM changes WHERE version > 1"
        )
        with Machine(tmp_path, server.url) as machine:
            assert re.search(r"change 1\) than seen before .*change 2", machine.health()[1])
