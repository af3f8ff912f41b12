"""The command line of the recorder."""

import argparse
import sys
import time
from pathlib import Path

from tests.recording import fixed


def main() -> int:
    """Record all evenings, or those whose name has a word in it, or compare two recordings."""
    options = argparse.ArgumentParser(prog="python -m tests.recording", description=__doc__)
    options.add_argument("folder", nargs="+", type=Path, help="OUT, or OLD and NEW with --compare")
    options.add_argument("--compare", action="store_true", help="group the answers that differ")
    options.add_argument(
        "--only", default="", metavar="WORD", help="evenings with this in the name"
    )
    options.add_argument("--of", type=Path, metavar="CHECKOUT", help="whose program is recorded")
    chosen = options.parse_args()
    if chosen.compare:
        from tests.recording.compare import compare

        return compare(*chosen.folder)
    sys.path.insert(0, str((chosen.of or Path.cwd()).resolve()))
    fixed.fix()  # before the program is imported
    from tests.recording.all_evenings import record

    begun = time.perf_counter()
    is_whole = record(chosen.folder[0], chosen.only)
    print(f"{time.perf_counter() - begun:.0f} seconds")
    return 0 if is_whole else 1


sys.exit(main())
