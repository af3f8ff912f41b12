"""The JSON file format: games with everything that is recorded about them.

`{"scorekeeper": 1, "games": [` stands on the first line, then each game on a line of its own, and
`]}` on the last, so that files of any length are written and read game by game. Seats are
counted from 1. Secret keys and the ids of phones are never in it.
"""

import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from scorekeeper.files.csv.columns import FileError
from scorekeeper.files.json.strict_json import InvalidValue, Json, parse
from scorekeeper.files.json.values import game_of
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import Round
from scorekeeper.store.game_record import GameRecord, Line

FORMAT = 1
HEAD = f'{{"scorekeeper":{FORMAT},"games":['
TAIL = "]}"
MAX_GAME_BYTES = 8 << 20  # bytes


def json_of(games: Iterable[GameRecord]) -> Iterator[bytes]:
    """Yield games as a JSON file, in one piece for each game."""
    yield f"{HEAD}\n".encode()
    comma = ""
    for game in games:
        compact = json.dumps(_game(game), ensure_ascii=False, separators=(",", ":"))
        yield (comma + compact).encode()
        comma = ",\n"
    yield (("\n" if comma else "") + f"{TAIL}\n").encode()


def games_of_json(source: BinaryIO) -> Iterator[GameRecord]:
    """Yield the games of a JSON file; raises `FileError` at the first that is not valid.

    A file that another program has reformatted is read too, up to `MAX_GAME_BYTES` bytes.
    """
    first = source.readline(MAX_GAME_BYTES)
    if first.strip() != HEAD.encode():
        yield from _games_of_one_piece(first + source.read(MAX_GAME_BYTES - len(first)))
        return
    line, ended = 1, False
    while text := source.readline(MAX_GAME_BYTES):
        line += 1
        if ended and text.strip():
            raise FileError(line, _("There’s more data after the last game."))
        ended = ended or text.strip() == TAIL.encode()
        if not ended:
            yield _game_of_line(text.strip().removesuffix(b","), line)
    if not ended:
        raise FileError(line, _("The file is incomplete: the last line is missing."))


def _game_of_line(text: bytes, line: int) -> GameRecord:
    try:
        return game_of(parse(text))
    except InvalidValue as wrong:
        raise FileError(line, str(wrong)) from None


def _games_of_one_piece(data: bytes) -> Iterator[GameRecord]:
    if len(data) == MAX_GAME_BYTES:
        raise FileError(None, _("The file is too large. Put each game on its own line."))
    try:
        value = parse(data)
    except InvalidValue as wrong:
        raise FileError(None, str(wrong)) from None
    if isinstance(value, str):
        raise FileError(1, _("This is JSON inside a string: it was encoded twice."))
    if not isinstance(value, dict) or value.get("scorekeeper") != FORMAT or len(value) != 2:
        raise FileError(1, _("This isn’t a Scorekeeper file, or it’s from a newer version."))
    if not isinstance(value.get("games"), list):
        raise FileError(1, _("“games” must be a list."))
    for number, game in enumerate(value["games"], 1):
        try:
            yield game_of(game)
        except InvalidValue as wrong:
            sentence = _("Game {n}: {why}")
            raise FileError(None, sentence.format(n=number, why=wrong)) from None


def _game(game: GameRecord) -> Json:
    return {
        "id": game.id,
        "started": game.started,
        "rules": game.rules.values,
        "players": list(game.starters),
        "first_dealer": game.first_dealer + 1,
        "stake": game.stake,
        "rounds": [_round(round_) for round_ in game.rounds],
        "changes": [_line(line) for line in game.lines],
    }


def _round(round_: Round) -> Json:
    entered = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    notes: Json = {"last_round": True} if round_.last_round else {}
    if round_.penalties:
        notes["penalties"] = [one._asdict() | {"seat": one.seat + 1} for one in round_.penalties]
    if round_.substitutes:
        seats = round_.substitutes
        notes["substitutes"] = [one._asdict() | {"seat": one.seat + 1} for one in seats]
    return entered | notes


def _line(line: Line) -> Json:
    return {
        "at": line.at,
        "phone": line.phone,
        "kind": line.kind,
        "round": line.round,
        "before": _state(line.before),
        "after": _state(line.after),
        "stands": line.stands,
        "follows": line.follows,
    }


def _state(state: Round | Json | None) -> Json | None:
    if isinstance(state, Round):
        return _round(state)
    if state and "first_dealer" in state:
        return state | {"first_dealer": state["first_dealer"] + 1}
    return state
