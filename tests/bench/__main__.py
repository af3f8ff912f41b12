"""Measure rows, print each as soon as it is known, and write them all to results.md."""

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.bench.bench import Bench, LeftOut
from tests.bench.rows import RESULTS, Measured, document, machine
from tests.bench.table import ROWS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of: {', '.join(ROWS)}")
    parser.add_argument("--quick", action="store_true", help="only see whether everything works")
    options = parser.parse_args()
    if unknown := set(options.rows) - set(ROWS):
        parser.error(f"there is no row {', '.join(sorted(unknown))}")
    started = time.monotonic()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), options.quick)
        for name in options.rows or ROWS:
            row = ROWS[name]
            try:
                rows.append(Measured(row, row.measure(bench)))
            except LeftOut as reason:
                rows.append(Measured(row, left_out=str(reason)))
            except Exception:  # the other rows of a long run are still worth having
                traceback.print_exc()
                rows.append(Measured(row, left_out="**failed**"))
            print(f"{name}: {'; '.join(rows[-1].cells())}", flush=True)
    print(f"\n{machine()}, {time.monotonic() - started:.0f} s")
    if not options.rows and not options.quick:
        RESULTS.write_text(document(rows), encoding="utf-8")
        print(f"Written to {RESULTS}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
