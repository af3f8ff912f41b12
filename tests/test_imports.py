"""Imports point one way: web, cli -> scoresheet, live, store -> rules."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import CHECKOUT, clean_environment

PACKAGE = CHECKOUT / "scorekeeper"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each part of the package, and the other parts that it may import. "" is create_app().
MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "sqlite": set(),
    "i18n": {"rules"},
    "names": {"i18n"},
    "home": {"i18n"},
    "welcome": {"i18n", "sqlite"},
    "serve": {"home", "i18n", "welcome"},
    "store": {"home", "i18n", "names", "rules", "sqlite"},
    "scoresheet": {"i18n", "names", "rules"},
    "live": {"i18n", "names", "rules", "sqlite", "store"},
    "gamefile": {"i18n", "names", "rules", "scoresheet", "store"},
    "commands": {"gamefile", "home", "i18n", "names", "rules", "scoresheet", "store"},
    "web": {
        *("gamefile", "home", "i18n", "live", "names", "rules", "scoresheet", "sqlite", "store"),
    },
    "": {"gamefile", "home", "i18n", "live", "names", "rules", "scoresheet", "store", "web"},
    "cli": {
        "",
        "commands",
        "home",
        "i18n",
        "live",
        "names",
        "rules",
        "scoresheet",
        "serve",
        "sqlite",
        "store",
    },
    "__main__": {"cli"},
}

# No clock, no randomness, no reading or writing among the rules.
NOT_IN_RULES = {
    "asyncio", "importlib", "io", "logging", "os", "pathlib", "random", "secrets", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
NOT_CALLED_IN_RULES = {"now", "today", "utcnow", "open", "print", "input"}


def part_of(path: Path) -> str:
    """Names the part of the package that a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported_names(path: Path) -> Iterator[str]:
    """Gives every module that a file imports, with its full name."""
    package = ["scorekeeper", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module == "scorekeeper":
                yield from (_submodule(alias.name) for alias in node.names)
            else:
                yield module


def _submodule(name: str) -> str:
    is_part = (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
    return f"scorekeeper.{name}" if is_part else "scorekeeper"


def parts_imported(path: Path) -> set[str]:
    """Names the parts of the package that a file imports."""
    ours = (name.split(".") for name in imported_names(path))
    return {(name[1] if len(name) > 1 else "") for name in ours if name[0] == "scorekeeper"}


def test_files_are_found() -> None:
    assert {part_of(path) for path in FILES} >= {"", "cli", "home", "rules", "serve"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    assert part in MAY_IMPORT, f"say in MAY_IMPORT what {part} may import"
    assert parts_imported(path) - MAY_IMPORT[part] - {part} == set()


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda p: p.name)
def test_the_rules_need_the_standard_library_alone(path: Path) -> None:
    modules = {name.partition(".")[0] for name in imported_names(path)}
    assert modules - sys.stdlib_module_names - {"scorekeeper"} == set()
    assert modules & NOT_IN_RULES == set()


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda p: p.name)
def test_the_rules_ask_no_clock_and_print_nothing(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    found = [ast.unparse(call) for call in calls if _called(call) in NOT_CALLED_IN_RULES]
    assert found == []


def _called(call: ast.Call) -> str | None:
    return getattr(call.func, "attr", None) or getattr(call.func, "id", None)


def test_the_command_line_starts_without_the_web() -> None:
    asked = "import sys, scorekeeper.cli; print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=CHECKOUT,
        env=clean_environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert {"flask", "sqlite_utils", "waitress"} & set(ended.stdout.split()) == set()
