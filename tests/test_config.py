"""Settings, the data folder, and the key that signs cookies."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs
import pytest

from scorekeeper import config, create_app
from scorekeeper.config import ConfigError, data_folder, secret_key
from scorekeeper.store.database import Store, StoreRefused
from tests.program import CHECKOUT, Program, clean_environment, fetch
from tests.store.play import Keeper

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX")

MAKE_KEYS = """
import sys
from pathlib import Path
from scorekeeper.config import secret_key
sys.stdin.readline()
for folder in sorted(Path(sys.argv[1]).iterdir()):
    print(secret_key(folder))
"""

WITHOUT_METADATA = """
import importlib.metadata, sys
real = importlib.metadata.distribution
def distribution(name):
    if "scorekeeper" in name:
        raise importlib.metadata.PackageNotFoundError(name)
    return real(name)
importlib.metadata.distribution = distribution
from scorekeeper.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCOREKEEPER_DATA", raising=False)
    for name in ("SECRET", "DATABASE", "URL", "HOSTS"):
        monkeypatch.delenv(f"SCOREKEEPER_{name}", raising=False)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The package as it lies in another folder, with nothing beside it."""
    monkeypatch.setattr(config, "__file__", str(tmp_path / "lib" / "scorekeeper" / "home.py"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "lib").mkdir()
    return tmp_path / "lib"


# Settings


@pytest.mark.parametrize("given", ["by name", "in a mapping"])
def test_an_application_is_made_with_settings_of_a_test(tmp_path: Path, given: str) -> None:
    folder, settings = tmp_path / "new" / "folder", {"TESTING": True, "STREAMS": 7}
    if given == "by name":
        app = create_app(DATA=str(folder), **settings)
    else:
        app = create_app({**settings, "DATA": folder})
    assert app.testing
    assert app.config["STREAMS"] == 7
    assert app.config["STREAMS_PER_LINK"] == 100
    assert Path(app.instance_path) == folder
    assert (folder / "scorekeeper.db").exists()
    app.extensions["store"].close()


def test_without_a_folder_of_its_own_a_test_has_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path / "games"))
    app = create_app({"TESTING": True})
    assert Path(app.instance_path) == tmp_path / "games"
    app.extensions["store"].close()


def test_a_folder_below_the_current_one_is_absolute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    app = create_app(DATA="games")
    assert Path(app.instance_path) == tmp_path / "games"
    app.extensions["store"].close()


def test_settings_of_the_environment_are_texts_and_those_of_a_test_win(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    digits = "1234567890" * 4
    for name, text in {
        "SECRET": digits, "METRICS_KEY": digits, "STREAMS": "7", "PROXIES": "2", "OPEN": "1",
        "STREAMS_PER_LINK": "", "URL": "https://spades.example/",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"SCOREKEEPER_{name}", text)
    app = create_app(DATA=tmp_path, STREAMS=9)
    assert app.config["SECRET_KEY"] == digits
    assert app.config["METRICS_KEY"] == digits
    assert (app.config["STREAMS"], app.config["STREAMS_PER_LINK"]) == (9, 100)
    assert (app.config["PROXIES"], app.config["OPEN"]) == (2, True)
    assert app.config["BASE_URL"] == "https://spades.example"
    app.extensions["store"].close()


def test_another_database_can_be_named(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="must start with postgresql://"):
        create_app(DATA=tmp_path, DATABASE="mysql://nobody@nowhere/none", SECRET_KEY="x" * 32)


@pytest.mark.parametrize(
    "bad",
    [
        {"BASE_URL": "spades.example"}, {"STREAMS": "many"}, {"PROXIES": "-1"},
        {"METRICS_KEY": "short"}, {"HOSTS": "*"},
    ],
)  # fmt: skip
def test_a_refused_setting_leaves_no_file_behind(tmp_path: Path, bad: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        create_app(bad, DATA=tmp_path / "games")
    assert list(tmp_path.iterdir()) == []


# The data folder


def test_the_named_folder_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path / "club" / "evening"))
    assert data_folder() == tmp_path / "club" / "evening"


@posix_only
def test_a_missing_folder_is_made_for_its_owner_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path / "games"))
    assert data_folder().stat().st_mode & 0o777 == 0o700


def test_a_checkout_keeps_its_games_in_instance(elsewhere: Path) -> None:
    shutil.copy(CHECKOUT / "pyproject.toml", elsewhere)
    assert data_folder() == elsewhere / "instance"


@pytest.mark.slow
def test_a_checkout_installed_under_an_earlier_name_starts_with_its_games(tmp_path: Path) -> None:
    """The distribution was called `scorekeeper` before."""
    checkout = tmp_path / "checkout"
    for name in ("scorekeeper", "templates", "static"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CHECKOUT / name, checkout / name, ignore=ignored)
    shutil.copy(CHECKOUT / "pyproject.toml", checkout)
    (checkout / "instance").mkdir()
    with Store(checkout / "instance") as store:
        Keeper(store).begin(names=("Zoë", "Ben", "Cy", "Dana"))
    command = [sys.executable, "-c", WITHOUT_METADATA]
    environment = {"PYTHONPATH": str(checkout), "XDG_DATA_HOME": str(tmp_path)}
    told = subprocess.run(
        [*command, "export", "--json"],
        cwd=tmp_path,
        env=clean_environment(**environment),
        capture_output=True,
        encoding="utf-8",
    )
    assert told.stderr == ""
    assert "Zoë" in told.stdout
    version = subprocess.run(
        [*command, "--version"], env=clean_environment(**environment), capture_output=True
    )
    assert version.stdout.startswith(b"scorekeeper, version ")
    with Program([*command, "--host=127.0.0.1", "--port=0"], tmp_path, **environment) as program:
        assert fetch(program.address + "/")[0] == 200
        assert program.stop() == 0
    assert f"Games are stored in {checkout / 'instance'}." in program.said


@pytest.mark.parametrize("beside", [None, '[project]\nname = "another"\n', "not [ toml"])
def test_an_installed_program_keeps_them_with_its_user(elsewhere: Path, beside: str | None) -> None:
    if beside is not None:
        (elsewhere / "pyproject.toml").write_text(beside, "utf-8")
    assert data_folder() == platformdirs.user_data_path("scorekeeper", appauthor=False)


def test_a_file_in_the_place_of_the_folder_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "games").write_text("", "utf-8")
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path / "games"))
    with pytest.raises(ConfigError, match="choose another with SCOREKEEPER_DATA"):
        data_folder()


def test_a_folder_that_takes_no_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(**_where: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    with pytest.raises(ConfigError, match="Read-only file system"):
        data_folder()


def test_the_key_is_made_once(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(bytes.fromhex(key)) == 32
    assert secret_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@posix_only
def test_only_the_owner_can_read_the_key(tmp_path: Path) -> None:
    secret_key(tmp_path)
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_eight_first_starts_at_once_read_one_whole_key(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}").mkdir()
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE_KEYS, str(tmp_path)],
            env=clean_environment(PYTHONPATH=str(CHECKOUT)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
        )
        for _ in range(8)
    ]
    for start in starts:
        assert start.stdin is not None
        start.stdin.write("go\n")
        start.stdin.flush()
    answers = {start.communicate(timeout=30)[0] for start in starts}
    assert len(answers) == 1
    assert [len(key) for key in answers.pop().split()] == [64] * 20


@posix_only
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o666])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    secret_key(tmp_path)
    (tmp_path / "secret_key").chmod(mode)
    with pytest.raises(ConfigError, match="chmod 600"):
        secret_key(tmp_path)


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 64])
def test_a_key_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    secret_key(tmp_path)
    (tmp_path / "secret_key").write_bytes(content)
    with pytest.raises(ConfigError, match="secret_key"):
        secret_key(tmp_path)


def test_a_key_that_cannot_be_linked_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_draft: str, _path: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(ConfigError, match="SCOREKEEPER_SECRET"):
        secret_key(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_key_in_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCOREKEEPER_SECRET", "k" * 32)
    assert secret_key(tmp_path) == "k" * 32
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", ["", "k" * 31])
def test_a_short_key_in_the_environment_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str
) -> None:
    monkeypatch.setenv("SCOREKEEPER_SECRET", given)
    with pytest.raises(ConfigError, match="32 characters"):
        secret_key(tmp_path)
