"""The JSON file format: games with everything that is recorded about them, and its checks.

`{"scorekeeper": 1, "games": [` stands on the first line, then each game on a line of its own, and
`]}` on the last, so that files of any length are written and read game by game. Seats are
counted from 1. Secret keys and the ids of phones are never in it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import BinaryIO

from scorekeeper.clock import stamp
from scorekeeper.files.csv_columns import FileError
from scorekeeper.files.round_json import (
    RoundsReader,
    check_numbers,
    read_name,
    read_round,
    round_json,
)
from scorekeeper.files.strict_json import (
    InvalidValue,
    Json,
    list_of,
    members_of,
    number_of,
    optional_of,
    parse,
    quoted,
    text_of,
)
from scorekeeper.free_text import SAME_NAME, NameRefused, key_for, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import number_range, translate
from scorekeeper.rules.faces import COLORS, SHAPES, Face
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import PRESETS, at_table, restore
from scorekeeper.rules.round import NOTHING, Round, check_notes
from scorekeeper.rules.ruleset import RuleSet, RulesRefused
from scorekeeper.rules.seating import check_seating
from scorekeeper.rules.values import MOST_PLAYERS, PACK, UNSCORED
from scorekeeper.store.games import MAX_ROUNDS
from scorekeeper.store.journal import GameRecord, Line

GAME = ("id", "started", "rules", "players", "first_dealer", "stake", "rounds", "changes", "faces")
LINE = ("at", "phone", "kind", "round", "before", "after", "stands", "follows")
SETUP = ("rules", "house_rules", "rule_values", "first_dealer", "stake", "started")
# Rule values that files of older versions may lack.
DEFAULTS = {spec.name: spec.default for spec in fields(RuleSet) if spec.default is not MISSING}
MAX_STAKE = 9_999_999
MAX_ID_LENGTH = 40
MAX_LINES = 50_000
# Not the present: a server whose clock is behind takes in games of the others too.
EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


def game_of(value: object) -> GameRecord:
    """Return a game whose every part is valid. Raises `InvalidValue`."""
    if isinstance(value, dict):
        value = {"faces": []} | value  # files of older versions lack them
    members = members_of(value, GAME, _("a game"))
    rules = _rules(members["rules"])
    names = _names(members["players"], rules)
    players = len(names)
    reader = RoundsReader(rules, names)
    rounds = tuple(map(reader.read, list_of(members["rounds"], "rounds", MAX_ROUNDS)))
    _check_seating(rules, names, rounds)
    dealer = number_of(members["first_dealer"], "first_dealer", 1, players) - 1
    lines = [_read_line(one, players) for one in list_of(members["changes"], "changes", MAX_LINES)]
    if lines and (lines[0].kind != "begin" or lines[0].round is not None):
        raise InvalidValue(_("A game’s first change must be its start."))
    game = GameRecord(
        id=text_of(members["id"], "id", "[0-9A-Za-z_-]*", MAX_ID_LENGTH),
        started=moment(members["started"]),
        rules=rules,
        starters=names,
        first_dealer=dealer,
        stake=optional_of(members["stake"], "stake", 1, MAX_STAKE),
        rounds=rounds,
        lines=tuple(lines),
        faces=tuple(_face(one) for one in list_of(members["faces"], "faces", MAX_LINES)),
    )
    _check_fold(game)
    return game


def moment(value: object) -> str:
    """Return a time as it is stored. Raises `InvalidValue` before 1900 and after 2999."""
    try:
        text = text_of(value, "started", "[-+:.0-9TZ ]+", 40)
        at = datetime.fromisoformat(text)
        if at.tzinfo is None or not EARLIEST <= at < LATEST:
            raise ValueError
        return stamp(at)
    except (ValueError, OverflowError):
        sentence = _("{text} isn’t a valid time. Use the form 2025-11-21T19:30:00+01:00.")
        raise InvalidValue(sentence.format(text=quoted(value))) from None


def _rules(value: object) -> RuleSet:
    key = value.get("key") if isinstance(value, dict) else None
    base = PRESETS.get(key) if isinstance(key, str) else None
    if base is None or not isinstance(value, dict):
        raise InvalidValue(_("“rules” must contain every value of a known rule set."))
    players = _players(value, base)
    value = DEFAULTS | {name: base.values[name] for name in UNSCORED} | value
    members_of(value, tuple(base.values), _("“rules”"))
    fixed = {"players": players, "partnerships": base.partnerships}
    if not _is_name(value["name"]):
        fixed["name"] = base.name
    try:
        return restore(value | fixed)
    except RulesRefused as refused:
        raise InvalidValue(translate(refused.sentence)) from None


def _players(value: Json, base: RuleSet) -> tuple[int, ...]:
    """Return the numbers of players; files from before they could be chosen have the book's."""
    if "deal" not in value:
        return base.players
    return tuple(list_of(value.get("players"), "players", MOST_PLAYERS))


