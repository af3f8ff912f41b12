"""Text in pictures: how wide it is about, where it is cut, and labels that do not collide."""

import unicodedata
from collections.abc import Sequence

LETTER = 0.6  # widths of a bold letter, in its height
WIDE = 1.09  # the same of a wide one
ISOLATE, END = "\u2068", "\u2069"  # a name keeps its own direction of writing to itself


def width(text: str, size: float) -> float:
    """Return about how wide a text is at a size; letters of some scripts are twice as wide."""
    return size * sum(
        WIDE if unicodedata.east_asian_width(c) in "WF" or c in "WMmw@%" else LETTER
        for c in text
        if not unicodedata.combining(c)
    )


def cut(text: str, room: float, size: float) -> str:
    """Return as much of a name as there is room for, which keeps its direction to itself."""
    if width(text, size) > room:
        shown = ""
        for character in text:
            if width(f"{shown}{character}…", size) > room:
                break
            shown += character
        text = f"{shown}…"
    return f"{ISOLATE}{text}{END}"


def apart(heights: Sequence[float], line: float, top: float, bottom: float) -> list[float]:
    """Return heights pushed apart, in their order, so that no label lies on another.

    They stay between top and bottom where there is room for all of them.
    """
    placed = [0.0] * len(heights)
    free = top
    for n in sorted(range(len(heights)), key=lambda n: heights[n]):
        placed[n] = max(heights[n], free)
        free = placed[n] + line
    over = max(placed, default=bottom) - bottom
    if over > 0:
        # The lowest goes up, and takes along only those that it would lie on.
        free = bottom
        for n in sorted(range(len(heights)), key=lambda n: -placed[n]):
            placed[n] = min(placed[n], free)
            free = placed[n] - line
    return placed
