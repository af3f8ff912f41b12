"""All evenings, and where each is written."""

import re
import sys
import tempfile
import traceback
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


def record(out: Path, only: str = "") -> bool:
    """Play the evenings whose names have `only` in them, each into a file of a folder.

    Return whether each was played to its end, which one of another version may not be.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        chosen = {name: play for name, play in _evenings(folder).items() if only in name}
        files = [out / f"{name}.txt" for name in chosen]
        played = [
            _record_one(name, play, file, folder)
            for file, (name, play) in zip(files, chosen.items(), strict=True)
        ]
    _count(files)
    return all(played)


def _count(files: list[Path]) -> None:
    """Print how many answers there are of each status."""
    kinds = Counter(kind for file in files for kind in STATUS.findall(file.read_bytes().decode()))
    print(", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items())))
    print(f"{kinds.total()} answers")


def _record_one(name: str, play: Play, file: Path, folder: Path) -> bool:
    evening = Evening(name, file, folder / name)
    with serving(evening, folder / name, folder, OPEN=play is doors.open_server) as server:
        try:
            play(server)
        except Exception as error:
            evening.write("The evening ends early", repr(error))
            print(f"{name} ends early:", file=sys.stderr)
            traceback.print_exc()
            return False
        finally:
            evening.end()
    return True


def _evenings(folder: Path) -> dict[str, Play]:
    """Return every evening by its name; which rule books there are, a phone is told."""
    evening = Evening("books", folder / "books.txt", folder)
    with serving(evening, folder / "books", folder) as server:
        told = server.first_phone().get("/phone.json").get_json()["books"]
    games = whole_games({book["key"]: book["sizes"] for book in told})
    return {**dict(games), **{play.__name__: play for play in OTHERS}}
