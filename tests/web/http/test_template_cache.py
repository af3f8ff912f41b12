"""Cache of compiled templates: used by the next start, and never trusted unsigned."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment
from jinja2.bccache import Bucket

from scorekeeper import create_app
from scorekeeper.web.http import template_cache
from scorekeeper.web.http.template_cache import FOLDER
from tests.conftest import SECRET_KEY
from tests.program import CHECKOUT, clean_environment

PAGE = "http/error.html"
KEPT_AS = "http.error.html"


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
    assert PAGE in compiled
    compiled.clear()
    return data / FOLDER / KEPT_AS


def test_the_next_start_compiles_nothing(
    kept: Path, data: Path, compiled: list[str | None]
) -> None:
    with started(data) as app:
        assert shows_a_page(app)
    assert compiled == []


def test_they_are_for_their_owner_alone(kept: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in kept.parent.iterdir()}
    assert (stat.S_IMODE(kept.parent.stat().st_mode), modes) == (0o700, {0o600})


def forged(app: Flask) -> bytes:
    """Return bytecode that Jinja would run for the page."""
    assert app.jinja_loader is not None
    source = app.jinja_loader.get_source(app.jinja_env, PAGE)[0]
    cache = app.jinja_env.bytecode_cache
    assert cache is not None
    bucket = Bucket(app.jinja_env, PAGE, cache.get_source_checksum(source))
    bucket.code = compile("raise SystemExit('somebody else\\'s code was run')", PAGE, "exec")
    return bucket.bytecode_to_string()


def test_what_somebody_else_wrote_is_not_run(
    kept: Path, data: Path, compiled: list[str | None]
) -> None:
    signature = kept.read_bytes()[: template_cache.SIGNATURE_LENGTH]
    with started(data) as app:
        kept.write_bytes(signature + forged(app))
        assert shows_a_page(app)
    assert PAGE in compiled


def test_what_another_key_has_signed_is_not_run(
    kept: Path, data: Path, compiled: list[str | None]
) -> None:
    with started(data, secret="another secret key of thirty-two letters") as app:
        assert shows_a_page(app)
    assert PAGE in compiled


def test_a_template_is_not_taken_for_another(
    kept: Path, data: Path, compiled: list[str | None]
) -> None:
    kept.write_bytes((kept.parent / "base.html").read_bytes())
    with started(data) as app:
        assert shows_a_page(app)
    assert compiled == [PAGE]


def test_another_version_compiles_anew(
    kept: Path, data: Path, compiled: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template_cache, "version", lambda _package: "99")
    with started(data) as app:
        assert shows_a_page(app)
    assert PAGE in compiled


@pytest.mark.parametrize("length", [0, 10, 60, -1])
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


def test_pages_are_shown_where_a_file_cannot_be_put(data: Path) -> None:
    (data / FOLDER / KEPT_AS).mkdir(parents=True)
    with started(data) as app:
        assert shows_a_page(app)
    assert not list((data / FOLDER).glob("tmp*"))


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
