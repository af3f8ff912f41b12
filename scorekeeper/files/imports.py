"""Games from a file: our JSON, our CSV, or a CSV file with only the required columns."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from scorekeeper.files.csv_columns import (
    Faults,
    FileError,
    Sheet,
    Tell,
    at_line,
    tell_nobody,
    told_first,
)
from scorekeeper.files.csv_header import (
    TITLE_LINES,
    LineTooLong,
    find_header,
    named_separator,
    sheet_error,
)
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json, moment
from scorekeeper.files.strict_json import InvalidValue, quoted
from scorekeeper.free_text import name_key
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import DEFAULT
from scorekeeper.store.games import MAX_ROUNDS
from scorekeeper.store.imports import Match
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.locks import in_slices

LARGEST_UPLOAD = 1 << 20  # bytes, of a program
MAX_ROWS = 2000
LARGEST_OF_PAGE = 4 << 20
ROWS_OF_PAGE = 20_000
LINES_A_ROW = 5  # also empty ones, and rows that are skipped
MAX_LINES = LINES_A_ROW * MAX_ROWS
MAX_LINE = 1 << 16  # bytes
MAX_CHANGES = 2000  # of one game; a long evening with many corrections makes some hundred
MAX_FAULTS = 50


class Upload(NamedTuple):
    """The games of an uploaded file, or all its errors, each with its line.

    `names_rules` is whether the file names the rules of each game; `notices` are sentences about
    what was read otherwise than it stands.
    """

    games: list[GameRecord]
    faults: list[FileError]
    notices: list[str]
    names_rules: bool


class _TooLong(FileError):
    """A file that is read on the command line only."""


def games_of_file(
    source: io.BufferedReader,
    rules_key: str = DEFAULT.key,
    tell: Tell = tell_nobody,
    faults: Faults | None = None,
) -> Iterator[GameRecord]:
    """Yield the games of a file of any length; raises `FileError` at the first wrong line.

    With `faults` for more than one the next games of a CSV file are read too. A game of one that
    names no rule book is scored by that of `rules_key`, and `tell` is given the first sentences as
    by `read_games`, and about games that are the same as one before.
    """
    faults = faults or Faults()
    with told_first(tell) as tell_few:
        if is_json(source.peek(1024)):
            games = games_of_json(source)
        else:
            sheets = read_games(source, rules_key, tell_few, faults)
            games = _games_of_sheets(sheets, tell_few, faults)
        for game in in_slices(games):
            for name in game.people:
                if _twice_encoded(name):
                    sentence = _("{name} was encoded twice. Save the original file as UTF-8 again.")
                    faults.add(FileError(None, sentence.format(name=quoted(name))), game.id)
            yield game


def read_upload(data: bytes, rules_key: str, most_rows: int = MAX_ROWS) -> Upload:
    """Return the games in an uploaded file, or the errors of its lines."""
    try:
        _check_lines(data, most_rows)
    except FileError as fault:
        return Upload([], [fault], [], names_rules=False)
    names_rules = is_json(data) or _names_rules(data)
    faults = Faults(MAX_FAULTS)
    last: list[FileError] = []  # with which reading ended
    notices: list[str] = []
    games: list[GameRecord] = []
    try:
        left = most_rows
        for game in games_of_file(_reader(data), rules_key, notices.append, faults):
            games.append(game)
            left -= len(game.rounds) * len(game.starters)
            if left < 0:
                raise _too_long(most_rows)
            if len(game.lines) > MAX_CHANGES:
                sentence = _(
                    "Game {id} has more than {most} changes. Import the file on the server: "
                    "scorekeeper import FILE"
                )
                raise FileError(None, sentence.format(id=quoted(game.id), most=MAX_CHANGES))
    except _TooLong as fault:
        return Upload([], [fault], notices, names_rules)
    except FileError as fault:
        last = [fault]
    found = list(dict.fromkeys([*faults, *last]))[:MAX_FAULTS]
    for one in found:
        one.line = one.line or _line_of(data, one.message)
    found.sort(key=lambda one: one.line or 0)
    return Upload([] if found else games, found, notices, names_rules)


def is_json(head: bytes) -> bool:
    """Return whether a file with this beginning is JSON."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*([{\[]|"\s*[{\[\\])', head))


def _reader(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def _games_of_sheets(sheets: Iterable[Sheet], tell: Tell, faults: Faults) -> Iterator[GameRecord]:
    """Yield the games of a CSV file; tells which is the same as one before."""
    lines: dict[int, int] = {}  # where games begin, by hashes of what was played, and when
    for sheet in sheets:
        try:
            game = _game_of(sheet)
        except FileError as error:
            faults.add(error, sheet.game)
            continue
        names = tuple(map(name_key, game.starters))
        played = (game.rules, names, game.first_dealer, game.rounds)
        began, plain_key = hash((played, game.started)), hash((played, ""))
        if began in lines:
            sentence = _(
                "This game is the same as the one at line {line}. If it was played just once, "
                "remove it from the file."
            )
            tell(at_line(sheet.line, sentence.format(line=lines[began])))
        for key in (began, plain_key):
            lines.setdefault(key, sheet.line)
        yield game


def _game_of(sheet: Sheet) -> GameRecord:
    try:
        started = moment(sheet.started) if sheet.started else ""
    except InvalidValue as wrong:
        raise FileError(sheet.line, str(wrong)) from None
    rounds = tuple(islice(in_slices(sheet.rounds), MAX_ROUNDS + 1))
    if len(rounds) > MAX_ROUNDS:
        sentence = _("A game can have at most {most} rounds. Start a new one.")
        raise FileError(sheet.line, sentence.format(most=MAX_ROUNDS))
    return GameRecord(
        id=sheet.game,
        started=started,
        rules=sheet.rules,
        starters=sheet.names,
        first_dealer=sheet.first_dealer,
        stake=None,
        rounds=rounds,
    )


def _line_of(data: bytes, message: str) -> int | None:
    """Return the first line that contains the text quoted in a message."""
    quoted = re.search("“(.+?)…?”", message)
    for line, text in enumerate(data.splitlines(), 1) if quoted else ():
        if quoted and quoted[1].encode() in text:
            return line
    return None


def _names_rules(data: bytes) -> bool:
    lines = data.decode("utf-8-sig", "replace").splitlines()[: TITLE_LINES + 2] or [""]
    named = named_separator(lines[0])
    lines = lines[1:] if named and lines[1:] else lines
    header = lines[find_header(lines, named).at].casefold()
    return "rules" in [cell.strip(' "') for cell in re.split(r"[,;|\t]", header)]


def _twice_encoded(text: str) -> bool:
    """Return whether a text is UTF-8 that was decoded as another encoding and encoded again."""
    for code in ("cp1252", "latin-1"):
        try:
            if text.encode(code).decode("utf-8") != text:
                return True
        except UnicodeError:
            continue
    return False


def _check_lines(data: bytes, most_rows: int) -> None:
    """Raise `FileError` for a sheet of more or longer lines than a page takes time for."""
    if is_json(data) or b"\0" in data:
        return
    if max(data.count(b"\n"), data.count(b"\r")) > LINES_A_ROW * most_rows:
        raise _too_long(most_rows)
    for line, text in enumerate(data.splitlines(), 1):
        if len(text) > MAX_LINE:
            raise sheet_error(LineTooLong(), line)


def _too_long(most_rows: int) -> "_TooLong":
    sentence = _(
        "The file has more than {rows} rows. Import it on the server: scorekeeper import FILE"
    )
    return _TooLong(None, sentence.format(rows=most_rows))


def import_summary(counts: Counter[Match]) -> str:
    """Return in words how many games were imported."""
    n, here, gone, other = (counts[kind] for kind in ("new", "same", "removed", "other"))
    said = [ngettext("Imported {n} game.", "Imported {n} games.", n).format(n=n)]
    if here:
        sentence = ngettext("{n} was already here.", "{n} were already here.", here)
        said.append(sentence.format(n=here))
    if gone:
        sentence = ngettext("{n} is in Deleted games.", "{n} are in Deleted games.", gone)
        said.append(sentence.format(n=gone))
    if other:
        sentence = _("{n} already here with different rounds, left unchanged.")
        said.append(sentence.format(n=other))
    return " ".join(said)


def import_failure() -> str:
    """Return in words why nothing was imported, where a journal is invalid."""
    return " ".join(
        [_("A game’s change log doesn’t match its rounds."), _("Nothing was imported.")]
    )
