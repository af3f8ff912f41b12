"""`scorekeeper demo`: a table of example games that leaves nothing behind."""

import http.client
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from scorekeeper.cli import demo
from scorekeeper.cli.demo import add_example_games, fridays_before
from scorekeeper.rules.bidding import Nil
from scorekeeper.store.check import check
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, recent_games
from scorekeeper.store.tables import joined_phones, list_saved_rules, server_table
from tests.program import CHECKOUT, Program, clean_environment
from tests.web.page import Page

NOTE = "The games here are examples and go away when you stop. Press Ctrl+C to stop."
AT = datetime(2026, 11, 22, 14, 5).astimezone()  # a Sunday


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example games of a Sunday."""
    folder = tmp_path_factory.mktemp("examples")
    with Store(folder) as store:
        add_example_games(store, AT)
    return folder


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with Store(folder) as store:
        yield store


def table_of(store: Store) -> str:
    with store.write() as db:
        return server_table(db, AT)


def games_of(store: Store) -> list[Game]:
    return recent_games(store.db, table_of(store), 100)


# The games


def test_one_game_goes_on_in_round_four_and_forty_are_over(store: Store) -> None:
    newest, *others = games_of(store)
    assert (newest.state.phase, newest.state.number) == ("bidding", 4)
    assert len([bid for bid in newest.round(4).bids if bid is not None]) == 1
    assert [game.state.phase for game in others] == ["over"] * 40


def test_they_are_by_several_rule_books_for_three_to_five_of_six_players(store: Store) -> None:
    games = games_of(store)
    assert len({name for game in games for name in game.names}) == 6
    assert {len(game.names) for game in games} == {3, 4, 5}
    assert {game.rules.name for game in games} == {
        "Cutthroat Spades LITE", "Partnership to 250", "Partnership to 500",
        "Friday rules", "Short cutthroat",
    }  # fmt: skip


def test_the_house_rules_are_saved_and_the_phones_joined(store: Store) -> None:
    table_id = table_of(store)
    saved = [one.rules.name for one in list_saved_rules(store.db, table_id)]
    assert saved == ["Friday rules", "Short cutthroat"]
    phones = {phone.label for phone in joined_phones(store.db, table_id)}
    assert phones == {"Maya’s phone", "Theo’s phone"}


def test_they_were_played_on_fridays_of_the_past_months_and_one_just_now(store: Store) -> None:
    newest, *others = (datetime.fromisoformat(game.started) for game in games_of(store))
    assert AT - timedelta(minutes=30) < newest < AT
    assert datetime.fromisoformat(games_of(store)[0].changed) < AT
    assert {at.astimezone().weekday() for at in others} == {4}
    assert max(others) < newest
    assert AT - timedelta(days=150) < min(others) < AT - timedelta(days=120)


@pytest.mark.parametrize(
    ("at", "last"),
    [
        (datetime(2026, 11, 18, 9), "2026-11-13"),
        (datetime(2026, 11, 20, 23), "2026-11-13"),
        (datetime(2026, 11, 21, 0, 10), "2026-11-20"),
    ],
)
def test_the_last_evening_is_the_friday_before_today(at: datetime, last: str) -> None:
    fridays = fridays_before(at.astimezone())
    assert fridays[-1].isoformat().startswith(f"{last}T19:30")
    assert fridays == sorted(fridays)


def test_bids_are_made_about_as_often_as_at_a_real_table(store: Store) -> None:
    rounds = [round_ for game in games_of(store) for round_ in game.rounds if round_.tricks]
    pairs = [pair for round_ in rounds for pair in zip(round_.bids, round_.tricks, strict=True)]
    made = [tricks >= bid for bid, tricks in pairs if isinstance(bid, int)]
    nils = [tricks for bid, tricks in pairs if bid == Nil.NIL]
    assert 0.7 < sum(made) / len(made) < 0.9
    assert len(nils) > 20
    assert any(nils), "some Nil fails"
    assert max(len(game.rounds) for game in games_of(store)) < 20


def test_they_are_the_same_each_time(store: Store, tmp_path: Path) -> None:
    with Store(tmp_path) as other:
        add_example_games(other, AT + timedelta(days=40))
        again = {game.id: (game.names, game.rules, game.rounds) for game in games_of(other)}
    assert again == {game.id: (game.names, game.rules, game.rounds) for game in games_of(store)}


def test_nothing_is_wrong_with_them(folder: Path, store: Store) -> None:
    said = io.StringIO()
    assert check(folder, said, rebuild=False) == 0, said.getvalue()
    assert said.getvalue().startswith("Checked 41 games, 0 with errors.")


# The program


def demo_program(temporary: Path, own: Path) -> Program:
    return Program.from_checkout("demo", TMPDIR=str(temporary), SCOREKEEPER_DATA=str(own))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A demo, shared by tests that may only add phones to it."""
    temporary = tmp_path_factory.mktemp("temporary")
    with demo_program(temporary, temporary / "own") as program:
        yield program


