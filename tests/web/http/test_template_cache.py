"""Cache of compiled templates: used by the next start, and done without where it cannot be."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment

from scorekeeper import create_app
from scorekeeper.web.http.templates import FOLDER
from tests.conftest import SECRET_KEY
from tests.program import CHECKOUT, clean_environment

PAGE = "http/error.html"


@contextmanager
def started(data: Path, secret: str = SECRET_KEY) -> Iterator[Flask]:
    """Start a server with the cache that it has in a house, which other tests replace."""
    app = create_app(DATA=data, SECRET_KEY=secret)
    yield app
    app.extensions["store"].close()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The templates compiled from now on, by their names."""
    names: list[str | None] = []
    compile_ = Environment.compile

    def watched(self: Environment, source: str, name: str | None, filename: str | None) -> object:
        names.append(name)
        return compile_(self, source, name, filename)

    monkeypatch.setattr(Environment, "compile", watched)
    return names


def shows_a_page(app: Flask) -> bool:
    return "Page not found" in app.test_client().get("/nothing").get_data(as_text=True)


@pytest.fixture
def kept(data: Path, compiled: list[str | None]) -> Path:
    """The file of a page that one server has shown; another one has not started yet."""
    with started(data) as app:
        assert shows_a_page(app)
        template, cache = app.jinja_env.get_template(PAGE), app.jinja_env.bytecode_cache
        assert cache is not None
        key = cache.get_cache_key(PAGE, template.filename)
    assert PAGE in compiled
    compiled.clear()
    (path,) = (data / FOLDER).glob(f"*{key}*")
    return path


def test_the_next_start_compiles_nothing(
    kept: Path, data: Path, compiled: list[str | None]
) -> None:
    with started(data) as app:
        assert shows_a_page(app)
    assert compiled == []


def test_they_are_for_their_owner_alone(kept: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in kept.parent.iterdir()}
    assert (stat.S_IMODE(kept.parent.stat().st_mode), modes) == (0o700, {0o600})


@pytest.mark.parametrize("length", [0, 10, 60, 80, 100, -1])
def test_a_file_cut_short_is_written_again(
    kept: Path, data: Path, compiled: list[str | None], length: int
) -> None:
    kept.write_bytes(kept.read_bytes()[:length])
    for _start in range(2):
        with started(data) as app:
            assert shows_a_page(app)
    assert compiled == [PAGE]


def test_pages_are_shown_without_the_folder(data: Path) -> None:
    (data / FOLDER).write_text("a file in the place of the folder")
    with started(data) as app:
        assert shows_a_page(app)


def test_pages_are_shown_where_a_file_cannot_be_put(kept: Path, data: Path) -> None:
    kept.unlink()
    kept.mkdir()
    with started(data) as app:
        assert shows_a_page(app)
    assert not list((data / FOLDER).glob("*.tmp"))


SHOW_PAGES = """
from scorekeeper import create_app
app = create_app(SECRET_KEY="{key}")
for name in app.jinja_env.list_templates(["html"]):
    app.jinja_env.get_template(name)
assert b"Page not found" in app.test_client().get("/nothing").data
"""


@pytest.mark.slow
def test_two_processes_fill_it_at_once(data: Path, compiled: list[str | None]) -> None:
    command = [sys.executable, "-c", SHOW_PAGES.format(key=SECRET_KEY)]
    environment = clean_environment(SCOREKEEPER_DATA=str(data))
    both = [subprocess.Popen(command, cwd=CHECKOUT, env=environment) for _ in range(2)]
    assert [one.wait(timeout=120) for one in both] == [0, 0]
    with started(data) as app:
        for name in app.jinja_env.list_templates(["html"]):
            app.jinja_env.get_template(name)
    assert compiled == []
