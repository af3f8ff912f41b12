"""Measure, print a row as soon as it is known, and keep the table in results.md."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.bench import (
    beginning,
    engine,
    growth,
    lighthouse,
    pages,
    paint,
    phones,
    sheets,
    watching,
)
from tests.bench.bench import Bench
from tests.bench.rows import RESULTS, Row, machine, table

GROUPS = {
    "round": pages.round_saved,
    "phones": phones.at_once,
    "games": growth.with_games,
    "rounds": growth.with_rounds,
    "engine": engine.folding,
    "sheet": sheets.scored_file,
    "export": sheets.sent_by_server,
    "watchers": watching.in_the_box,
    "gevent": watching.gevent,
    "start": beginning.first_page,
    "start-many": beginning.first_page_of_many,
    "paint": paint.on_a_bad_line,
    "lighthouse": lighthouse.mobile,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of: {', '.join(GROUPS)}")
    parser.add_argument("--quick", action="store_true", help="only see whether everything works")
    options = parser.parse_args()
    if unknown := set(options.rows) - set(GROUPS):
        parser.error(f"there is no row {', '.join(sorted(unknown))}")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), options.quick)
        for name in options.rows or GROUPS:
            for row in GROUPS[name](bench):
                rows.append(row)
                print("; ".join(filter(None, row.cells())), flush=True)
    told = f"# Speed\n\n{machine()}\n\n{table(rows)}"
    if options.rows or options.quick:
        print(f"\n{told}")
    else:
        RESULTS.write_text(told, encoding="utf-8")
        print(f"\nKept in {RESULTS}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
