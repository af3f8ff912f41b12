"""The phone's engine under Node.js, which runs its scripts without a browser."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.rules.presets import CUTTHROAT_LITE
from tests.program import CHECKOUT

HERE = Path(__file__).parent
NO_NODE = (
    "These tests run the phone's scripts, and there is no Node.js here: install it (on Debian "
    "`apt-get install nodejs`)."
)
Ask = Callable[[str, Sequence[Any]], list[Any]]


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[subprocess.Popen[str]]":
    """A process of Node.js that answers questions, each a line of JSON."""
    program = shutil.which("node")
    if program is None:
        pytest.skip(NO_NODE)
    folder = tmp_path_factory.mktemp("node")
    shutil.copytree(CHECKOUT / "static" / "js", folder / "js")
    for script in HERE.glob("*.js"):
        # Addresses that begin with a slash are those of this folder.
        text = script.read_text("utf-8").replace('from "/', f'from "{folder.as_posix()}/')
        (folder / script.name).write_text(text, "utf-8")
    given = f"export const rules = {json.dumps(CUTTHROAT_LITE.values)};"
    (folder / "given.js").write_text(given, "utf-8")
    # Without this file Node.js up to 20.18 takes scripts for CommonJS.
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    command = [program, folder / "node.js"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8") as process:
        yield process
        process.kill()  # scripts that wait for messages do not end with their input


@pytest.fixture(scope="session")
def ask(node: "subprocess.Popen[str]") -> Ask:
    """Put questions to the phone, all of them to one function of answer.js or meeting.js."""
    assert node.stdin is not None
    assert node.stdout is not None
    to, back = node.stdin, node.stdout

    def ask(name: str, questions: Sequence[Any]) -> list[Any]:
        print(json.dumps([name, questions]), file=to, flush=True)
        answer = json.loads(back.readline())
        assert "error" not in answer, answer["error"]
        answers: list[Any] = answer["answers"]
        return answers

    return ask
