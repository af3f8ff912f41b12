"""`backup`, `restore`, `check`, `export` and `import`, as people type them."""

import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click
import pytest
from click.testing import CliRunner

from scorekeeper import i18n
from scorekeeper.cli.commands import scorekeeper
from scorekeeper.cli.games import import_games
from scorekeeper.cli.main import main
from scorekeeper.cli.output import Failure
from scorekeeper.store.connection import StoreBusy
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.restore import move
from tests.program import CHECKOUT, Program, clean_environment
from tests.store.play import Keeper
from tests.store.test_check import NOTHING_FOUND
from tests.web.play import Table

SHEET = "game,round,player,bid,tricks\n" + "".join(
    f"{game},1,{name},{bid},{tricks}\n"
    for game in ("a", "b")
    for name, bid, tricks in (
        ("Ana", 3, 3),
        ("Ben", ord(game) - 95, 4),
        ("Cy", "nil", 0),
        ("Dana", 4, 3),
    )
)


def checked(games: int) -> str:
    """Return what `check` says where it finds nothing wrong."""
    return f"Checked {games} games, 0 with errors.\n{NOTHING_FOUND}\n"


@contextmanager
def standard_input(text: str) -> Iterator[None]:
    """Give a text to whatever reads the standard input of this process within a block."""
    usual = os.dup(0)
    with TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(usual, 0)
            os.close(usual)


