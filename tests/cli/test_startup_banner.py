"""What the terminal shows at the start: a code to scan, links, and how to stop."""

import io
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper import __version__, addresses
from scorekeeper.addresses import Interface
from scorekeeper.cli import commands
from scorekeeper.cli.commands import scorekeeper
from scorekeeper.cli.serve import show_banner
from scorekeeper.store.database import Store

JOIN = "/join/abcdefghjkmnpqrstvwxyz0123"
PUBLIC = "http://192.168.178.20:8000" + JOIN
HERE = "http://127.0.0.1:8000" + JOIN
NOTE = "Games are stored in /home/Zoë."
PROGRAM = f"Scorekeeper {__version__}."
STOP = "Press Ctrl+C to stop."
LAST = f"{PROGRAM} {NOTE} {STOP}"
SCAN, OPEN = "Scan to keep score", "Open this link to keep score"
HERE_ONLY = (
    "Only this computer can open it. For other devices, start the server with --host 0.0.0.0."
)
NO_NETWORK = "Other devices can’t open it: this computer isn’t connected to a network."
ON_THIS_COMPUTER = "On this computer: http://localhost:8000"


class Terminal(io.StringIO):
    """A terminal of a given encoding that keeps what it shows."""

    def __init__(self, encoding: str = "utf-8", tty: bool = True) -> None:
        super().__init__()
        self._encoding, self._tty = encoding, tty

    @property
    def encoding(self) -> str:
        return self._encoding

    def isatty(self) -> bool:
        return self._tty

    def write(self, text: str) -> int:
        text.encode(self._encoding)
        return super().write(text)

    @property
    def lines(self) -> list[str]:
        """What it shows, with the lines of a code as one line `code`."""
        shown = ["code" if "\x1b[" in line else line for line in self.getvalue().splitlines()]
        return [line for line, _alike in groupby(shown)]


