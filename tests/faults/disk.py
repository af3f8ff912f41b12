"""A simulated disk after a power cut: synced data is there, all else is gone or torn."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512  # bytes that a disk writes whole or not at all
MEMORY = "-shm"  # shared memory; a program that starts creates it anew


class Step(NamedTuple):
    """A file operation: when it was begun, what was done to which file.

    `kind` is create, write, size, sync, link, move or remove; `other` is the new name of a link
    or move, `at` the place of a write or the size of the file.
    """

    moment: float
    kind: str
    path: str
    at: int = 0
    content: bytes = b""
    other: str = ""


@dataclass
class File:
    """What of a file is on the disk for certain, and what waits in memory, in its order."""

    durable: bytearray = field(default_factory=bytearray)
    waiting: list[Step] = field(default_factory=list)


class Disk:
    """The files below a folder, operation by operation."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._now: dict[str, File] = {}
        self._durable: dict[str, File] = {}
        self._names: list[tuple[str, File | None]] = []  # named or unnamed since the last sync

    def do(self, step: Step) -> None:
        """Do one more operation."""
        path = step.path
        if step.kind == "create":
            self._name(path, self._now.get(path) or File())
        elif step.kind in ("write", "size"):
            self._now.setdefault(path, File()).waiting.append(step)
        elif step.kind == "sync":
            self._sync(path)
        elif path in self._now:
            file = self._now[path]
            if step.other:
                self._name(step.other, file)
            if step.kind != "link":
                del self._now[path]
                self._names.append((path, None))

    def write_to(self, target: Path, dice: random.Random | None) -> None:
        """Write what a power cut leaves now: everything synced, and by chance some of the rest.

        Names that were not synced are there up to some moment, sectors in any order.
        """
        names = dict(self._durable)
        for path, file in self._names[: dice.randint(0, len(self._names)) if dice else 0]:
            if file is None:
                names.pop(path, None)
            else:
                names[path] = file
        for path, file in names.items():
            if not path.endswith(MEMORY):
                place = target / Path(path).relative_to(self.folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(_left_of(file, dice))
                place.chmod(0o600)

    def _name(self, path: str, file: File) -> None:
        if self._now.get(path) is not file:
            self._now[path] = file
            self._names.append((path, file))

    def _sync(self, path: str) -> None:
        file = self._now.get(path)
        if file is None:  # a folder, and with it the names in it
            done = [one for one in self._names if Path(one[0]).parent == Path(path)]
        else:
            for step in file.waiting:
                _change(file.durable, step)
            file.waiting.clear()
            done = [one for one in self._names if one[1] is file]
        for name, named in done:
            if named is None:
                self._durable.pop(name, None)
            else:
                self._durable[name] = named
        self._names = [one for one in self._names if one not in done]


def _left_of(file: File, dice: random.Random | None) -> bytes:
    left = bytearray(file.durable)
    for step in file.waiting if dice else ():
        assert dice is not None
        for start in range(0, max(len(step.content), 1), SECTOR):
            if dice.random() < 0.5:
                part = step.content[start : start + SECTOR]
                _change(left, step._replace(at=step.at + start, content=part))
    return bytes(left)


def _change(content: bytearray, step: Step) -> None:
    end = step.at + len(step.content) if step.kind == "write" else step.at
    if end > len(content):
        content.extend(bytes(end - len(content)))
    if step.kind == "write":
        content[step.at : end] = step.content
    else:
        del content[step.at :]
