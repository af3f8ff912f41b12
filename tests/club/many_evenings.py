"""Random evenings of every format, with whatever can happen to them.

Each has late entries, people who leave and return, byes, results by game and by hand that differ,
corrections, reopened matches and penalties. Every match is looked at as it starts, the standings
are counted anew, and the same seed plays the same evening again.

    python -m tests.club.many_evenings 1000    plays so many evenings of every format
"""

import sys
import time
from collections import Counter

from scorekeeper.club.events import FORMATS, Format, from_json, to_json
from scorekeeper.club.night import fold
from tests.club.evenings import MOST, Evening
from tests.club.laws import holds_at_the_start, standings_are_right


def play(seed: int, format_: Format, most: int = MOST) -> Evening:
    """Play an evening and return it. Raises `AssertionError` where something is not as it must."""
    evening = Evening(seed, format_, most, holds_at_the_start).play()
    standings_are_right(evening.night)
    assert fold(evening.events) == evening.night
    assert [from_json(to_json(event)) for event in evening.events] == evening.events
    assert Evening(seed, format_, most).play().events == evening.events
    return evening


def main(count: int) -> None:
    """Play so many evenings of every format and tell what happened in them."""
    for format_ in FORMATS:
        began, happened, largest = time.monotonic(), Counter[str](), 0
        for seed in range(count):
            try:
                evening = play(seed, format_)
            except Exception:
                print(f"{format_}, seed {seed}", file=sys.stderr)
                raise
            happened.update(evening.happened)
            largest = max(largest, len(evening.night.entries))
        took = time.monotonic() - began
        told = ", ".join(f"{word} {n}" for word, n in sorted(happened.items()))
        print(f"{format_}: {count} evenings, up to {largest} entries, {took:.0f} s; {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
