"""What the terminal shows at the start: a code to scan, one link, and how to stop."""

import io
import re
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli import startup_banner
from scorekeeper.cli.commands import scorekeeper
from scorekeeper.cli.startup_banner import show_banner
from scorekeeper.store.database.store import Store

JOIN = "/join/abcdefghjkmnpqrstvwxyz0123"
PUBLIC = "http://192.168.178.20:8000" + JOIN
HERE = "http://127.0.0.1:8000" + JOIN
NOTE = "Games are stored in /home/Zoë."
STOP = "Press Ctrl+C to stop."
SCAN, OPEN = "Scan to keep score", "Open this link to keep score"
HERE_ONLY = "Only this computer can open it. To let phones join, start without --host."
NO_NETWORK = "Phones can’t join yet: this computer isn’t connected to a network."


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
    monkeypatch.setattr(startup_banner, "lan_address", lambda: "192.168.178.20")


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
    assert shown(Terminal()) == [SCAN, "code", PUBLIC, "", f"{NOTE} {STOP}"]


def test_the_code_fits_in_a_window_of_the_usual_size() -> None:
    terminal = Terminal()
    show_banner("0.0.0.0", 8000, JOIN, NOTE, terminal)
    code = [line for line in terminal.getvalue().splitlines() if "\x1b[" in line]
    assert len(code) == 19
    assert {len(line) for line in code} == {37 + len("\x1b[97;40m\x1b[0m")}
    assert terminal.getvalue().count("\n") < 24


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
    assert shown(Terminal("ascii"))[-1] == f"Games are stored in /home/Zo?. {STOP}"


def test_behind_a_proxy_the_public_address_is_the_one_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOREKEEPER_URL", "https://spades.example/")
    link = "https://spades.example" + JOIN
    assert shown(Terminal(), "127.0.0.1") == [SCAN, "code", link, "", f"{NOTE} {STOP}"]


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
    monkeypatch.setattr(startup_banner, "lan_address", lambda: None)
    assert shown(Terminal(), host) == [OPEN, link, why, "", f"{NOTE} {STOP}"]


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize(
    ("words", "public", "base"),
    [
        ([], "", "http://192.168.178.20:8000"),
        (["--port", "8001"], "", "http://192.168.178.20:8001"),
        ([], "https://spades.example/", "https://spades.example"),
    ],
)
def test_a_new_link_has_the_address_that_the_banner_shows(
    monkeypatch: pytest.MonkeyPatch, words: list[str], public: str, base: str
) -> None:
    monkeypatch.setenv("SCOREKEEPER_URL", public)
    ended = CliRunner().invoke(scorekeeper, ["link", *words])
    assert re.fullmatch(rf"{base}/join/[0-9a-z]{{26}}\n", ended.stdout)
    assert ended.stderr == ""


@pytest.mark.usefixtures("games")
def test_a_new_link_that_no_phone_can_open_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup_banner, "lan_address", lambda: None)
    ended = CliRunner().invoke(scorekeeper, ["link"])
    assert ended.stdout.startswith("http://127.0.0.1:8000/join/")
    assert ended.stderr == f"{NO_NETWORK}\n"


@pytest.mark.parametrize(
    ("host", "base"),
    [("192.168.1.7", "http://192.168.1.7:8000"), ("2001:db8::7", "http://[2001:db8::7]:8000")],
)
def test_an_address_that_was_asked_for_is_shown(host: str, base: str) -> None:
    assert shown(Terminal(), host)[2] == base + JOIN


def test_without_a_note_it_says_only_how_to_stop() -> None:
    assert shown(Terminal(), note="")[-1] == STOP
