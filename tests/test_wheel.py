"""The wheel carries all that a phone loads, and runs where no checkout is."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from scorekeeper.cli.deploy import FILES
from scorekeeper.web.http.static_files import as_sent
from tests.program import CHECKOUT, Program, clean_environment, fetch

pytestmark = pytest.mark.slow

STATIC = CHECKOUT / "static"


def run(*command: str | Path, cwd: Path = CHECKOUT) -> str:
    """Run a command and return its output, which is shown if it fails."""
    ended = subprocess.run(
        command,
        cwd=cwd,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a fresh environment that the wheel was installed into."""
    pytest.importorskip("ensurepip", reason="python3-venv is not installed")
    built = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built))
    (wheel,) = built.glob("spades_scorekeeper-*.whl")
    fresh = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", str(fresh))
    scripts = fresh / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel)
    # The other packages are borrowed from this environment, so that nothing is downloaded.
    own = run(scripts / "python", "-c", "import sysconfig as s; print(s.get_path('purelib'))")
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(own.strip()) / "borrowed.pth").write_text("\n".join(sorted(borrowed)), "utf-8")
    return scripts


def test_the_wheel_serves_every_page_part(programs: Path, tmp_path: Path) -> None:
    command = [str(programs / "scorekeeper"), "--host", "127.0.0.1", "--port", "0"]
    data = tmp_path / "data"
    with Program(command, cwd=tmp_path, XDG_DATA_HOME=str(data)) as program:
        assert fetch(program.address + "/")[0] == 200
        assert fetch(program.address + "/api/openapi.json")[0] == 200
        for path in (path for path in STATIC.rglob("*") if path.is_file()):
            name = path.relative_to(STATIC).as_posix()
            sent = as_sent(name)[0]
            assert fetch(f"{program.address}/static/{name}") == (200, sent), name
        for language, word in (("de", "Regeln"), ("ar", "القواعد")):
            assert word in fetch(program.address + "/rules", language)[1].decode()
        assert program.stop() == 0
    assert str(CHECKOUT) not in program.said


def test_the_wheel_is_what_runs(programs: Path, tmp_path: Path) -> None:
    asked = "import scorekeeper; print(scorekeeper.__file__)"
    where = run(programs / "python", "-c", asked, cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(programs.parent)


def test_the_wheel_carries_its_types_and_the_files_to_deploy(
    programs: Path, tmp_path: Path
) -> None:
    asked = "import scorekeeper, pathlib; print(pathlib.Path(scorekeeper.__file__).parent)"
    package = Path(run(programs / "python", "-c", asked, cwd=tmp_path).strip())
    assert (package / "py.typed").exists()
    for kind in FILES:
        assert run(programs / "scorekeeper", "deploy", kind, cwd=tmp_path)


def test_the_rules_in_the_wheel_need_no_other_package(programs: Path, tmp_path: Path) -> None:
    asked = "import scorekeeper, pathlib; print(pathlib.Path(scorekeeper.__file__).parent.parent)"
    site = run(programs / "python", "-c", asked, cwd=tmp_path).strip()
    asked = f"import doctest, sys; sys.path.insert(0, {site!r})\n" + (
        "failed, tried = doctest.testfile(sys.argv[1], module_relative=False)\n"
        "import scorekeeper\n"
        "print(failed, tried > 20, scorekeeper.__file__.startswith(sys.path[0]))"
    )
    page = CHECKOUT / "docs" / "library.md"
    said = run(programs / "python", "-I", "-S", "-X", "utf8", "-c", asked, page, cwd=tmp_path)
    assert said.split() == ["0", "True", "True"]


def test_nobody_packs_the_games(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path))
    (archive,) = tmp_path.glob("spades_scorekeeper-*.tar.gz")
    names = run(sys.executable, "-m", "tarfile", "-l", archive).split()
    assert any(name.endswith("/templates/base.html") for name in names)
    for name in (".ci/run", "CHANGELOG.md", "compose.yaml", "docs/hosting.md", "tests/conftest.py"):
        assert any(one.endswith(f"/{name}") for one in names), name
    assert not [name for name in names if "/instance/" in name]