class Browser:
    """A browser that keeps its cookie."""

    def __init__(self, address: str, **headers: str) -> None:
        self.host, self.headers = urlsplit(address).netloc, headers
        self.cookie = ""

    def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[int, Page | None]:
        """Return the status and the page of an answer."""
        method, body = ("POST", urlencode(fields)) if fields is not None else ("GET", None)
        headers = {"Cookie": self.cookie, "Accept-Language": "en", **self.headers}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(self.host, timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
            text = answer.read().decode()
            return answer.status, Page(text) if answer.status == 200 else None
        finally:
            connection.close()


@pytest.mark.slow
def test_the_first_page_leads_to_the_games(started: Program) -> None:
    browser = Browser(started.address)
    _status, page = browser.ask("/")
    assert page is not None
    form = page.form("/this-computer")
    assert browser.ask(form.action, form.fields) == (303, None)
    _status, page = browser.ask("/")
    assert page is not None
    assert "Continue round 4" in page.text


@pytest.mark.slow
def test_its_cookie_leaves_that_of_a_server_on_another_port_alone(started: Program) -> None:
    browser = Browser(started.address)
    browser.ask("/")
    assert browser.cookie.startswith("s-demo=")


@pytest.mark.slow
@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"])
def test_the_server_does_not_hide_that_a_proxy_stands_in_front(
    started: Program, header: str
) -> None:
    _status, page = Browser(started.address, **{header: "127.0.0.1"}).ask("/")
    assert page is not None
    assert [form.action for form in page.forms()] == ["/join"]  # where a link is pasted


@pytest.mark.slow
def test_at_the_end_nothing_is_left(tmp_path: Path) -> None:
    temporary, own = tmp_path / "temporary", tmp_path / "own"
    temporary.mkdir()
    with demo_program(temporary, own) as program:
        assert len(list(temporary.iterdir())) == 1
        assert program.stop(signal.SIGTERM) == 0
    assert NOTE in program.said
    assert program.complained.strip() == ""
    assert list(temporary.iterdir()) == []
    assert not own.exists()


@pytest.mark.slow
def test_an_impatient_end_leaves_nothing_either(tmp_path: Path) -> None:
    with demo_program(tmp_path, tmp_path / "own") as program:
        program.process.send_signal(signal.SIGINT)
        program.stop(signal.SIGINT)
    assert list(tmp_path.iterdir()) == []


def refused(temporary: Path, *options: str, **environment: str) -> str:
    """Return what a demo complains about that cannot start."""
    ended = subprocess.run(
        [sys.executable, "-m", "scorekeeper", "demo", "--host", "127.0.0.1", *options],
        cwd=CHECKOUT,
        env=clean_environment(TMPDIR=str(temporary), **environment),
        capture_output=True,
        encoding="utf-8",
        timeout=30,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert list(temporary.iterdir()) == []
    return ended.stderr


def test_a_busy_port_gives_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"Port {port} is already in use" in refused(tmp_path, "--port", str(port))


def test_a_bad_setting_gives_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    why = refused(tmp_path, SCOREKEEPER_URL="spades.example")
    assert why == "SCOREKEEPER_URL is spades.example. It must start with http:// or https://.\n"


@pytest.fixture
def handlers() -> Iterator[None]:
    """Signals are handled as in a terminal, and as before once the test is over."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_before_it_serves_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    def interrupted(*_arguments: object) -> None:
        assert len(list(tmp_path.iterdir())) == 1
        os.kill(os.getpid(), number)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(demo, "add_example_games", interrupted)
    with pytest.raises(KeyboardInterrupt):
        demo.serve_demo("127.0.0.1", 0, False, io.StringIO())
    assert list(tmp_path.iterdir()) == []
