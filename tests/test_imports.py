"""Imports point one way, room by room: no room uses one above it."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.program import CHECKOUT, run_script

PACKAGE = CHECKOUT / "scorekeeper"
FILES = sorted(PACKAGE.rglob("*.py"))

# The rooms from the top of the house to the bottom: each may use those in the lines below its own.
ROOMS = """
    __main__
    cli
    scorekeeper
    web
    web.errors web.offline
    web.api web.phrases
    web.game web.club
    web.settings web.table
    web.rules web.export web.imports web.feed web.players
    web.devices
    web.history
    web.http
    web.text
    live files
    store
    config
    addresses free_text clock
    i18n version
    club
    rules
"""
FLOORS = {room: floor for floor, line in enumerate(ROOMS.split("\n")) for room in line.split()}

# The arrow that points up: the banner of `flask run`.
ALLOWED = {("scorekeeper", "cli")}
LONGEST_CHAIN = 20  # modules, each of which imports the next

# No clock, no randomness, no reading or writing among the rules.
NOT_IN_RULES = {
    "asyncio", "importlib", "io", "logging", "os", "pathlib", "random", "secrets", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
PURE = {"urllib.parse"}  # of a package that reads otherwise
NOT_CALLED_IN_RULES = {"now", "today", "utcnow", "open", "print", "input"}


def module_of(path: Path) -> str:
    """Return the full name of the module in a file."""
    parts = ["scorekeeper", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def room_of(module: str) -> str:
    """Return the room of a module: itself or its folder, in web the folder or file of a page."""
    parts = module.split(".")[1:]
    depth = 2 if parts[:1] == ["web"] else 1
    return ".".join(parts[:depth]) or "scorekeeper"


def imported_names(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, with its full name."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, "imports of our own name the whole path"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in MODULES else node.module


@cache
def arrows() -> set[tuple[str, str]]:
    """Return the pairs of rooms of which the first imports from the second."""
    pairs = (
        (room_of(module), room_of(name))
        for module, path in MODULES.items()
        for name in imported_names(path)
        if name in MODULES
    )
    return {(importing, imported) for importing, imported in pairs if importing != imported}


def test_every_room_has_a_floor() -> None:
    assert {room_of(module) for module in MODULES} - FLOORS.keys() == set()


@pytest.mark.parametrize("room", sorted(FLOORS))
def test_no_room_imports_from_one_above_it_or_beside_it(room: str) -> None:
    used = {imported for importing, imported in arrows() - ALLOWED if importing == room}
    assert {other for other in used if FLOORS[other] <= FLOORS[room]} == set()


def test_the_tests_have_the_rooms_of_the_package() -> None:
    tests = CHECKOUT / "tests"
    of_the_whole = {"bench", "browser", "faults", "languages"}
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    rooms = {path for path in folders if path.parts and path.parts[0] not in of_the_whole}
    assert {str(room) for room in rooms if not list(PACKAGE.glob(f"{room}*"))} == set()


def uses() -> dict[str, set[str]]:
    """Return the modules that each module imports."""
    return {
        module: {name for name in imported_names(path) if name in MODULES}
        for module, path in MODULES.items()
    }


def test_no_module_imports_itself_by_way_of_others() -> None:
    tuple(TopologicalSorter(uses()).static_order())  # raises CycleError


def test_a_reader_who_follows_imports_comes_to_an_end_soon() -> None:
    graph, chains = uses(), dict[str, int]()
    for module in TopologicalSorter(graph).static_order():
        chains[module] = 1 + max((chains[name] for name in graph[module]), default=0)
    assert max(chains.values()) <= LONGEST_CHAIN


def modules_used(path: Path) -> set[str]:
    """Return the packages and modules, of ours too, that a file of a pure room imports."""
    names = {name for name in imported_names(path) if name not in PURE}
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda p: p.name)
def test_the_rules_need_the_standard_library_alone(path: Path) -> None:
    modules = modules_used(path)
    assert modules - sys.stdlib_module_names - {"scorekeeper"} == set()
    assert modules & NOT_IN_RULES == set()


@pytest.mark.parametrize("path", sorted((PACKAGE / "club").rglob("*.py")), ids=lambda p: p.name)
def test_club_nights_are_pure_too_with_a_seed_for_what_is_drawn(path: Path) -> None:
    modules = modules_used(path)
    pairs = {"networkx"} if path.name == "pairing.py" else set()
    assert modules - sys.stdlib_module_names - {"scorekeeper"} == pairs
    assert modules & (NOT_IN_RULES - {"random"}) == set()


OF_CLUB = (
    "scorekeeper.club",
    "scorekeeper.store.club",
    "scorekeeper.web.club",
    "scorekeeper.files.club",
)
ROWS_OF_CLUB = ("club_nights", "club_changes", "club_teams", "club_matches", "club_keepers")
# Who else knows of club nights, and why: a new arrow is drawn here first.
USE_CLUB = {
    "scorekeeper.web": "registers its pages, and ends the thread of its clocks",
    "scorekeeper.web.table": "home leads to the evenings that go on",
    "scorekeeper.web.offline": "rights: what a phone may keep that only keeps score of a table",
    "scorekeeper.web.http.budget": "limits: who looks by a link counts for the evening",
    "scorekeeper.store.check": "check",
}
ASK_FOR_CLUB = {
    "scorekeeper.store.migrations": "the names of all tables",
    "scorekeeper.store.migrations.version_19_club_nights": "migrations",
    "scorekeeper.store.phones": "rights: the game of which a phone keeps score",
    "scorekeeper.store.tables": "rights: such a phone is none of the group's",
    "scorekeeper.store.change_events": "rights: who may follow; desk: an evening has changed",
    "scorekeeper.store.games": "the next match takes the place of a rematch",
}


def is_of_club(module: str) -> bool:
    """Return whether a module is in the rooms of club nights."""
    return any(module == one or module.startswith((f"{one}.", f"{one}_")) for one in OF_CLUB)


def test_few_modules_outside_use_those_of_club_nights() -> None:
    users = {module for module, used in uses().items() if any(map(is_of_club, used))}
    assert {module for module in users if not is_of_club(module)} == USE_CLUB.keys()


def test_few_modules_outside_ask_for_rows_of_club_nights() -> None:
    found = {
        module
        for module, path in MODULES.items()
        if any(re.search(rf"\b{name}\b", path.read_text("utf-8")) for name in ROWS_OF_CLUB)
    }
    names = {"scorekeeper.web.table"}  # the name by which it imports
    assert {one for one in found if not is_of_club(one)} - names == ASK_FOR_CLUB.keys()


def test_only_pairing_imports_networkx_and_only_when_it_pairs() -> None:
    users = {module for module, path in MODULES.items() if "networkx" in imported_names(path)}
    assert users == {"scorekeeper.club.pairing"}
    asked = "import sys, scorekeeper.club.next_match; print(*sys.modules)"
    assert "networkx" not in run_script(asked).split()


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.parent in (PACKAGE / "rules", PACKAGE / "club")],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_the_rules_ask_no_clock_and_print_nothing(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    found = [ast.unparse(call) for call in calls if _called(call) in NOT_CALLED_IN_RULES]
    assert found == []


def _called(call: ast.Call) -> str | None:
    return getattr(call.func, "attr", None) or getattr(call.func, "id", None)


def test_the_command_line_starts_without_the_web() -> None:
    asked = "import sys, scorekeeper.cli.main, scorekeeper.cli.commands; print(*sys.modules)"
    assert {"flask", "sqlite_utils", "waitress"} & set(run_script(asked).split()) == set()
