"""Games from a file: our JSON, our CSV, or a CSV file with only the required columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from scorekeeper.files.csv_columns import (
    COLUMNS,
    FileError,
    Sheet,
    Tell,
    at_line,
    find_long_cell,
    tell_nobody,
    told_first,
)
from scorekeeper.files.csv_header import (
    TITLE_LINES,
    TOTALS,
    LineTooLong,
    find_header,
    named_separator,
    plain,
    sheet_error,
)
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json, moment
from scorekeeper.files.strict_json import InvalidValue, quoted
from scorekeeper.free_text import name_key
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, plain_digits
from scorekeeper.rules.presets import DEFAULT
from scorekeeper.store.games import MAX_ROUNDS
from scorekeeper.store.imports import Match
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.locks import in_slices

LARGEST_UPLOAD = 1 << 20  # bytes
MAX_ROWS = 2000
MAX_COLUMNS = 64
MAX_LINES = 10_000  # also empty ones, and rows that are skipped
MAX_LINE = 1 << 16  # bytes
MAX_CHANGES = 2000  # of one game; a long evening with many corrections makes some hundred
MAX_FAULTS = 50
BID = re.compile(
    r"([0-9]{1,2}([.,]0{1,2})?|nil|blind\s+(nil|[0-9]{1,2}))?", re.IGNORECASE | re.ASCII
)
TRICKS = re.compile(r"[0-9]{1,2}([.,]0{1,2})?", re.ASCII)


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
    source: io.BufferedReader, rules_key: str = DEFAULT.key, tell: Tell = tell_nobody
) -> Iterator[GameRecord]:
    """Yield the games of a file of any length; raises `FileError` at the first wrong line.

    A game of a CSV file that names no rule book is scored by that of `rules_key`, and `tell` is
    given the first sentences as by `read_games`, and about games that are the same as one before.
    """
    with told_first(tell) as tell_few:
        if is_json(source.peek(1024)):
            games = games_of_json(source)
        else:
            games = _games_of_sheets(read_games(source, rules_key, tell_few), tell_few)
        for game in in_slices(games):
            for name in game.people:
                if _twice_encoded(name):
                    sentence = _("{name} was encoded twice. Save the original file as UTF-8 again.")
                    raise FileError(None, sentence.format(name=quoted(name)))
            yield game


def read_upload(data: bytes, rules_key: str) -> Upload:
    """Return the games in an uploaded file, or the errors of its lines."""
    try:
        _check_lines(data)
    except FileError as fault:
        return Upload([], [fault], [], names_rules=False)
    names_rules = is_json(data) or _names_rules(data)
    faults: list[FileError] = []
    notices: list[str] = []
    games: list[GameRecord] = []
    try:
        left = MAX_ROWS
        for game in games_of_file(_reader(data), rules_key, notices.append):
            games.append(game)
            left -= len(game.rounds) * len(game.starters)
            if left < 0:
                raise _too_long()
            if len(game.lines) > MAX_CHANGES:
                sentence = _(
                    "Game {id} has more than {most} changes. Import the file on the server: "
                    "scorekeeper import FILE"
                )
                raise FileError(None, sentence.format(id=quoted(game.id), most=MAX_CHANGES))
    except FileError as fault:
        faults = (
            [fault]
            if is_json(data) or isinstance(fault, _TooLong)
            else _every_fault(data, rules_key, fault)
        )
    for one in faults:
        one.line = one.line or _line_of(data, one.message)
    return Upload([] if faults else games, faults[:MAX_FAULTS], notices, names_rules)


def is_json(head: bytes) -> bool:
    """Return whether a file with this beginning is JSON."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*([{\[]|"\s*[{\[\\])', head))


def _reader(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def _games_of_sheets(sheets: Iterable[Sheet], tell: Tell) -> Iterator[GameRecord]:
    """Yield the games of a CSV file; tells which is the same as one before."""
    lines: dict[int, int] = {}  # where games begin, by hashes of what was played, and when
    for sheet in sheets:
        game = _game_of(sheet)
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
        raise FileError(None, str(wrong)) from None
    rounds = tuple(islice(in_slices(sheet.rounds), MAX_ROUNDS + 1))
    if len(rounds) > MAX_ROUNDS:
        sentence = _("A game can have at most {most} rounds. Start a new one.")
        raise FileError(None, sentence.format(most=MAX_ROUNDS))
    return GameRecord(
        id=sheet.game,
        started=started,
        rules=sheet.rules,
        starters=sheet.names,
        first_dealer=sheet.first_dealer,
        stake=None,
        rounds=rounds,
    )


def _every_fault(data: bytes, rules_key: str, first: FileError) -> list[FileError]:
    """Return at most `MAX_FAULTS` errors of a CSV file: of cells, and the first of each game.

    A game with a wrong cell is not read any further.
    """
    if first.line == 1:
        return [first]
    try:
        text = data.decode("utf-8-sig")
        lines = text.splitlines()
        if named_separator(lines[0]):
            return [first]
        _at, separator, blanks = find_header(lines[:1], None)
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=blanks, strict=True))
    except (UnicodeDecodeError, LookupError, csv.Error):
        return [first]
    names = [name.strip().casefold() for name in rows[0]]
    if len(rows) != len(lines) or not {"round", "player", "bid", "tricks"} <= set(names):
        return [first]
    if len(rows) - 1 > MAX_ROWS or len(names) > MAX_COLUMNS:
        return [_too_long()]
    if _has_merged_cells(rows, names):
        return [first]
    found = list(islice(_faults_of_cells(rows, names), MAX_FAULTS))
    wrong = {fault.line for fault in found}
    header = lines[0]
    for places in _rows_of_games(rows, names):
        if len(found) == MAX_FAULTS:
            break
        if any(line in wrong for line in places):
            continue
        try:
            sheet = "\n".join([header, *(lines[line - 1] for line in places)])
            for _game in games_of_file(_reader(sheet.encode()), rules_key):
                pass
        except FileError as fault:
            # The line is counted within the lines of this game.
            within = fault.line and [1, *places][min(fault.line, len(places) + 1) - 1]
            found.append(FileError(within or _line_of(data, fault.message), fault.message))
    return sorted(found, key=lambda fault: fault.line or 0) or [first]