@pytest.fixture(autouse=True)
def house(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer in a network, without settings, with a window of the usual width."""
    monkeypatch.delenv("SCOREKEEPER_URL", raising=False)
    monkeypatch.setenv("COLUMNS", "80")


def connect(monkeypatch: pytest.MonkeyPatch, *interfaces: tuple[str, str]) -> None:
    """Give this computer other interfaces, each with a name and an address."""
    found = [Interface(*one) for one in interfaces]
    monkeypatch.setattr(addresses, "interfaces", lambda: found)


class Scorekeeper(BaseHTTPRequestHandler):
    """Answers as a server of ours does."""

    marks = True

    def do_GET(self) -> None:
        self.send_response(200)
        if self.marks:
            self.send_header("Scorekeeper", "0")
        self.end_headers()

    def log_message(self, *_words: object) -> None:
        pass


class Foreign(Scorekeeper):
    """Another program."""

    marks = False


def running(handler: type[Scorekeeper], host: str) -> Iterator[int]:
    server = HTTPServer((host, 0), handler)
    threading.Thread(target=server.serve_forever, args=[0.01]).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that runs on every address of this computer."""
    yield from running(Scorekeeper, "0.0.0.0")


@pytest.fixture
def local_port() -> Iterator[int]:
    """The port of a server that runs for this computer alone, where 127.0.0.2 is its network."""
    yield from running(Scorekeeper, "127.0.0.1")


@pytest.fixture
def foreign_port() -> Iterator[int]:
    yield from running(Foreign, "0.0.0.0")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder that a server has used."""
    for name in ("PORT", "SCOREKEEPER_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    Store(tmp_path).close()


def shown(terminal: Terminal, host: str = "0.0.0.0", note: str = NOTE) -> list[str]:
    show_banner(host, 8000, JOIN, note, terminal)
    return terminal.lines


def test_a_terminal_shows_a_code_and_its_link() -> None:
    assert shown(Terminal()) == [SCAN, "code", PUBLIC, ON_THIS_COMPUTER, LAST]


def test_below_a_vpn_the_code_has_the_local_network_and_the_tunnel_is_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect(monkeypatch, ("tun0", "10.8.0.2"), ("wlan0", "192.168.178.20"))
    other = f"or: http://10.8.0.2:8000{JOIN}"
    assert shown(Terminal())[1:5] == ["code", PUBLIC, other, ON_THIS_COMPUTER]


def test_no_more_than_three_addresses_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    connect(monkeypatch, *((f"eth{n}", f"10.0.{n}.1") for n in range(9)))
    assert sum(JOIN in line for line in shown(Terminal())) == 3


def test_the_code_fits_in_a_window_of_the_usual_size() -> None:
    terminal = Terminal()
    show_banner("0.0.0.0", 8000, JOIN, NOTE, terminal)
    code = [line for line in terminal.getvalue().splitlines() if "\x1b[" in line]
    assert len(code) == 19
    assert {len(line) for line in code} == {37 + len("\x1b[97;40m\x1b[0m")}
    assert terminal.getvalue().count("\n") < 24


def test_colors_are_left_out_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    show_banner("0.0.0.0", 8000, JOIN, NOTE, terminal)
    assert "█" in terminal.getvalue()
    assert "\x1b" not in terminal.getvalue()


@pytest.mark.parametrize(
    ("columns", "encoding", "tty", "has_code"),
    [
        ("80", "utf-8", True, True),
        ("37", "utf-8", True, True),
        ("36", "utf-8", True, False),
        ("80", "utf-8", False, False),
        ("80", "ascii", True, True),
        ("80", "cp1252", True, True),
        ("73", "latin-1", True, False),
        ("80", "ascii", False, False),
    ],
)
def test_a_code_is_shown_where_it_has_room(
    monkeypatch: pytest.MonkeyPatch, columns: str, encoding: str, tty: bool, has_code: bool
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    terminal = Terminal(encoding, tty)
    found = shown(terminal)
    assert found[0] == (SCAN if has_code else OPEN)
    assert ("code" in found) == has_code
    assert ("█" in terminal.getvalue()) == (has_code and encoding == "utf-8")
    assert PUBLIC in found
    assert STOP in found[-1]


def test_letters_that_the_terminal_lacks_become_question_marks() -> None:
    assert shown(Terminal("ascii"))[-1] == LAST.replace("ë", "?")


def test_behind_a_proxy_the_public_address_is_the_one_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOREKEEPER_URL", "https://spades.example/")
    link = "https://spades.example" + JOIN
    for host in ("127.0.0.1", "0.0.0.0"):
        assert shown(Terminal(), host) == [SCAN, "code", link, LAST]


@pytest.mark.parametrize(
    ("host", "link", "why"),
    [
        ("0.0.0.0", HERE, NO_NETWORK),
        ("::", HERE, NO_NETWORK),
        ("127.0.0.1", HERE, HERE_ONLY),
        ("::1", f"http://[::1]:8000{JOIN}", HERE_ONLY),
    ],
)
def test_it_says_when_no_phone_can_reach_it(
    monkeypatch: pytest.MonkeyPatch, host: str, link: str, why: str
) -> None:
    connect(monkeypatch)
    assert shown(Terminal(), host) == [OPEN, link, why, LAST]


# The command `link`


def link_printed(port: int) -> tuple[str, str]:
    ended = CliRunner().invoke(scorekeeper, ["link", "--port", str(port)])
    assert ended.exit_code == 0
    assert re.fullmatch(r"\S+/join/[0-9a-z]{26}\n", ended.stdout)
    return ended.stdout.partition("/join/")[0], ended.stderr.rstrip()


def connect_to_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have 127.0.0.2 stand for the local network, which a test must not ask."""
    connect(monkeypatch, ("eth0", "127.0.0.2"))
    monkeypatch.setattr(addresses, "ranked", lambda found: [one.address for one in found])


def keys(folder: Path) -> list[tuple[str, str]]:
    with Store(folder) as store:
        return store.db.execute("SELECT hash, ended FROM keys").fetchall()


@pytest.mark.usefixtures("games")
def test_a_new_link_has_the_first_address_where_the_server_answers(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    connect(monkeypatch)
    assert link_printed(port) == (f"http://127.0.0.1:{port}", NO_NETWORK)
    connect_to_loopback(monkeypatch)
    assert link_printed(port) == (f"http://127.0.0.2:{port}", "")


@pytest.mark.usefixtures("games")
def test_a_new_link_of_a_server_for_this_computer_alone_says_so(
    monkeypatch: pytest.MonkeyPatch, local_port: int
) -> None:
    connect_to_loopback(monkeypatch)
    assert link_printed(local_port) == (f"http://127.0.0.1:{local_port}", HERE_ONLY)


@pytest.mark.usefixtures("games")
def test_where_no_server_answers_no_link_is_made(tmp_path: Path, foreign_port: int) -> None:
    before = keys(tmp_path)
    ended = CliRunner().invoke(scorekeeper, ["link", "--port", str(foreign_port)])
    sentence = f"No server answers on port {foreign_port}. Start it first"
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert sentence in ended.stderr
    assert keys(tmp_path) == before


@pytest.mark.usefixtures("games")
def test_a_configured_address_is_that_of_the_link_wherever_the_server_listens(
    monkeypatch: pytest.MonkeyPatch, port: int, foreign_port: int
) -> None:
    monkeypatch.setenv("SCOREKEEPER_URL", "https://spades.example/")
    assert link_printed(port) == ("https://spades.example", "")
    base, warning = link_printed(foreign_port)
    assert base == "https://spades.example"
    assert warning.startswith(f"No server answers on port {foreign_port}.")


@pytest.mark.usefixtures("games")
def test_a_link_that_cannot_be_shown_leaves_the_last_one_valid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int
) -> None:
    connect(monkeypatch)
    link_printed(port)
    before = keys(tmp_path)

    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError("No space left on device")

    monkeypatch.setattr(commands, "standard_output", Full)
    ended = CliRunner().invoke(scorekeeper, ["link", "--port", str(port)])
    assert ended.exit_code != 0
    assert keys(tmp_path) == before


@pytest.mark.parametrize(
    ("host", "base"),
    [("192.168.1.7", "http://192.168.1.7:8000"), ("2001:db8::7", "http://[2001:db8::7]:8000")],
)
def test_an_address_that_was_asked_for_is_shown(host: str, base: str) -> None:
    assert shown(Terminal(), host)[2] == base + JOIN


def test_without_a_note_it_says_only_its_version_and_how_to_stop() -> None:
    assert shown(Terminal(), note="")[-1] == f"{PROGRAM} {STOP}"
