"""Scripts import one way: none reaches itself by way of others, also of those loaded later."""

import posixpath
import re
from graphlib import TopologicalSorter

from scorekeeper.web.http.static_files import folder, static_files

IMPORTED = re.compile(r'\b(?:from|import\()\s*"(\.{1,2}/[^"]+)"')
SCRIPTS = [path for path in static_files() if path.endswith(".js")]


def uses() -> dict[str, set[str]]:
    """Return the scripts that each script imports, at once or later."""
    return {
        path: {
            posixpath.normpath(posixpath.join(posixpath.dirname(path), address))
            for address in IMPORTED.findall((folder("static") / path).read_text("utf-8"))
        }
        for path in SCRIPTS
    }


def test_every_import_is_a_script() -> None:
    assert set().union(*uses().values()) <= set(SCRIPTS)


def test_no_script_imports_itself_by_way_of_others() -> None:
    tuple(TopologicalSorter(uses()).static_order())  # raises CycleError


def test_the_rules_import_only_each_other() -> None:
    rules = {path: used for path, used in uses().items() if path.startswith("js/rules/")}
    assert {one for used in rules.values() for one in used} <= set(rules)


def test_no_other_script_imports_those_of_club_nights() -> None:
    users = {path for path, used in uses().items() if any("js/club/" in one for one in used)}
    assert {path for path in users if not path.startswith("js/club/")} == set()
