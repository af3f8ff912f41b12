"""Joining the scripts of the app into one file, as each file would cost a request.

Only what our scripts use of the syntax of modules is known here: imports and exports by name, each
statement beginning a line. A test loads every script joined and by itself.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}|\* as (\w+))\s+from\s+"([^"]+)";\n', re.MULTILINE)
EXPORTED = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
EXPORT_LIST = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
LAZY_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')


def join_scripts(root: Path, entry: str) -> str:
    """Return the script `entry` and all that it imports as one script to be served from `root`.

    Each module becomes a function that is called once, after those that it imports from; a circle
    of modules raises `ValueError`.
    """
    names = _names(root, [entry])
    text = "".join(_wrapped(root, path, names) for path in names)
    return f"{text}export {{ {', '.join(names.values())} }};\n"


def join_rest(root: Path, entry: str, before: dict[str, str]) -> str:
    """Return a script that is imported later as one, without the modules of the scripts `before`.

    Those are imported from their joined scripts, whose URLs are given by entry, so that no module
    exists twice.
    """
    names = _names(root, [*before, entry])
    text, known = "", set()
    for earlier, url in before.items():
        own = [path for path in _names(root, [earlier]) if path not in known]
        known.update(own)
        text += f'import {{ {", ".join(names[path] for path in own)} }} from "{url}";\n'
    rest = [path for path in names if path not in known]
    text += "".join(_wrapped(root, path, names) for path in rest)
    exported = ", ".join(_exported((root / entry).read_text("utf-8")))
    return (
        f"{text}export {{ {', '.join(names[path] for path in rest)} }};\n"
        f"export const {{ {exported} }} = {names[entry]};\n"
    )


def _names(root: Path, entries: list[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for entry in entries:
        for path in _in_order(root, entry, ()):
            names.setdefault(path, f"module{len(names)}")
    return names


def _in_order(root: Path, path: str, above: tuple[str, ...]) -> Iterator[str]:
    """Yield the paths of what a script imports, then its own; some of them more than once."""
    if path in above:
        raise ValueError(" imports ".join([*above, path]))
    for imported in IMPORT.finditer((root / path).read_text("utf-8")):
        yield from _in_order(root, _resolve(path, imported[3]), (*above, path))
    yield path


def _wrapped(root: Path, path: str, names: dict[str, str]) -> str:
    text = (root / path).read_text("utf-8")
    exported = _exported(text)
    imports = []
    for found in IMPORT.finditer(text):
        what = found[2] or "{" + found[1].replace(" as ", ": ") + "}"
        imports.append(f"const {what} = {names[_resolve(path, found[3])]};\n")
    body = EXPORTED.sub(r"\1 \2", EXPORT_LIST.sub("", IMPORT.sub("", text)))
    body = LAZY_IMPORT.sub(lambda found: f'import("./{_resolve(path, found[1])}")', body)
    result = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"const {names[path]} = (() => {{\n{''.join(imports)}{body}{result}}})();\n"


def _exported(text: str) -> list[str]:
    names = [name for _kind, name in EXPORTED.findall(text)]
    for listed in EXPORT_LIST.findall(text):
        names += [name.strip() for name in listed.split(",") if name.strip()]
    return sorted(names)


def _resolve(path: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