class Typed:
    """The command line with a data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *words: object) -> list[str]:
        return [sys.executable, "-m", "scorekeeper", *map(str, words)]

    @property
    def environment(self) -> dict[str, str]:
        return clean_environment(SCOREKEEPER_DATA=str(self.folder))

    def run(self, *words: object, stdin: str = "", language: str = "en") -> tuple[int, str, str]:
        """Run a command in this process, and return its status, output and complaints."""
        settings = {"SCOREKEEPER_DATA": str(self.folder), "LANGUAGE": language}
        runner = CliRunner(env=settings)
        with standard_input(stdin), runner.isolation() as (said, complained, _both):
            status = main([str(word) for word in words])
            sys.stdout.flush()
            sys.stderr.flush()
        i18n.set_language("en")
        return (
            status,
            said.getvalue().decode().replace("\r\n", "\n"),
            complained.getvalue().decode(),
        )

    def run_process(self, *words: object, **environment: str) -> tuple[int, str, str]:
        """Run a command in a process of its own, with the same result as `run`."""
        ended = subprocess.run(
            self.command(*words),
            cwd=CHECKOUT,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
        return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """An empty folder."""
    return Typed(tmp_path / "house")


@pytest.fixture
def used(typed: Typed) -> Typed:
    """A folder without games, in which a server has started."""
    return started(typed.folder)


def started(folder: Path) -> Typed:
    """Return a new folder in which a server has started."""
    folder.mkdir()
    Store(folder).close()
    return Typed(folder)


@pytest.fixture
def filled(used: Typed) -> Typed:
    """A folder with two games."""
    assert used.run("import", "-", stdin=SHEET) == (0, "Imported 2 games.\n", "")
    return used


def test_an_import_makes_no_database_where_a_misspelt_folder_would_be(typed: Typed) -> None:
    status, said, complained = typed.run("import", "-", stdin=SHEET)
    assert (status, said) == (1, "")
    assert f"There’s no database in {typed.folder}." in complained
    assert not typed.folder.exists()


def test_an_import_tells_of_a_new_database(typed: Typed) -> None:
    typed.folder.mkdir()
    told = f"The games are in a new database in {typed.folder}.\n"
    assert typed.run("import", "-", stdin=SHEET) == (0, "Imported 2 games.\n", told)


def test_a_sheet_comes_in_once(filled: Typed) -> None:
    said = (0, "Imported 0 games. 2 were already here.\n", "")
    assert filled.run("import", "-", stdin=SHEET) == said
    assert filled.run("check") == (0, checked(2), "")


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_everything_goes_out_and_comes_in(filled: Typed, tmp_path: Path, kind: str) -> None:
    status, everything, _said = filled.run("export", f"--{kind}")
    assert status == 0
    assert filled.run("export", "-", f"--{kind}") == (0, everything, "")
    file = tmp_path / f"games.{kind}"
    assert filled.run("export", file)[0] == 0
    assert file.read_text("utf-8") == everything
    other = started(tmp_path / "other")
    assert other.run("import", file)[1] == "Imported 2 games.\n"
    assert other.run("export", f"--{kind}")[1] == everything


@pytest.mark.parametrize(("language", "separator"), [("en", ","), ("de", ";"), ("hi", ",")])
def test_excel_gets_the_mark_and_the_separator_that_it_expects(
    filled: Typed, tmp_path: Path, language: str, separator: str
) -> None:
    plain, file = filled.run("export")[1], tmp_path / "games.csv"
    assert filled.run("export", "--excel", file, language=language)[0] == 0
    text = file.read_text("utf-8")
    assert text[0] == "\ufeff"
    rows = csv.reader(io.StringIO(text[1:], newline=""), delimiter=separator, strict=True)
    assert list(rows) == list(csv.reader(io.StringIO(plain, newline=""), strict=True))
    other = started(tmp_path / "other")
    assert other.run("import", file)[::2] == (0, "")
    assert other.run("export")[1] == plain


def test_a_pipe_is_written_to_and_not_replaced(filled: Typed, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, encoding="utf-8") as reader:
        assert filled.run("export", pipe)[0] == 0
        assert reader.communicate(timeout=30)[0] == filled.run("export")[1]
    assert pipe.is_fifo()


def test_an_import_tells_of_a_forgotten_row_and_takes_the_game(used: Typed) -> None:
    head, *rows = SHEET.splitlines(keepends=True)[:5]
    sheet = "".join([head, *rows, "a,2,Ana,3,3\na,2,Ben,2,4\na,2,Cy,3,3\n"])
    status, said, why = used.run("import", "-", stdin=sheet)
    assert (status, said) == (0, "Imported 1 game.\n")
    assert why.startswith("line 6: Round 2 has no row for Dana. If Dana left, write left=yes")
    exported = used.run("export", "--csv")[1]
    assert used.run("import", "-", stdin=exported)[::2] == (0, "")


def test_an_import_tells_what_is_read_otherwise_than_it_stands(used: Typed) -> None:
    sheet = "Our evening\n" + "".join(SHEET.splitlines(keepends=True)[:5]) + ",,Total,,10\n"
    assert used.run("import", "-", stdin=sheet) == (
        0,
        "Imported 1 game.\n",
        "line 1: This row is skipped: “Our evening”.\nline 7: This row is skipped: “Total”.\n",
    )
    twice = sheet + sheet.split("\n", 2)[2].replace("a,1", "b,1")
    assert "This game is the same as the one at line 3." in used.run("import", "-", stdin=twice)[2]


def test_a_bad_line_is_named_and_nothing_taken_in(filled: Typed) -> None:
    status, said, why = filled.run("import", "-", stdin=SHEET + "c,1,Ana,3,3\nc,1,Ben,x,7\n")
    assert (status, said) == (2, "")
    assert why.startswith("line 11: ")
    assert why.endswith("Nothing was imported.\n")
    assert filled.run("check")[1] == checked(2)


def test_an_unknown_table_or_file_is_refused(filled: Typed) -> None:
    assert "nowhere" in filled.run("import", "-", "--table", "nowhere", stdin=SHEET)[2]
    assert "Can’t read" in filled.run("import", "nothing.csv")[2]


def test_backup_and_restore(filled: Typed, tmp_path: Path) -> None:
    before = filled.run("export", "--json")[1]
    status, path, _ = filled.run("backup", tmp_path / "copy.db")
    assert (status, path) == (0, f"{tmp_path / 'copy.db'}\n")
    filled.run("import", "-", stdin=SHEET.replace("Ana", "Anna"))
    assert filled.run("export", "--json")[1] != before
    status, said, _ = filled.run("restore", tmp_path / "copy.db")
    assert status == 0
    assert said.startswith("Restored 2 games from ")
    assert filled.run("export", "--json")[1] == before


def test_a_backup_without_a_name_goes_beside_the_games(filled: Typed) -> None:
    status, path, _ = filled.run("backup")
    assert status == 0
    assert Path(path.strip()).parent == filled.folder / "backups"


@pytest.mark.slow
def test_nothing_is_restored_under_a_server_that_runs(filled: Typed) -> None:
    path = filled.run("backup")[1].strip()
    with Program.from_checkout(SCOREKEEPER_DATA=str(filled.folder)):
        status, _, why = filled.run("restore", path)
    assert status == 1
    assert "Stop it and restore again" in why


@pytest.mark.parametrize("words", [["backup"], ["export"], ["move", "elsewhere"]], ids=" ".join)
@pytest.mark.parametrize("exists", [False, True], ids=["no folder", "an empty folder"])
def test_a_folder_without_games_is_named_and_stays_so(
    typed: Typed, words: list[str], exists: bool
) -> None:
    if exists:
        typed.folder.mkdir()
    status, said, why = typed.run(*words)
    assert (status, said) == (1, "")
    assert why.startswith(f"There’s no database in {typed.folder}. Start the server first")
    assert list(typed.folder.parent.rglob("*")) == [typed.folder] * exists


@pytest.mark.parametrize("command", ["backup", "check", "export", "link"])
def test_games_that_are_gone_are_missed_by_every_command(filled: Typed, command: str) -> None:
    (filled.folder / FILE).unlink()
    assert f"{FILE} is missing, but it used to contain games" in filled.run(command)[2]


def test_a_move_tells_how_far_it_is(filled: Typed, tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "new").mkdir()
    with Store(filled.folder) as source, Store(tmp_path / "new") as target:
        move(source, target, lambda sentence: told.append(sentence()))
    assert told[0] == "2 games checked"
    assert "Copying “changes”" in told


def test_a_move_to_postgresql_blames_no_setting(filled: Typed) -> None:
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    status, _said, complained = filled.run("move", f"postgresql:///games?host={filled.folder}")
    assert status == 1
    assert complained.startswith("Can’t use the PostgreSQL database: ")
    assert "SCOREKEEPER_DATABASE" not in complained


def test_games_move_to_another_folder(filled: Typed, tmp_path: Path) -> None:
    status, said, why = filled.run("move", tmp_path / "new" / "house")
    assert (status, said.partition("\n")[0], why) == (0, "Moved 2 games.", "")
    assert Typed(tmp_path / "new" / "house").run("check") == (0, checked(2), "")


def test_a_key_in_the_target_is_never_replaced(filled: Typed, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    for folder, key in ((filled.folder, "k" * 40), (new, "n" * 40)):
        (folder / "secret_key").write_text(key)
        (folder / "secret_key").chmod(0o600)
    status, said, why = filled.run("move", new)
    assert (status, said) == (1, "")
    assert why.startswith(f"{new}/secret_key isn’t the secret key of these games")
    assert (new / "secret_key").read_text() == "n" * 40


def test_a_move_says_where_the_dated_backups_stay(filled: Typed, tmp_path: Path) -> None:
    filled.run("backup")
    stay = f"The dated backups stay in {filled.folder / 'backups'}.\n"
    assert filled.run("move", tmp_path / "new") == (0, f"Moved 2 games.\n{stay}", "")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("mysql://db1/games", "The target must be a folder, or start with postgresql://."),
        ("{}/file", "Can’t store games in {}/file: Not a directory."),
        ("{}/file/below", "Can’t store games in {}/file/below: Not a directory."),
        ("{}/file/../house", "The games are already in {}/file/../house."),
    ],
)
def test_a_target_that_takes_no_games_is_refused_in_a_sentence(
    filled: Typed, tmp_path: Path, target: str, reason: str
) -> None:
    (tmp_path / "file").write_text("")
    there = sorted(tmp_path.rglob("*"))
    said = (1, "", reason.format(tmp_path) + "\n")
    assert filled.run("move", target.format(tmp_path)) == said
    assert sorted(tmp_path.rglob("*")) == there


def test_check_names_what_is_wrong(filled: Typed) -> None:
    db = sqlite3.connect(filled.folder / FILE)
    db.execute("UPDATE results SET points = 7 WHERE seat = 0")
    db.commit()
    db.close()
    status, said, _ = filled.run("check")
    assert status == 1
    assert said.count("round 1: its results don’t match") == 2
    assert filled.run("check", "--rebuild")[0] == 0
    assert filled.run("check")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("words", [("backup", "copy.db"), ("export", "all.json")])
def test_a_killed_command_leaves_no_half_file(filled: Typed, tmp_path: Path, words: tuple) -> None:
    target = [tmp_path / word if "." in word else word for word in words]
    for pause in (0.2, 0.3):
        _kill(filled, pause, *target)
    for path in [*tmp_path.glob("copy.db"), *(filled.folder / "backups").glob("s*.db")]:
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for path in tmp_path.glob("all.json"):
        assert path.read_text().endswith("]}\n")
    assert filled.run(*target)[0] == 0
    assert not list(filled.folder.rglob("*.part"))


@pytest.mark.slow
def test_a_killed_import_is_told_and_finished_by_another(filled: Typed, tmp_path: Path) -> None:
    rows = "".join(
        f"g{n},2025-01-01T{n // 60:02}:{n % 60:02}:00Z,1,{name},{tricks},{tricks}\n"
        for n in range(400)
        for name, tricks in (("Ana", 3), ("Ben", 4), ("Cy", 3))
    )
    file = tmp_path / "many.csv"
    file.write_text("game,started,round,player,bid,tricks\n" + rows)
    for pause in (0.4, 0.6):
        _kill(filled, pause, "import", file)
        status, said, _ = filled.run("check")
        assert status == 0
        assert "The import of many.csv" in said or said in (checked(2), checked(402))
    filled.run("import", file)
    assert filled.run("check")[1] == checked(402)


def test_a_command_that_finds_a_forged_journal_imports_nothing(typed: Typed, filled: Typed) -> None:
    file = json.loads(filled.run("export", "--json")[1])
    file["games"][-1]["changes"].pop()
    status, _said, why = filled.run("import", "-", stdin=json.dumps(file))
    assert status == 2
    assert why == "A game’s change log doesn’t match its rounds. Nothing was imported.\n"


@pytest.mark.parametrize(
    ("error", "status", "first"),
    [(KeyboardInterrupt(), 130, ""), (StoreBusy("database is locked"), 1, "database is locked\n")],
)
def test_an_import_that_ends_early_says_how_to_go_on(
    filled: Typed,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
    first: str,
) -> None:
    def fail(*_given: object) -> None:
        raise error

    monkeypatch.setenv("SCOREKEEPER_DATA", str(filled.folder))
    monkeypatch.setattr("scorekeeper.cli.games.add_in_steps", fail)
    with pytest.raises(Failure) as failed:
        import_games(io.BufferedReader(io.BytesIO(SHEET.encode())), None, None)
    again = "The import isn’t finished. Import the file again: nothing is added twice."
    assert (str(failed.value), failed.value.exit_code) == (first + again, status)


def test_the_name_of_an_unfinished_file_can_be_shown(
    filled: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[2J" + b"x" * 200 + b".csv"
    Path(os.fsdecode(path)).write_text(SHEET.replace("Dana", "Eve"))
    labels = []

    def fail(*given: object) -> None:
        labels.append(given[-1])
        raise KeyboardInterrupt

    monkeypatch.setenv("SCOREKEEPER_DATA", str(filled.folder))
    monkeypatch.setattr("scorekeeper.cli.games.add_in_steps", fail)
    with open(os.fsdecode(path), "rb") as source, pytest.raises(Failure):
        import_games(source, None, None)
    assert labels == ["\ufffd\ufffd[2J" + "x" * 194 + "…"]


def _kill(typed: Typed, pause: float, *words: object) -> None:
    process = subprocess.Popen(
        typed.command(*words),
        cwd=CHECKOUT,
        env=typed.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(pause)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_an_import_without_room_for_what_it_reads_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(Failure, match=r"Can’t write .*none: No such file or directory"):
        import_games(io.BufferedReader(io.BytesIO(SHEET.encode())), None, None)


def test_a_folder_that_cannot_be_written_is_refused_in_a_sentence(table: Table, data: Path) -> None:
    (data / "file").write_text("")
    status, _, why = Typed(data / "file" / "below").run("import", "-", stdin=SHEET)
    assert status == 1
    assert "SCOREKEEPER_DATA" in why


@pytest.mark.parametrize(
    ("words", "stdin", "status"),
    [
        (["import", "-"], "", 2),
        (["import", "-"], SHEET + "c,1,Ana,1,99\n", 2),
        (["import", "-"], "{", 2),
        (["import", "-", "--rules", "no-such-rules"], SHEET, 2),
        (["import", "-", "--table", "no-such-table"], SHEET, 1),
        (["import", "no-such-file"], "", 2),
        (["link"], "", 1),
        (["check"], "", 1),
        (["export"], "", 1),
        (["serve", "--host", "192.0.2.254"], "", 1),
    ],
)
def test_what_is_refused_leaves_no_file_behind(
    typed: Typed, words: list[str], stdin: str, status: int
) -> None:
    found, _said, why = typed.run(*words, stdin=stdin)
    assert found == status
    assert why
    assert "Traceback" not in why
    assert not typed.folder.exists()


class SlowFile(io.RawIOBase):
    """A sheet that comes in pieces, while somebody at the table begins a game with each."""

    def __init__(self, store: Store) -> None:
        self.pieces = [line.encode() for line in SHEET.splitlines(keepends=True)]
        self.store = store

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        Keeper(self.store).begin()
        piece = self.pieces.pop(0) if self.pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.slow
def test_games_can_be_recorded_while_a_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    monkeypatch.delenv("SCOREKEEPER_DATABASE", raising=False)
    with Store(tmp_path) as store:
        source = io.BufferedReader(SlowFile(store))
        assert import_games(source, None, None).startswith("Imported 2 games")


def test_the_version_is_that_of_the_package(typed: Typed) -> None:
    said = f"scorekeeper, version {version('spades-scorekeeper')}\n"
    assert typed.run("--version") == (0, said, "")


def test_the_help_names_every_command_in_the_language_of_the_terminal(typed: Typed) -> None:
    status, said, _ = typed.run_process("-h", LANGUAGE="de")
    assert status == 0
    for command in ("serve", "score", "link", "check", "backup", "restore", "export", "import"):
        assert re.search(rf"^  {command}\b", said, re.MULTILINE)
    assert "Eine CSV-Datei mit Geboten und Stichen werten." in said


@pytest.mark.parametrize("name", ["", *scorekeeper.commands])
def test_every_command_and_option_has_a_sentence(name: str) -> None:
    command: click.Command = scorekeeper.commands[name] if name else scorekeeper
    said = [param for param in command.params if param.name != "kind"]  # of deploy, in its help
    texts = [command.help, *(getattr(param, "help", None) for param in said)]
    assert [text for text in texts if not text or not re.fullmatch(r"[^a-z].*\.", text, re.S)] == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chekc"], "No such command 'chekc'"),
        (["serve", "now"], "unexpected extra argument (now)"),
        (["--prot", "1"], "No such option '--prot'"),
        (["--port", "99999"], "99999 isn’t a port from 0 to 65535"),
        (["score"], "Missing argument 'FILE'"),
        (["score", "-", "--set", "target"], "target isn’t of the form name=value"),
        (["export", "--csv", "--json"], "--json: not allowed with --csv"),
        (["export", "--excel", "--json"], "--json: not allowed with --excel"),
        *(
            ([command, ""], ": the name is empty")
            for command in ("export", "import", "backup", "restore", "score", "move")
        ),
    ],
)
def test_what_is_mistyped_is_named(typed: Typed, words: list[str], complaint: str) -> None:
    status, said, why = typed.run(*words)
    assert (status, said) == (2, "")
    assert complaint in why


@pytest.mark.parametrize(
    ("typed_so_far", "offered"),
    [
        (
            "scorekeeper export --",
            [
                *("--csv", "--excel", "--json", "--games"),
                *("--since", "--until", "--rules"),
                "--help",
            ],
        ),
        ("scorekeeper deploy c", ["caddy", "container", "compose"]),
    ],
)
def test_the_shell_completes_commands_and_options(
    typed: Typed, typed_so_far: str, offered: list[str]
) -> None:
    ended = subprocess.run(
        typed.command(),
        cwd=CHECKOUT,
        env=clean_environment(
            _SCOREKEEPER_COMPLETE="bash_complete",
            COMP_WORDS=typed_so_far,
            COMP_CWORD=str(typed_so_far.count(" ")),
        ),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert ended.stdout.split() == [f"plain,{word}" for word in offered]


def test_an_interrupt_ends_a_command_with_the_status_of_shells(typed: Typed) -> None:
    with subprocess.Popen(
        typed.command("import", "-"),
        cwd=CHECKOUT,
        env=typed.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        # More than a pipe holds, so that the command has begun to read when it is written.
        process.stdin.write(SHEET.encode() + b"\n" * 200_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
