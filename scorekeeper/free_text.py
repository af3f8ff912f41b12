"""Words that people write about a game: notes, and why points were given by hand."""

import re
import unicodedata

# Characters that nobody sees, or that change the direction of the text around them.
HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069"
    "\u2800\u3164\ufeff\uffa0\ufff9-\ufffd\U000e0000-\U000e007f]"
)


def one_line(text: str) -> str:
    """Return a text in Unicode form NFC on one line, without characters that nobody sees.

    Blanks at its ends are left out, and several become one. Phones do the same.
    """
    text = HIDDEN.sub("", unicodedata.normalize("NFC", text))
    text = "".join(" " if _is_control(character) else character for character in text)
    return " ".join(text.split())


def search_key(text: str) -> str:
    """Return a text as searches compare it, without case and width."""
    return unicodedata.normalize("NFKC", one_line(text)).casefold()


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