def _has_merged_cells(rows: list[list[str]], names: list[str]) -> bool:
    """Return whether rows have to be read with those above them, or skipped."""
    ours = [at for at, name in enumerate(names) if name in ("game", "round")]
    filled = [[at < len(row) and bool(row[at].strip()) for at in ours] for row in rows if any(row)]
    totals = (plain(cell) in TOTALS for row in rows for cell in row)
    return any(one != filled[1] for one in filled[1:]) or any(totals) or rows[0] in rows[1:]


def _rows_of_games(rows: list[list[str]], names: list[str]) -> Iterable[list[int]]:
    """Return the line numbers of each game, in the order of their first lines."""
    at_game = names.index("game") if "game" in names else None
    games: dict[str, list[int]] = {}
    for line, row in enumerate(rows[1:], 2):
        if any(row):
            cell = row[at_game] if at_game is not None and at_game < len(row) else ""
            games.setdefault(cell, []).append(line)
    return games.values()


def _faults_of_cells(rows: list[list[str]], names: list[str]) -> Iterator[FileError]:
    at_bid, at_tricks = names.index("bid"), names.index("tricks")
    ours = [(at, name) for at, name in enumerate(names) if name in COLUMNS]
    for line, row in enumerate(rows[1:], 2):
        row = row + [""] * (len(names) - len(row))
        if not any(row) or any(row[len(names) :]):
            continue
        if wrong := find_long_cell((name, row[at]) for at, name in ours):
            yield FileError(line, wrong)
        elif not BID.fullmatch(plain_digits(row[at_bid].strip())):
            sentence = _("{text} isn’t a bid. Use a number, nil or blind nil.")
            yield FileError(line, sentence.format(text=quoted(row[at_bid])))
        elif not TRICKS.fullmatch(plain_digits(row[at_tricks].strip())):
            sentence = _("{text} isn’t a number of tricks.")
            yield FileError(line, sentence.format(text=quoted(row[at_tricks])))


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


def _check_lines(data: bytes) -> None:
    """Raise `FileError` for a sheet of more or longer lines than a page takes time for."""
    if is_json(data) or b"\0" in data:
        return
    if max(data.count(b"\n"), data.count(b"\r")) > MAX_LINES:
        raise _too_long()
    for line, text in enumerate(data.splitlines(), 1):
        if len(text) > MAX_LINE:
            raise sheet_error(LineTooLong(), line)


def _too_long() -> "_TooLong":
    sentence = _(
        "The file has more than {rows} rows or {columns} columns. Import it on the server: "
        "scorekeeper import FILE"
    )
    return _TooLong(None, sentence.format(rows=MAX_ROWS, columns=MAX_COLUMNS))


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
