"""The README names what there is, and what it shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.cli.commands import scorekeeper
from scorekeeper.rules.presets import PRESETS
from tests.languages.catalogue import read, template
from tests.program import CHECKOUT, clean_environment

README = (CHECKOUT / "README.md").read_text("utf-8")
CONTRIBUTING = (CHECKOUT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
PATH = re.compile(r"`(\w[\w./-]*/[\w./-]*)`")
MENUS = re.findall(r"(?<!\*)\*(?:⋯ → )?([A-Z][^*]+)\*(?!\*)", README)
GUIDE = README[README.index("## Try it") : README.index("## History")]
LABELS = re.findall(r"\*\*([A-Z][^*]+)\*\*", GUIDE)
# The name on the package index belongs to another program.
FOREIGN = re.compile(
    r"(?<!spades-)\bscorekeeper\[|\b(?:install|add|uvx|pipx run) +(?:-\S+ +)*['\"]?scorekeeper\b"
)
CODE = "\n".join(path.read_text("utf-8") for path in (CHECKOUT / "scorekeeper").rglob("*.py"))


@pytest.mark.parametrize("variable", sorted(set(re.findall(r"SCOREKEEPER_[A-Z_]+", CODE))))
def test_every_variable_is_named(variable: str) -> None:
    assert f"| `{variable}` |" in README


@pytest.mark.parametrize("key", PRESETS)
def test_every_rule_book_is_named(key: str) -> None:
    assert f"| `{key}` |" in README


@pytest.mark.parametrize("command", sorted(scorekeeper.commands.keys() - {"serve"}))
def test_every_command_is_named(command: str) -> None:
    assert f"scorekeeper {command}" in README


def test_no_text_advises_to_install_a_program_of_somebody_else() -> None:
    texts = {README, CONTRIBUTING, (CHECKOUT / "pyproject.toml").read_text("utf-8"), CODE}
    package = CHECKOUT / "scorekeeper"
    for path in (*package.rglob("*.po"), *(package / "cli" / "deploy_files").iterdir()):
        texts.add(path.read_text("utf-8"))
    assert [found[0] for text in texts for found in FOREIGN.finditer(text)] == []


@pytest.mark.parametrize("path", sorted(set(PATH.findall(README + CONTRIBUTING))))
def test_every_path_is_there(path: str) -> None:
    path = path.replace("/xx/", "/de/")  # any language
    assert (CHECKOUT / path).exists() or (CHECKOUT / "scorekeeper" / path).exists()


@pytest.mark.parametrize("text", sorted({text for path in MENUS for text in path.split(" → ")}))
def test_every_button_has_this_text(text: str) -> None:
    assert text in read("de")


@pytest.mark.parametrize("label", sorted(set(LABELS)))
def test_every_label_begins_a_text(label: str) -> None:
    texts = [text.id if isinstance(text.id, str) else text.id[0] for text in template()]
    assert any(text.startswith(label) for text in texts)


def test_the_example_of_a_paper_sheet_prints_what_is_shown(tmp_path: Path) -> None:
    sheet = re.search(r"```csv\n(.*?)```", README, re.DOTALL)
    shown = re.search(r"\$ scorekeeper (score .*?) \| cut.*?\n(.*?)```", README, re.DOTALL)
    assert sheet is not None
    assert shown is not None
    (tmp_path / "evening.csv").write_text(sheet[1], "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "scorekeeper", *shown[1].split()],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    kept = [7, 9, 10, 16, 17, 18, 19]  # what `cut -f8,10,11,17-20` lets through
    rows = [line.split(",") for line in ran.stdout.splitlines()]
    assert [",".join(row[place] for place in kept) for row in rows] == shown[2].splitlines()
