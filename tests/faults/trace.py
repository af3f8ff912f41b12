"""The file operations of a server, as strace notes them."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults.disk import Step

CALLS = (
    "openat,open,creat,write,pwrite64,ftruncate,fallocate,fsync,fdatasync,"
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,lseek"
)
LINE = re.compile(r"^(\d+) +(\d+\.\d+) (.*)$")
WORD = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
NAMED = re.compile(r"<((?:\\x[0-9a-f]{2})*)>")
ENDED = "+++ exited"
PATIENCE = 30.0


def why_not() -> str:
    """Return why nothing can be traced here; nothing where it can."""
    if shutil.which("strace") is None:
        return "strace is missing"
    tried = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"strace may not trace: {tried.stderr.strip()}"


def traced(command: list[str], notes: Path) -> list[str]:
    """Return the command that runs a command and notes what it does to files."""
    # -D: the process that is started is the server, and gets its signals.
    strace = ["strace", "-D", "-f", "-q", "-ttt", "-y", "-xx", "-s", str(1 << 20)]
    return [*strace, "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(notes), *command]


def steps(notes: Path, process: int, folder: str) -> list[Step]:
    """Return what was done below a folder, in its order, once the traced process has ended."""
    give_up = time.monotonic() + PATIENCE
    while not re.search(rf"^{process} .*{re.escape(ENDED)}", text := _read(notes), re.MULTILINE):
        assert time.monotonic() < give_up, "the trace has no end"
        time.sleep(0.05)
    places: dict[str, int] = {}
    found = (step for moment, call in _calls(text) for step in _steps(moment, call, folder, places))
    return [step for step in found if f"{step.path}/".startswith(f"{folder}/")]


def _read(notes: Path) -> str:
    return notes.read_text("latin-1") if notes.exists() else ""


def _calls(text: str) -> Iterator[tuple[float, str]]:
    """Yield each call when it has returned; threads interrupt each other's lines."""
    begun: dict[str, str] = {}
    for line in text.splitlines():
        if not (found := LINE.match(line)):
            continue
        thread, moment, call = found.groups()
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>").rstrip()
            continue
        if call.startswith("<... "):
            call = begun.pop(thread, "") + call.partition("resumed>")[2].lstrip()
        yield float(moment), call


def _steps(moment: float, call: str, folder: str, places: dict[str, int]) -> Iterator[Step]:
    name, _bracket, asked = call.partition("(")
    ended = re.search(r"\) += (\d+)(<.*>)?$", asked)
    if not ended:
        return
    result, words = int(ended[1]), [_text(word) for word in WORD.findall(asked)]
    file = asked.partition("<")[0]
    if name in ("open", "openat", "creat"):
        path = _text(NAMED.findall(ended[2] or "")[0]).decode()
        places[ended[1]] = 0
        if "O_CREAT" in asked or name == "creat":
            yield Step(moment, "create", path)
        if "O_TRUNC" in asked or name == "creat":
            yield Step(moment, "size", path, 0)
    elif name.startswith(("rename", "link", "unlink")):
        kind = {"r": "move", "l": "link", "u": "remove"}[name[0]]
        paths = [str(Path(folder, word.decode())) for word in words]
        yield Step(moment, kind, paths[0], other=paths[1] if len(paths) > 1 else "")
    else:
        path = _text(NAMED.findall(asked)[0]).decode()
        numbers = [int(n) for n in re.findall(r", (\d+)(?=[,)])", asked[: ended.start() + 1])]
        if name in ("fsync", "fdatasync"):
            yield Step(moment, "sync", path)
        elif name == "ftruncate":
            yield Step(moment, "size", path, numbers[-1])
        elif name == "fallocate":
            raise AssertionError("a file is made longer in a way that is not followed here")
        elif name == "lseek":
            places[file] = result
        elif name == "pwrite64":
            yield Step(moment, "write", path, numbers[-1], words[0][:result])
        else:
            at = places.get(file, 0)
            places[file] = at + result
            yield Step(moment, "write", path, at, words[0][:result])


def _text(hexed: str) -> bytes:
    return bytes.fromhex(hexed.replace("\\x", ""))
