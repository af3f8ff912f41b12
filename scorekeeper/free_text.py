"""Words that people write: names of players in any script, notes, why points were given by hand."""

import re
import unicodedata

from scorekeeper.i18n import gettext as _

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


LONGEST = 40  # characters
# Before NFC composes them: no character is composed of more than four. Sorting a run of marks takes
# quadratic time, so nothing is normalized that has more.
LONGEST_TYPED = 4 * LONGEST
JOINERS = "\u200c\u200d"  # shape letters in some scripts and join emoji; fine between characters
FORBIDDEN_KINDS = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
PICTURES = range(0x1F000, 0x1FB00)  # emoji, to which every year adds some that Python learns later


class NameRefused(ValueError):
    """An invalid name; the message says what to do."""


def normalize_name(name: str) -> str:
    """Return a name in Unicode form NFC with single blanks and none around it.

    Raises `NameRefused` for a name that is empty, has over 40 characters, or has characters that
    are invisible or change the direction of text.
    """
    if len(name) > LONGEST_TYPED:
        raise name_too_long(name)
    name = " ".join(unicodedata.normalize("NFC", name).split(" ")).strip(" \u00a0")
    name = re.sub(r"[ \u00a0\u2000-\u200a\u202f\u205f\u3000]+", " ", name).strip(" " + JOINERS)
    if not name:
        raise NameRefused(_("Enter a name for every player."))
    if len(name) > LONGEST:
        raise name_too_long(name)
    if HIDDEN.search(name) or any(_kind(c) in FORBIDDEN_KINDS for c in name):
        raise NameRefused(_("This name contains invisible characters. Type it again."))
    if _stacked_marks(name) > 4 or not any(_kind(c)[0] in "LNS" for c in name):
        raise NameRefused(_("A name needs at least one letter, digit or symbol."))
    return name


def name_key(name: str) -> str:
    """Return the key by which names are compared: without case, width and extra blanks.

    Of a text that is longer than any name, only the beginning is looked at.
    """
    name = name[:LONGEST_TYPED]
    if name.isascii():  # which most are, and comparing a file's games asks for many
        return " ".join(name.casefold().split())
    plain = unicodedata.normalize("NFKC", name)
    plain = unicodedata.normalize("NFKC", plain.casefold())
    kept = (c for c in plain if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")
    return " ".join("".join(kept).split())


def name_too_long(name: str) -> NameRefused:
    """Return the refusal of a name that has too many characters."""
    sentence = _("A name can have at most {most} characters. This one has {n}.")
    return NameRefused(sentence.format(most=LONGEST, n=len(name)))


def _kind(character: str) -> str:
    kind = unicodedata.category(character)
    return "So" if kind == "Cn" and ord(character) in PICTURES else kind


def _stacked_marks(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        longest = max(longest, run)
    return longest
