"""Text in pictures: how wide it is about, where it is cut, and labels that do not collide."""

import unicodedata
from collections.abc import Sequence

# How wide bold letters are, as a share of their height.
LETTER, CAPITAL, NARROW, WIDE = 0.6, 0.72, 0.38, 1.09
NO_WIDTH = {"Mn", "Me", "Cf"}  # marks on a letter, joiners, and what turns text around
ISOLATE, END = "\u2068", "\u2069"  # a name keeps its own direction of writing to itself


def width(text: str, size: float) -> float:
    """Return about how wide a text is at a size, rather too wide than too narrow."""
    return size * sum(map(_letter, text))


def _letter(character: str) -> float:
    if unicodedata.category(character) in NO_WIDTH:
        return 0
    if unicodedata.east_asian_width(character) in "WF" or character in "WMmw@%—…":
        return WIDE
    if character in "iljI.,:;'|! ":
        return NARROW
    return CAPITAL if character.isupper() else LETTER


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


def wrapped(text: str, room: float, size: float, lines: int) -> list[str]:
    """Return a sentence in so many lines at most, each of which keeps its direction to itself.

    A word too long for a line is broken, and what is too much for the last line is cut.
    """
    found: list[str] = []
    rest = text
    while rest and len(found) + 1 < lines and width(rest, size) > room:
        end = next(n for n in range(1, len(rest) + 1) if width(rest[: n + 1], size) > room)
        blank = rest.rfind(" ", 0, end + 1)
        line, rest = rest[: blank if blank > 0 else end], rest[blank + 1 if blank > 0 else end :]
        found.append(cut(line, room, size))
    return [*found, cut(rest, room, size)] if rest else found


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
