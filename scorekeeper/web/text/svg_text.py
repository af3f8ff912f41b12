"""Text in SVG: how wide it is, truncated, wrapped, and kept apart."""

import unicodedata
from collections.abc import Sequence

# Widths of bold characters, as a fraction of the font size.
LETTER, CAPITAL, NARROW, WIDE = 0.6, 0.72, 0.38, 1.09
NO_WIDTH = {"Mn", "Me", "Cf"}  # combining marks and format characters
MARKS = {"Mn", "Mc", "Me"}  # combining marks, which stay with their letter
ISOLATE, END = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
BETWEEN = " · "  # names of partners


def width(text: str, size: float) -> float:
    """Return the estimated width of a text at a font size, rather too wide than too narrow."""
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
    """Return a name truncated to a width, isolated from the direction of the text around it."""
    return f"{ISOLATE}{_truncated(text, room, size)}{END}"


def cut_names(names: Sequence[str], room: float, size: float) -> str:
    """Return the names of partners truncated to a width, the longer one first, isolated as one."""
    free = room - width(BETWEEN, size) * (len(names) - 1)
    shown = list(names)
    for done, n in enumerate(sorted(range(len(names)), key=lambda n: width(names[n], size))):
        shown[n] = _truncated(names[n], free / (len(names) - done), size)
        free -= width(shown[n], size)
    return f"{ISOLATE}{BETWEEN.join(shown)}{END}"


def _truncated(text: str, room: float, size: float) -> str:
    if width(text, size) <= room:
        return text
    shown = ""
    for character in text:
        if width(f"{shown}{character}…", size) > room:
            break
        shown += character
    return f"{shown}…"


def wrapped(text: str, room: float, size: float, lines: int) -> list[str]:
    """Return a sentence wrapped into at most `lines` lines, each isolated as `cut` does.

    A word that is too long for a line is broken between letters, and the last line is truncated.
    """
    found: list[str] = []
    rest = text
    while rest and len(found) + 1 < lines and width(rest, size) > room:
        end = next(n for n in range(1, len(rest) + 1) if width(rest[: n + 1], size) > room)
        while end > 1 and unicodedata.category(rest[end]) in MARKS:
            end -= 1
        blank = rest.rfind(" ", 0, end + 1)
        line, rest = rest[: blank if blank > 0 else end], rest[blank + 1 if blank > 0 else end :]
        found.append(cut(line, room, size))
    return [*found, cut(rest, room, size)] if rest else found


def apart(heights: Sequence[float], line: float, top: float, bottom: float) -> list[float]:
    """Return the heights of labels moved apart, in order, so that none overlap.

    They stay between top and bottom if there is room for all of them.
    """
    placed = [0.0] * len(heights)
    free = top
    for n in sorted(range(len(heights)), key=lambda n: heights[n]):
        placed[n] = max(heights[n], free)
        free = placed[n] + line
    over = max(placed, default=bottom) - bottom
    if over > 0:
        # The lowest label moves up, and moves only those that it would overlap.
        free = bottom
        for n in sorted(range(len(heights)), key=lambda n: -placed[n]):
            placed[n] = min(placed[n], free)
            free = placed[n] - line
    return placed
