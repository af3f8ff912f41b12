"""Joining the scripts of the app into few files, as each file would cost a request.

Joined scripts share one scope, so they need no imports and exports among each other. Only what our
scripts use of the syntax of modules is known here: imports and exports by name, each statement
beginning a line. A test loads every script joined and by itself.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

NAMES = r"\{\s*(\w+(?:,\s+\w+)*),?\s*\}"
IMPORT = re.compile(rf'^import {NAMES} from "([^"]+)";\n', re.MULTILINE)
EXPORT_LIST = re.compile(rf"^export {NAMES};\n", re.MULTILINE)
DECLARATION = re.compile(
    r"^(export )?((?:(?:async )?function|const|let|class) (\w+|\[\w+(?:, \w+)*\]))", re.MULTILINE
)
OTHER_STATEMENT = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)
LAZY_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')


@dataclass(frozen=True)
class Module:
    """A script, apart from its imports and exports."""

    path: str
    code: str
    sources: list[str]  # paths of the modules that it imports from
    imported: list[str]
    declared: list[str]  # names of the top level
    exported: list[str]


def join_scripts(root: Path, entries: Mapping[str, str]) -> dict[str, str]:
    """Return scripts with all that they import as one each, by the paths where these are served.

    `entries` has the scripts by the same paths, in the order in which a page loads them. Each one
    imports from those before it what they contain already, so that no module exists twice.

    Raises `ValueError` for a circle of modules, for modules with the same name at their top level,
    and for imports and exports other than by name.
    """
    joined: dict[str, list[Module]] = {}
    found: dict[str, Module] = {}
    for served, entry in entries.items():
        before = len(found)
        _collect(root, entry, (), found)
        joined[served] = list(found.values())[before:]
    homes = _homes(joined)
    return {served: _text(served, joined, homes) for served in joined}


def _collect(root: Path, path: str, above: tuple[str, ...], found: dict[str, Module]) -> None:
    """Add to `found` what a script imports, then the script."""
    if path in above:
        raise ValueError(" imports ".join([*above, path]))
    if path in found:
        return
    module = _read(root, path)
    for source in module.sources:
        _collect(root, source, (*above, path), found)
    found[path] = module


def _homes(joined: dict[str, list[Module]]) -> dict[str, str]:
    """Return the path where the module that declares a name is served, by the name."""
    homes: dict[str, str] = {}
    paths: dict[str, str] = {}
    for served, modules in joined.items():
        for module in modules:
            for name in module.declared:
                if name in paths:
                    raise ValueError(f"{name} is declared in {paths[name]} and {module.path}")
                paths[name], homes[name] = module.path, served
    return homes


def _text(served: str, joined: dict[str, list[Module]], homes: dict[str, str]) -> str:
    own = joined[served]
    exported = set(own[-1].exported)  # by the entry
    text = ""
    for other, modules in joined.items():
        if other != served:
            exported |= _wanted(modules, served, homes)
            if imported := _wanted(own, other, homes):
                text += f'import {_listed(imported)} from "{_address(served, other)}";\n'
    text += "".join(_code(module, served) for module in own)
    return text + (f"export {_listed(exported)};\n" if exported else "")


def _wanted(modules: list[Module], served: str, homes: dict[str, str]) -> set[str]:
    """Return the names that modules import and that are declared in the script served at a path."""
    return {name for module in modules for name in module.imported if homes.get(name) == served}


def _code(module: Module, served: str) -> str:
    """Return the code of a module with the addresses of its lazy imports as seen from a path."""
    return LAZY_IMPORT.sub(
        lambda found: f'import("{_address(served, _resolve(module.path, found[1]))}")', module.code
    )


def _read(root: Path, path: str) -> Module:
    text = (root / path).read_text("utf-8")
    declarations = DECLARATION.findall(text)
    imports = IMPORT.findall(text)
    exports = [*EXPORT_LIST.findall(text), *(names for export, _, names in declarations if export)]
    code = DECLARATION.sub(r"\2", EXPORT_LIST.sub("", IMPORT.sub("", text)))
    if other := OTHER_STATEMENT.search(code):
        raise ValueError(f"{path}: {other[0]}")
    return Module(
        path=path,
        code=code,
        sources=[_resolve(path, address) for _, address in imports],
        imported=_split(names for names, _ in imports),
        declared=_split(names for _, _, names in declarations),
        exported=_split(exports),
    )


def _split(lists: Iterable[str]) -> list[str]:
    return [name for names in lists for name in re.findall(r"\w+", names)]


def _listed(names: Iterable[str]) -> str:
    return f"{{ {', '.join(sorted(names))} }}"


def _resolve(path: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))


def _address(path: str, other: str) -> str:
    """Return the address of another path in a script that is served at one."""
    address = posixpath.relpath(other, posixpath.dirname(path) or ".")
    return address if address.startswith(".") else f"./{address}"
