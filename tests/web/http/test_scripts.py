"""Scripts are sent with all of their code and without comments."""

from pathlib import Path

import pytest

from scorekeeper.web.http.joined_scripts import join_rest, join_scripts
from scorekeeper.web.http.static_files import APP, JOINED_LATER, as_sent, folder, static_files

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
    "top.js": 'import { low as deep } from "./sub/low.js";\nimport * as all from "./sub/low.js";\n'
    'const late = import("./sub/late.js");\nconsole.log(deep, all.high(1));\n',
    "sub/low.js": 'import { base } from "../base.js";\nexport const low = base;\n'
    "export async function high(n) {\n  return n;\n}\n",
    "sub/late.js": 'import { base } from "../base.js";\nimport { own } from "./own.js";\n'
    "const late = base + own;\nexport { late };\n",
    "sub/latest.js": 'import { low } from "./low.js";\nimport { own } from "./own.js";\n'
    "export const latest = low + own;\n",
    "sub/own.js": "export const own = 1;\n",
    "base.js": "const base = 7;\nexport { base };\n",
}
JOINED = """\
const module0 = (() => {
const base = 7;
return { base };
})();
const module1 = (() => {
const { base } = module0;
const low = base;
async function high(n) {
  return n;
}
return { high, low };
})();
const module2 = (() => {
const { low: deep } = module1;
const all = module1;
const late = import("./sub/late.js");
console.log(deep, all.high(1));
})();
export { module0, module1, module2 };
"""
LATE = """\
import { module0, module1, module2 } from "../all.js";
const module3 = (() => {
const own = 1;
return { own };
})();
const module4 = (() => {
const { base } = module0;
const { own } = module3;
const late = base + own;
return { late };
})();
export { module3, module4 };
export const { late } = module4;
"""
LATEST = """\
import { module0, module1, module2 } from "../all.js";
import { module3, module4 } from "./late.js";
const module5 = (() => {
const { low } = module1;
const { own } = module3;
const latest = low + own;
return { latest };
})();
export { module5 };
export const { latest } = module5;
"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Scripts, of which one is imported later."""
    (tmp_path / "sub").mkdir()
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def test_scripts_are_joined_in_the_order_of_their_imports(scripts: Path) -> None:
    assert join_scripts(scripts, "top.js") == JOINED


def test_scripts_that_are_imported_later_share_the_modules_of_those_before(scripts: Path) -> None:
    before = {"top.js": "../all.js"}
    assert join_rest(scripts, "sub/late.js", before) == LATE
    before["sub/late.js"] = "./late.js"
    assert join_rest(scripts, "sub/latest.js", before) == LATEST


def test_a_circle_of_imports_is_refused(scripts: Path) -> None:
    (scripts / "base.js").write_text('import { low } from "./sub/low.js";\n', "utf-8")
    with pytest.raises(ValueError, match=r"sub/low.js imports base.js imports sub/low.js"):
        join_scripts(scripts, "top.js")
