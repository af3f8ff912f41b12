"""All evenings, and where each is written."""

import re
import tempfile
from collections import Counter
from pathlib import Path

from tests.recording import doors, tables
from tests.recording.evenings import Play, whole_games
from tests.recording.recorder import Evening, serving

STATUS = re.compile(r"^=== .*\n(?:> .*\n)*(\d+)", re.M)
OTHERS: tuple[Play, ...] = (
    tables.books_in_every_language,
    tables.house_rules_and_their_effects,
    tables.saved_rules,
    tables.new_games,
    tables.leaving_and_joining,
    tables.watching,
    tables.history_and_players,
    tables.files_out_and_in,
    tables.in_every_language,
    doors.devices,
    doors.offline,
    doors.program,
    doors.errors,
    doors.open_server,
    doors.commands,
)


def record(out: Path, only: str = "") -> None:
    """Play the evenings whose names have `only` in them, each into a file of a folder."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        chosen = {name: play for name, play in _evenings(folder).items() if only in name}
        files = [out / f"{name}.txt" for name in chosen]
        for file, (name, play) in zip(files, chosen.items(), strict=True):
            _record_one(name, play, file, folder)
    _count(files)


def _count(files: list[Path]) -> None:
    """Print how many answers there are of each status."""
    kinds = Counter(kind for file in files for kind in STATUS.findall(file.read_bytes().decode()))
    print(", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items())))
    print(f"{kinds.total()} answers")


def _record_one(name: str, play: Play, file: Path, folder: Path) -> None:
    evening = Evening(name, file, folder / name)
    with serving(evening, folder / name, folder, OPEN=play is doors.open_server) as server:
        try:
            play(server)
        finally:
            evening.end()


def _evenings(folder: Path) -> dict[str, Play]:
    """Return every evening by its name; which rule books there are, a phone is told."""
    evening = Evening("books", folder / "books.txt", folder)
    with serving(evening, folder / "books", folder) as server:
        told = server.first_phone().get("/phone.json").get_json()["books"]
    games = whole_games({book["key"]: book["sizes"] for book in told})
    return {**dict(games), **{play.__name__: play for play in OTHERS}}
