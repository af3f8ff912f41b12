"""The lines of a CSV file and its header: where it stands, what separates its cells, what it names.

The names of `COLUMNS` are read as they are. For those of a sheet written by hand, the words in
which players name them in each language of the program are read too, and that is told.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import BinaryIO, NamedTuple

from scorekeeper.files.csv_columns import (
    BLANKS,
    COLUMNS,
    REQUIRED,
    SheetError,
    Tell,
    at_line,
    excerpt,
)
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext

MAX_LINE_BYTES = 1 << 20  # bytes
PIECE = 1 << 16  # bytes


class LineTooLong(ValueError):
    """A line longer than `MAX_LINE_BYTES`, as in a file that has no line ends."""


class _CheckedBytes(io.BufferedIOBase):
    """The bytes of a file; refuses a NUL byte and an endless line, which Python would accept."""

    name = ""  # required by TextIOWrapper

    def __init__(self, source: BinaryIO):
        self._source = source
        self._since_line_end = 0

    def readable(self) -> bool:
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        try:
            piece = self._source.read(PIECE)
        except OSError as error:
            sentence = _("Can’t read the file: {reason}.")
            raise SheetError(None, sentence.format(reason=error.strerror or error)) from error
        if b"\0" in piece:
            at = piece.index(b"\0")
            raise UnicodeDecodeError("utf-8", piece, at, at + 1, "NUL")
        self._since_line_end += len(piece)
        if b"\n" in piece or b"\r" in piece:
            self._since_line_end = 0
        if self._since_line_end > MAX_LINE_BYTES:
            raise LineTooLong
        return piece


def lines_of(source: BinaryIO) -> io.TextIOWrapper:
    """Return the lines of a UTF-8 file, with or without a byte order mark, line ends unchanged.

    Iterating raises `UnicodeDecodeError` (for a NUL byte too), `LineTooLong`, and `SheetError`
    where the system cannot read the file.
    """
    return io.TextIOWrapper(_CheckedBytes(source), encoding="utf-8-sig", newline="")


def named_separator(first: str) -> str | None:
    """Return the separator that a spreadsheet's first line `sep=;` names, or None for any other."""
    found = re.fullmatch(r'"?sep=([,;|\t])"?', first.strip(" \r\n"), re.IGNORECASE)
    return found[1] if found else None


def sheet_error(error: UnicodeDecodeError | LineTooLong, line: int) -> SheetError:
    """Return a decoding error as a `SheetError`; `line` is the line that was read next."""
    if isinstance(error, LineTooLong):
        return SheetError(line, _("This line is far too long. Is it a spreadsheet saved as CSV?"))
    line += len(re.findall(rb"\r\n|\r|\n", error.object[: error.start]))
    if error.object[error.start : error.start + 1] == b"\0":
        sentence = _("This isn’t a text file. Save the spreadsheet as “CSV UTF-8”.")
        return SheetError(line, sentence)
    return SheetError(line, _("This isn’t UTF-8. Save the spreadsheet as “CSV UTF-8”."))


LONGEST_NAME = 200  # characters of a column's, which may be none of ours
TITLE_LINES = 10  # above a header
MOST_COLUMNS = 200  # of a sheet that people fill in; what stands beyond is no header of ours

# What players call the columns of a sheet, in English, German, Spanish, French, Arabic and Hindi.
_WORDS: Mapping[str, str] = {
    "game": """
        game id, game no, game number, match
        spiel, partie, spielnummer, spiel nr
        juego, partida
        jeu
        اللعبة, لعبة, المباراة, مباراة
        खेल, गेम, बाज़ी, बाजी
    """,
    "started": """
        started at, date, date and time
        datum, beginn, begonnen
        fecha, inicio
        début
        التاريخ, تاريخ
        तारीख, तारीख़, दिनांक
    """,
    "round": """
        hand, deal, rounds, rd, rnd, round no, round number, hand no, hand number
        deal no, deal number
        runde, rundennummer, runde nr
        ronda, mano, vuelta, ronda nº
        manche, donne, tour, manche nº
        الجولة, جولة, الدور, دور
        राउंड, दौर, चक्र
    """,
    "dealer": """
        dealer seat
        geber, kartengeber
        repartidor, reparte
        donneur
        الموزّع, الموزع, موزع
        डीलर, बाँटने वाला, बांटने वाला
    """,
    "seat": """
        seat no, seat number
        sitz, sitzplatz
        asiento
        siège
        المقعد, مقعد
        सीट
    """,
    "player": """
        name, player name, players
        spieler, spielerin, spielername
        jugador, jugadora, nombre
        joueur, joueuse, nom
        اللاعب, لاعب, الاسم, اسم, اسم اللاعب
        खिलाड़ी, नाम, खिलाडी
    """,
    "bid": """
        bids, call, calls, called, contract
        gebot, gebote, ansage, angesagt, reizung
        apuesta, apuestas, puja, pujas, pedidas, declaración, cante
        annonce, annonces, enchère, enchères, contrat, pari
        الطلب, طلب, المزايدة, مزايدة
        बोली, कॉल, बिड
    """,
    "tricks": """
        trick, books, tricks taken, tricks won, tricks made, taken, took
        stich, stiche, gemachte stiche
        bazas, baza, bazas ganadas, bazas hechas
        plis, pli, levées, plis faits, plis remportés
        الأكلات, أكلات, اكلات, الاكلات, اللمات, لمات
        हाथ, सर, बने हाथ
    """,
}


