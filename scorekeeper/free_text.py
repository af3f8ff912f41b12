"""Words that people write: names of players in any script, notes, why points were given by hand."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.sentence import N_

SAME_NAME = N_("Two players have the same name. Add a letter to tell them apart.")

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
    """Return a text as searches compare it, in the one form of `folded`."""
    return folded(one_line(text))


# What only a keyboard tells apart, in the six languages, as `static/js/players/names.js` has it:
# the first character of each line stands for all, kashida for nothing. Accents, and letters with a
# sound of their own, stay as they are.
_ALIKE = (
    "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd"
    "\u1ffe\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\ua78b\ua78c\uff07\uff40",
    '"\u00ab\u00bb\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u301d\u301e\u301f\uff02',
    "-\u02d7\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d",
    "\u064a\u0649\u06cc",  # yeh of Arabic, without dots, of Persian
    "\u0643\u06a9\u06aa",  # kaf of Arabic, of Persian and Urdu, swash
    "\u0647\u06c1",  # heh of Arabic, of Urdu
    "\u0219\u015f",  # s and t of Romanian with a comma, as old keyboards have them with a cedilla
    "\u021b\u0163",
    *(f"{n}{chr(0x660 + n)}{chr(0x6F0 + n)}{chr(0x966 + n)}" for n in range(10)),
)
_FORMS = {ord(other): alike[0] for alike in _ALIKE for other in alike[1:]} | {0x640: None}


def folded(text: str) -> str:
    """Return the one form of all texts that a reader takes for the same.

    They differ in case, width, the forms of a letter, digits of other scripts, the keyboard's
    apostrophes, quotes and hyphens, and in signs that nobody sees.
    """
    if text.isascii():  # which most are, and comparing a file's games asks for many
        return text.casefold().replace("`", "'")
    text = unicodedata.normalize("NFKC", text.translate(_FORMS))
    text = unicodedata.normalize("NFKC", text.casefold()).translate(_FORMS)
    return "".join(c for c in text if unicodedata.category(c) != "Cf" and not _selects_form(c))


def _selects_form(character: str) -> bool:
    """Return whether a character only chooses among the forms of the one before it."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


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
    if _stacked_marks(name) > 4 or not any(_kind(c)[0] in "LNPS" for c in name):
        raise NameRefused(_("A name needs at least one letter, digit or symbol."))
    return name


def name_key(name: str) -> str:
    """Return the key by which names are compared: as `folded`, and without extra blanks.

    Of a text that is longer than any name, only the beginning is looked at.
    """
    return " ".join(folded(name[:LONGEST_TYPED]).split())


def spelling_key(name: str) -> str:
    """Return what tells players apart whose names have one key: all but case, width and blanks.

    There are such players where both were known before their names had one key, and where a file
    has both in one game.
    """
    if name.isascii():
        return " ".join(name[:LONGEST_TYPED].casefold().split())
    plain = unicodedata.normalize("NFKC", name[:LONGEST_TYPED])
    plain = unicodedata.normalize("NFKC", plain.casefold())
    kept = (c for c in plain if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")
    return " ".join("".join(kept).split())


def key_for(names: Sequence[str]) -> Callable[[str], str]:
    """Return the function that gives the players of a game in a file their keys.

    It is `name_key`, or `spelling_key` where the game has two whom only a keyboard tells apart: in
    one game they are two people.
    """
    is_twin_free = len({*map(name_key, names)}) == len({*map(spelling_key, names)})
    return name_key if is_twin_free else spelling_key


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
