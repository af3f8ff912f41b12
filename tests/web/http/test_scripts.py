"""Scripts are sent with all of their code and without comments."""

import re
import shutil
from pathlib import Path

import pytest

from scorekeeper import create_app
from scorekeeper.web.http import static_files as files
from scorekeeper.web.http.static_files import (
    APP,
    JOINED_LATER,
    as_sent,
    folder,
    join_scripts,
    joined_scripts,
    static_files,
)

DECLARED = re.compile(r"^(?:async function|function|const|let|class) (\w+|\[[^]]+)", re.MULTILINE)
SCRIPTS = [path for path in static_files() if path.endswith(".js")]


@pytest.mark.parametrize("path", [*SCRIPTS, APP])
def test_no_line_is_sent_that_only_comments(path: str) -> None:
    sent = as_sent(path)[0].decode()
    assert [line for line in sent.splitlines() if line.strip().startswith(("//", "/*", "*/"))] == []


# Files that are sent as written, the others are joined.
ALONE = [path for path in SCRIPTS if path not in JOINED_LATER]


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


FILES = {
    "top.js": 'import { base } from "./base.js";\nimport {\n  high, low,\n} from "./sub/low.js";\n'
    'const soon = import("./sub/late.js");\nconsole.log(base, low, high(1));\n',
    "sub/low.js": 'import { base } from "../base.js";\nexport const low = base;\n'
    "export async function high(n) {\n  return n;\n}\n",
    "sub/late.js": 'import { base } from "../base.js";\nimport { own } from "./own.js";\n'
    "const [late, later] = [base, own];\nexport { base, late, later };\n",
    "sub/latest.js": 'import { low } from "./low.js";\nimport { own } from "./own.js";\n'
    'export const latest = low + own;\nexport const more = import("../base.js");\n',
    "sub/own.js": "export let own = 1;\n",
    "base.js": "const base = 7;\nexport { base };\n",
}
ENTRIES = {"all.js": "top.js", "sub/late.js": "sub/late.js", "sub/latest.js": "sub/latest.js"}
JOINED = {
    "all.js": """\
const base = 7;
const low = base;
async function high(n) {
  return n;
}
const soon = import("./sub/late.js");
console.log(base, low, high(1));
export { base, low };
""",
    "sub/late.js": """\
import { base } from "../all.js";
let own = 1;
const [late, later] = [base, own];
export { base, late, later, own };
""",
    "sub/latest.js": """\
import { low } from "../all.js";
import { own } from "./late.js";
const latest = low + own;
const more = import("../base.js");
export { latest, more };
""",
}


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Scripts, of which two are imported later."""
    (tmp_path / "sub").mkdir()
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("path", JOINED)
def test_scripts_are_joined_in_the_order_of_their_imports(scripts: Path, path: str) -> None:
    assert join_scripts(scripts, ENTRIES)[path] == JOINED[path]


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        (
            "base.js",
            'import { low } from "./sub/low.js";\n',
            "top.js imports base.js imports sub/low.js imports base.js",
        ),
        (
            "sub/low.js",
            "const [low, base] = [1, 2];\n",
            "base is declared in base.js and sub/low.js",
        ),
        ("sub/own.js", "let high;\n", "high is declared in sub/low.js and sub/own.js"),
        ("base.js", 'import * as own from "./sub/own.js";\n', r"base.js: import \* as own from"),
        (
            "base.js",
            'import { own as mine } from "./sub/own.js";\n',
            "base.js: import { own as mine }",
        ),
        ("base.js", "export default 7;\n", "base.js: export default 7"),
    ],
)
def test_scripts_that_cannot_share_a_scope_are_refused(
    scripts: Path, path: str, text: str, why: str
) -> None:
    (scripts / path).write_text(text, "utf-8")
    with pytest.raises(ValueError, match=why):
        join_scripts(scripts, ENTRIES)


def top_level_names() -> list[str]:
    """Return the names that the app's scripts declare for all of their scope."""
    declared = [name for text in joined_scripts().values() for name in DECLARED.findall(text)]
    return [name for names in declared for name in re.findall(r"\w+", names)]


def test_every_script_of_the_app_is_joined() -> None:
    assert set(joined_scripts()) == {APP, *JOINED_LATER}
    assert sorted(top_level_names()) == sorted(set(top_level_names()))


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