def plain(text: str) -> str:
    """Return a word as it is compared: without case, signs at its ends and extra blanks."""
    text = unicodedata.normalize("NFC", text[:LONGEST_NAME].replace("_", " ").casefold())
    return " ".join(text.split()).strip(" .:#*\u200e\u200f")


_COLUMN_OF = {
    plain(word): column
    for column, words in _WORDS.items()
    for line in words.splitlines()
    for word in line.split(",")
    if word.strip()
}


# The words that begin a row of totals.
TOTALS = {
    plain(word)
    for word in """
        total, totals, grand total, subtotal, sum, sums, final, final score, score
        summe, gesamt, gesamtsumme, zwischensumme, endstand, stand, punkte gesamt
        suma, totales, total final
        somme, totaux, total général
        المجموع, مجموع, الإجمالي, إجمالي, الاجمالي
        कुल, योग, कुल योग, जोड़
    """.replace("\n", ",").split(",")
    if word.strip()
}


class Header(NamedTuple):
    """Where a header stands, counted from 0 in the first lines, and what separates the cells.

    `blanks` is whether a blank follows each separator.
    """

    at: int
    separator: str
    blanks: bool


def find_header(lines: Sequence[str], named: str | None) -> Header:
    """Return the first of the lines that names the most of the columns that are required.

    `named` is the separator that the file names. Where no line names any, the first counts.
    """
    separators = [named or max(",;\t", key=line.count) for line in lines]
    headers = [
        _first_row(lines[at:], separator)[:MOST_COLUMNS] for at, separator in enumerate(separators)
    ]
    ours = [len(set(REQUIRED).intersection(_meant(header))) for header in headers]
    at = ours.index(max(ours))
    padded = headers[at][1:] and all(cell.startswith(" ") for cell in headers[at][1:])
    return Header(at if ours[at] else 0, separators[at], bool(padded))


def positions(header: Sequence[str], line: int, tell: Tell) -> dict[str, int]:
    """Return where each of our columns stands in a row; tells of others and of other words.

    Raises `SheetError` where one that is required is missing, or might be one of two.
    """
    if long := [name for name in header if len(name) > LONGEST_NAME]:
        sentence = _("“{name}” can have at most {most} characters. This one has {n}.")
        values = {"name": excerpt(long[0]), "most": LONGEST_NAME, "n": len(long[0])}
        raise SheetError(line, sentence.format(**values))
    names = [name.strip().casefold() for name in header]
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        sentence = _("Column {name} appears twice. Remove one.")
        raise SheetError(line, sentence.format(name=twice[0]))
    meant = _meant(header)
    for name in REQUIRED:
        if len(meant.get(name, ())) > 1:
            both = ", ".join(excerpt(header[at].strip()) for at in meant[name])
            sentence = _("Each of these columns could be {name}: {both}. Rename one to {name}.")
            raise SheetError(line, sentence.format(name=name, both=both))
    if missing := [name for name in REQUIRED if name not in meant]:
        sentence = _("The header must name the columns {needed}. Missing: {missing}.")
        lists = {"missing": ", ".join(missing), "needed": ", ".join(REQUIRED)}
        raise SheetError(line, sentence.format(**lists))
    found = {name: meant[name][0] for name in COLUMNS if len(meant.get(name, ())) == 1}
    for name, at in found.items():
        if names[at] != name:
            sentence = _("Column “{cell}” is read as {name}.")
            tell(at_line(line, sentence.format(cell=header[at].strip(BLANKS), name=name)))
    other = [name.strip() for at, name in enumerate(header) if at not in found.values()]
    if unread := list(filter(None, other)):
        sentence = ngettext(
            "Column {names} isn’t read.", "Columns {names} aren’t read.", len(unread)
        )
        tell(at_line(line, sentence.format(names=excerpt(", ".join(unread), LONGEST_NAME))))
    return found


def _meant(header: Sequence[str]) -> dict[str, list[int]]:
    """Return where each column may stand: where it has its own name, or else another word."""
    names = [name.strip().casefold() for name in header]
    meant = {name: [names.index(name)] for name in COLUMNS if name in names}
    words: dict[str, list[int]] = {}
    for at, cell in enumerate(header[:MOST_COLUMNS]):
        column = _COLUMN_OF.get(plain(cell))
        if column and column not in meant:
            words.setdefault(column, []).append(at)
    return meant | words


def _first_row(lines: Sequence[str], separator: str) -> list[str]:
    try:
        return next(csv.reader(lines, delimiter=separator), [])
    except csv.Error:
        return []
