"""Scripts are sent with all of their code and without comments."""

import re
import shutil
from pathlib import Path

import pytest

from scorekeeper import create_app
from scorekeeper.web.http import static_files as files
from scorekeeper.web.http.static_files import (
    BUNDLES,
    IMPORT,
    as_sent,
    folder,
    join_scripts,
    static_files,
)

DECLARATION = r"(?:async function|function|const|let|class) (\w+|\[[^]]+)"
DECLARED = re.compile(rf"^(?:export )?{DECLARATION}", re.MULTILINE)
EXPORTED = re.compile(rf"^export {DECLARATION}", re.MULTILINE)
SCRIPTS = [path for path in static_files() if path.endswith(".js")]


@pytest.mark.parametrize("path", SCRIPTS)
def test_no_line_is_sent_that_only_comments(path: str) -> None:
    sent = as_sent(path)[0].decode()
    assert [line for line in sent.splitlines() if line.strip().startswith(("//", "/*", "*/"))] == []


# Files that are sent as written, the others are joined.
ALONE = [path for path in SCRIPTS if path not in BUNDLES]


@pytest.mark.parametrize("path", ALONE)
def test_every_line_of_code_is_sent_in_its_order(path: str) -> None:
    sent = blankless(as_sent(path)[0].decode())
    assert sent
    # A line is sent as it is written, or without the comment at its end.
    for line in map(blankless, code_lines(path)):
        code = line if sent.startswith(line) else line[: line.rindex("//")]
        assert sent.startswith(code)
        sent = sent.removeprefix(code)
    assert sent == ""


def code_lines(path: str) -> list[str]:
    """Return the lines of a script that do not only comment."""
    lines = (folder("static") / path).read_text("utf-8").splitlines()
    return [line for line in lines if not line.strip().startswith(("//", "/*", "*"))]


def blankless(text: str) -> str:
    return "".join(text.split())


BUNDLED = [path for paths in BUNDLES.values() for path in paths]


@pytest.mark.parametrize("bundle", BUNDLES)
def test_the_scripts_of_a_bundle_import_what_bundles_contain_by_name(bundle: str) -> None:
    joined = join_scripts(bundle)
    for names, home in IMPORT.findall(joined):
        exported = EXPORTED.findall(join_scripts(home.removeprefix("../../")))
        assert set(re.findall(r"\w+", names)) <= set(exported)
    assert re.findall(r"^import\b(?! \{ [\w, ]+ \} from ).*", joined, re.MULTILINE) == []
    assert (
        re.findall(r"^export\b(?! (?:async|function|const|let|class)\b).*", joined, re.MULTILINE)
        == []
    )


@pytest.mark.parametrize("path", SCRIPTS)
def test_a_script_imports_what_others_export(path: str) -> None:
    """Tests load scripts by themselves, as editors do."""
    for names, address in IMPORT.findall((folder("static") / path).read_text("utf-8")):
        other = (folder("static") / path).parent / address
        assert set(re.findall(r"\w+", names)) <= set(EXPORTED.findall(other.read_text("utf-8")))


def top_level_names() -> list[str]:
    """Return the names that the scripts of all bundles declare for all of them."""
    declared = [names for bundle in BUNDLES for names in DECLARED.findall(join_scripts(bundle))]
    return [name for one in declared for name in re.findall(r"\w+", one)]


def test_a_script_is_in_one_bundle_and_a_name_is_declared_once_in_all() -> None:
    assert sorted(BUNDLED) == sorted(set(BUNDLED))
    names = top_level_names()
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("bundle", BUNDLES)
def test_lazy_imports_hold_wherever_a_script_is_sent(bundle: str) -> None:
    for address in re.findall(r'\bimport\("([^"]+)"\)', join_scripts(bundle)):
        assert address.startswith("../")
        assert f"js/{address.removeprefix('../')}" in SCRIPTS


def test_under_debug_a_changed_style_sheet_and_script_show_without_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("static", "templates"):
        shutil.copytree(folder(name), tmp_path / name)
    monkeypatch.setattr(files, "folder", lambda name: tmp_path / name)
    app = create_app({"DEBUG": True}, DATA=tmp_path / "games", SECRET_KEY="x" * 32)
    client = app.test_client()
    before, style, script = (
        client.get("/").text,
        *(tmp_path / "static" / name for name in ("css/base.css", "js/table/settings.js")),
    )
    worker = client.get("/sw.js").text
    style.write_text(style.read_text("utf-8") + ".changed { color: red }", "utf-8")
    script.write_text(script.read_text("utf-8") + "changed();", "utf-8")
    assert ".changed{color:red}" in client.get("/").text
    assert ".changed{color:red}" not in before
    assert "changed()" in client.get("/static/js/table/settings.js").text
    assert client.get("/sw.js").text != worker
    for end in app.extensions["on_stop"]:
        end()
    app.extensions["store"].close()
    monkeypatch.undo()
    files.clear_caches()
