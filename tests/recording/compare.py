"""Two recordings beside each other: which answers differ, grouped by where they come from."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

SHOWN = 14  # lines of an example
MOST_LINES = 40  # of those that differ most often
FIRST = re.compile(r"^=== \d+ ", re.M)
# Parts of an address that are others in each game: ids, numbers of rounds and lines, a query.
OWN = re.compile(r"<id-\d+>|(?<=/)\d+\b|\?.*")


class Answer(NamedTuple):
    """One answer of an evening: the line that asks for it, and all that was sent and answered."""

    evening: str
    asked: str
    text: str

    @property
    def route(self) -> str:
        """The method and the address without what is its own."""
        method, _blank, path = self.asked.partition(" by ")[0].partition(" ")
        return f"{method} {OWN.sub('…', path)}"


class Difference(NamedTuple):
    """An answer of both recordings, of which one may be empty, and the lines that differ."""

    old: Answer | None
    new: Answer | None

    @property
    def answer(self) -> Answer:
        found = self.old or self.new
        assert found is not None
        return found

    @property
    def lines(self) -> list[str]:
        """The lines that only one of both has, with - or + before them."""
        texts = [one.text.split("\n") if one else [] for one in (self.old, self.new)]
        found = difflib.unified_diff(*texts, lineterm="", n=0)
        return [line for line in found if not line.startswith(("---", "+++", "@@"))]

    @property
    def kind(self) -> str:
        """Where the answer comes from, and whether it is in one recording only."""
        missing = " only in OLD" if self.new is None else " only in NEW" if self.old is None else ""
        return self.answer.route + missing


def compare(old: Path, new: Path) -> int:
    """Print which answers of two folders differ, by route; return 1 if any do."""
    names = sorted({file.name for folder in (old, new) for file in folder.glob("*.txt")})
    recorded = [(_answers(old / name), _answers(new / name)) for name in names]
    differences = [one for pair in recorded for one in _differences(*pair)]
    differences.sort(key=lambda one: one.kind)
    for kind, group in groupby(differences, key=lambda one: one.kind):
        _show(kind, list(group))
    _show_lines(differences)
    count = sum(len(answers) for answers, _new in recorded)
    print(f"{len(differences)} of {count} answers differ.")
    return 1 if differences else 0


def _answers(file: Path) -> list[Answer]:
    """Return the answers of an evening in their order; none where it was not recorded."""
    text = file.read_bytes().decode() if file.exists() else ""
    parts = [part.partition("\n") for part in FIRST.split(text)[1:]]
    return [Answer(file.stem, asked, rest) for asked, _newline, rest in parts]


def _differences(old: list[Answer], new: list[Answer]) -> Iterator[Difference]:
    """Yield what differs, each answer beside the one to the same request."""
    if old == new:
        return
    asked = [one.asked for one in old], [one.asked for one in new]
    if asked[0] == asked[1]:
        steps = [("equal", 0, len(old), 0, len(new))]
    else:
        steps = difflib.SequenceMatcher(None, *asked, autojunk=False).get_opcodes()
    for step, i, j, k, n in steps:
        if step == "equal":
            pairs = zip(old[i:j], new[k:n], strict=True)
            yield from (Difference(*pair) for pair in pairs if pair[0].text != pair[1].text)
        else:
            yield from (Difference(one, None) for one in old[i:j])
            yield from (Difference(None, one) for one in new[k:n])


def _show(kind: str, group: list[Difference]) -> None:
    first = group[0]
    print(f"{len(group)} × {kind}, first in {first.answer.evening}:")
    print(f"    {first.answer.asked}")
    lines = first.lines
    for line in lines[:SHOWN]:
        print(f"    {line[:160]}")
    if len(lines) > SHOWN:
        print(f"    … {len(lines) - SHOWN} lines more")
    print()


def _show_lines(differences: list[Difference]) -> None:
    """Print the lines that most answers of both recordings have and differ in, without numbers."""
    both = [one for one in differences if one.old and one.new]
    lines = Counter(re.sub(r"\d+", "0", line) for one in both for line in {*one.lines})
    for line, count in lines.most_common(MOST_LINES):
        print(f"{count:6} × {line[:160]}")
