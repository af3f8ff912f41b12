"""`score` and `stats` for people and for programs, and the progress of long work."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from scorekeeper.cli import output
from scorekeeper.cli.output import StatusLine
from scorekeeper.cli.tables import table
from scorekeeper.store.backup import back_up
from scorekeeper.store.check import check
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.restore import move, restore
from tests.cli.test_commands import Typed
from tests.program import CHECKOUT, clean_environment

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
GOLDEN = CHECKOUT / "tests" / "files" / "golden"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with games of two rule books."""
    made: Path = tmp_path_factory.mktemp("games")
    for name in ("lite-four", "partnership"):
        run(made, "import", str(GOLDEN / f"{name}.scored.csv"))
    return made


def run(folder: Path, *words: str) -> str:
    """Return what a command writes to a pipe."""
    status, said, complained = Typed(folder).run(*words)
    assert status == 0, complained
    return said


def run_in_terminal(folder: Path, *words: str) -> list[str]:
    """Return the lines that a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "scorekeeper", *words],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder)),
        stdout=theirs,
    ) as process:
        os.close(theirs)
        written = b"".join(read_all(ours))
    assert process.returncode == 0
    return written.decode().replace("\r\n", "\n").splitlines()


def read_all(file: int) -> Iterator[bytes]:
    """Yield what comes until the other end is closed, which Linux reports as an error."""
    try:
        while data := os.read(file, 65536):
            yield data
    except OSError:
        pass
    finally:
        os.close(file)


def test_a_person_sees_the_scores_as_a_table(folder: Path) -> None:
    lines = run_in_terminal(folder, "score", str(GOLDEN / "lite-four.csv"))
    assert lines[:5] == [
        "Cutthroat Spades LITE",
        "Round  Player  Bid  Tricks  Points  Bags  Total",
        "─────  ──────  ───  ──────  ──────  ────  ─────  ──────",
        "    1  North     3       3      30     0     30",
        "       East      2       4      22     2     22",
    ]
    assert sum(line.endswith("Winner") for line in lines) == 1


def test_tenths_are_shown_as_on_pages(folder: Path) -> None:
    words = ["score", str(GOLDEN / "call-break.csv"), "--rules", "call-break", "--format", "table"]
    assert "       South     2       1    −2.0     0   −2.0" in run(folder, *words).splitlines()


def test_several_games_are_several_tables(folder: Path) -> None:
    shown = run(folder, "score", str(GOLDEN / "several-games.csv"), "--format", "table")
    assert shown.count("Round  Player") == shown.count("\n\n") + 1 == 4


def test_json_has_the_columns_with_numbers_and_names_as_they_are(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("round,player,bid,tricks\n1,'=Ana,nil,0\n1,Ben,5,6\n1,Cy,4,4\n", "utf-8")
    rows = json.loads(run(tmp_path, "score", str(sheet), "--format", "json"))
    assert [(row["player"], row["bid"], row["total"]) for row in rows] == [
        ("=Ana", "nil", 50),
        ("Ben", 5, 51),
        ("Cy", 4, 40),
    ]
    assert rows[0]["outcome"] is None
    assert rows[0]["bags"] == 0


def test_a_person_sees_what_the_page_of_players_compares(folder: Path) -> None:
    header, _rule, first, *_others = run_in_terminal(folder, "stats")
    assert header.split()[:4] == ["Player", "Games", "Won", "Luck"]
    assert first.split()[1] == "2"


def test_a_program_gets_a_row_for_each_player_and_rule_book(folder: Path) -> None:
    rows = run(folder, "stats", "--rules", "partnership").splitlines()
    assert rows[0].startswith("player,rules,sides,begun,games,wins,luck,ahead,beaten,places,rounds")
    assert len(rows) == 5
    assert rows == run(folder, "stats", "--rules", "partners").splitlines()
    found = json.loads(run(folder, "stats", "--format", "json"))
    assert {row["rules"] for row in found} == {"cutthroat-lite", "partnership"}


def test_a_server_without_players_has_no_statistics(tmp_path: Path) -> None:
    run(tmp_path, "import", str(GOLDEN / "lite-four.csv"))
    other = ["stats", "--rules", "convention", "--format"]
    assert run(tmp_path, *other, "json") == "[]\n"
    assert run(tmp_path, *other, "csv").count("\n") == 1
    assert run(tmp_path, *other, "table").startswith("Player")


@pytest.mark.parametrize("words", [["--rules", "poker"], ["--table", "nobody’s"]])
def test_unknown_rules_and_tables_are_refused(folder: Path, words: list[str]) -> None:
    assert Typed(folder).run("stats", *words)[0] == 2


@pytest.mark.parametrize(
    "words",
    [["--sides", "3"], ["--since", "2999-01-01"], ["--until", "2000-01-01"]],
)
def test_statistics_are_those_of_the_chosen_games(folder: Path, words: list[str]) -> None:
    assert run(folder, "stats", "--format", "json", *words) == "[]\n"


@pytest.mark.parametrize("form", ["csv", "json"])
def test_games_since_a_day_are_exported(folder: Path, form: str) -> None:
    assert run(folder, "export", f"--{form}", "--since", "2000-01-01") == run(
        folder, "export", f"--{form}"
    )
    assert "North" not in run(folder, "export", f"--{form}", "--since", "2999-01-01")
    assert "North" not in run(folder, "export", f"--{form}", "--until", "2000-01-01")
    assert "North" in run(folder, "export", f"--{form}", "--until", "2999-01-01")


def test_games_of_a_rule_book_are_exported(folder: Path) -> None:
    lines = run(folder, "export", "--games", "--rules", "partnership").splitlines()[1:]
    assert lines
    assert all("Partnership" in line for line in lines)
    status, _said, complained = Typed(folder).run("export", "--rules", "whist")
    assert status == 2
    assert "whist" in complained


@pytest.mark.parametrize("day", ["yesterday", "31.1.2026", "2026-02-30", ""])
def test_a_day_that_is_none_is_refused_with_an_example(folder: Path, day: str) -> None:
    status, _said, complained = Typed(folder).run("export", "--since", day)
    assert status == 2
    assert f"{day!r} isn’t a day such as 2026-01-31" in complained


def test_letters_that_take_two_columns_or_none_are_aligned() -> None:
    lines = table(
        [["Name", "n"], ["राम", "1"], ["日本", "20"], ["A", "3"]], texts=(0,)
    ).splitlines()
    assert lines == ["Name   n", "────  ──", "राम    1", "日本  20", "A      3"]


def seen(monkeypatch: pytest.MonkeyPatch, written: list[str]) -> None:
    """Make the standard error a terminal that keeps what is written; each look takes a second."""

    class Terminal:
        write = staticmethod(written.append)
        flush = staticmethod(lambda: None)
        isatty = staticmethod(lambda: True)

    seconds = count()
    monkeypatch.setattr("sys.stderr", Terminal)
    monkeypatch.setattr(output.time, "monotonic", lambda: next(seconds))


def test_progress_is_shown_in_a_terminal_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    seen(monkeypatch, written)
    pieces = [b"ab", b"cde", b"f"]
    assert list(output.progress(pieces, "{} bytes".format, len)) == pieces
    assert written == ["\r\x1b[K5 bytes", "\r\x1b[K6 bytes", "\r\x1b[K"]


@pytest.mark.sqlite
def test_check_restore_and_move_tell_how_many_games_were_checked(
    folder: Path, tmp_path: Path
) -> None:
    told: list[str] = []

    def tell(sentence: Callable[[], str]) -> None:
        told.append(sentence())

    assert check(folder, io.StringIO(), tell) == 0
    assert told.pop() == "2 games checked"
    back_up(folder / FILE, tmp_path / "copy.db")
    (tmp_path / "new").mkdir()
    restore(tmp_path / "new", tmp_path / "copy.db", tell)
    assert told.pop() == "2 games checked"
    (tmp_path / "other").mkdir()
    with Store(folder) as source, Store(tmp_path / "other") as target:
        move(source, target, tell)
    assert "2 games checked" in told


def test_lines_stand_above_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    seen(monkeypatch, written)
    with StatusLine() as line:
        out = io.StringIO()
        line.show(lambda: "")
        line.show(lambda: "half")
        print("A fault", file=line.above(out))
    assert out.getvalue() == "A fault\n"
    shown = written.index("\r\x1b[Khalf")
    assert written[shown + 1] == "\r\x1b[K", "it is removed before the line"


def test_progress_is_not_written_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(output.progress([1, 2], str)) == [1, 2]
    assert capsys.readouterr().err == ""