def _is_name(value: object) -> bool:
    """Return whether a text is a valid name of house rules."""
    try:
        return isinstance(value, str) and normalize_name(value) == value
    except NameRefused:
        return False


def _names(value: object, rules: RuleSet) -> tuple[str, ...]:
    names = tuple(read_name(one) for one in list_of(value, "players", PACK))
    try:
        at_table(rules, len(names), cards_set=True)  # its values are complete
    except RulesRefused as refused:
        if refused.field == "tricks":
            raise InvalidValue(translate(refused.sentence)) from None
        sizes = number_range(rules.table_sizes)
        sentence = _("{rules} is for {sizes} players, but there are {n}.")
        words = sentence.format(rules=rules.name, sizes=sizes, n=len(names))
        raise InvalidValue(words) from None
    if len(set(map(key_for(names), names))) < len(names):
        raise InvalidValue(translate(SAME_NAME))
    return names


def _face(value: object) -> tuple[str, Face]:
    """Return a player with the face. Raises `InvalidValue`."""
    members = members_of(value, ("player", *Face._fields), _("a player"))
    shape = number_of(members["shape"], "shape", 1, SHAPES)
    return read_name(members["player"]), Face(
        shape, number_of(members["color"], "color", 1, COLORS)
    )


def _check_seating(rules: RuleSet, names: tuple[str, ...], rounds: tuple[Round, ...]) -> None:
    came = [one.player for round_ in rounds for one in round_.notes.substitutes if one.player]
    key = key_for([*names, *came])
    keys = [
        tuple(one._replace(player=one.player and key(one.player)) for one in substitutes)
        for substitutes in (round_.notes.substitutes for round_ in rounds)
    ]
    for refusal in check_seating(rules, [*map(key, names)], keys):
        raise InvalidValue(translate(refusal.sentence))


def _check_fold(game: GameRecord) -> None:
    try:
        fold(
            game.rules,
            len(game.starters),
            game.first_dealer,
            game.rounds,
            starters=game.starters,
        )
    except (ValueError, TypeError):
        sentence = _(
            "The rounds aren’t a valid game: one is unfinished or has a bid the rules don’t allow."
        )
        raise InvalidValue(sentence) from None


def _read_line(value: object, players: int) -> Line:
    members = members_of(value, LINE, _("a change"))
    number = optional_of(members["round"], "round", 1, MAX_ROUNDS)
    before, after = (
        None
        if members[side] is None
        else _setup(members[side])
        if number is None
        else _round_of_change(members[side], players)
        for side in ("before", "after")
    )
    phone = members["phone"]
    return Line(
        at=moment(members["at"]),
        phone=None if phone is None else read_name(phone),
        kind=text_of(members["kind"], "kind", "[a-z_]+", 20),
        round=number,
        before=before,
        after=after,
        head=number_of(members["stands"], "stands", 1, MAX_LINES),
        parent=optional_of(members["follows"], "follows", 1, MAX_LINES),
    )


def _round_of_change(value: object, players: int) -> Round:
    """Return a round as it once was: of any rules, and in any state."""
    round_ = read_round(value, players, NOTHING)
    check_numbers(round_)
    for refusal in check_notes(1, round_.notes):
        raise InvalidValue(translate(refusal.sentence))
    return round_


def _setup(value: object) -> Json:
    """Return the settings of a game in a change; the journal compares their values later."""
    if not isinstance(value, dict) or set(value) - set(SETUP):
        raise InvalidValue(_("A change without a round must contain the game’s setup."))
    setup = dict(value)
    if "rule_values" in setup:
        rules = _rules(setup["rule_values"])
        values = DEFAULTS | setup["rule_values"] | {"players": list(rules.players)}
        setup["rule_values"] = {name: values[name] for name in rules.values}
    if "first_dealer" in setup:
        setup["first_dealer"] = number_of(setup["first_dealer"], "first_dealer", 1, PACK) - 1
    return setup


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
        "rounds": [round_json(round_) for round_ in game.rounds],
        "changes": [_line(line) for line in game.lines],
        "faces": [{"player": name, **face._asdict()} for name, face in game.faces],
    }


def _line(line: Line) -> Json:
    return {
        "at": line.at,
        "phone": line.phone,
        "kind": line.kind,
        "round": line.round,
        "before": _state(line.before),
        "after": _state(line.after),
        "stands": line.head,
        "follows": line.parent,
    }


def _state(state: Round | Json | None) -> Json | None:
    if isinstance(state, Round):
        return round_json(state)
    if state and "first_dealer" in state:
        return state | {"first_dealer": state["first_dealer"] + 1}
    return state
