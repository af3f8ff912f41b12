"""Values of the rules as plain data, to send to the phone's engine and to compare its answers."""

import json
from collections.abc import Sequence
from difflib import unified_diff
from typing import Any

from scorekeeper.rules.bidding import Refusal
from scorekeeper.rules.deck import DECK
from scorekeeper.rules.explain import SCORE_REASONS
from scorekeeper.rules.game import GameState, RoundScore
from scorekeeper.rules.hints import HINTS, Hint
from scorekeeper.rules.penalties import PENALTY_REASONS
from scorekeeper.rules.round import NOTES, Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import REFUSALS, Sentence
from scorekeeper.store.games import Game
from scorekeeper.store.tables import OwnSeat

CODES = {
    text.text: code
    for code, text in {**REFUSALS, **SCORE_REASONS, **PENALTY_REASONS, **DECK}.items()
} | {hint.sentence.text: code for code, hint in HINTS.items()}


def facts(
    rules: RuleSet, players: int, first_dealer: int, rounds: Sequence[Round]
) -> dict[str, Any]:
    """Return what the phone is told of a game."""
    values = {"rules": rules, "players": players, "first_dealer": first_dealer, "rounds": rounds}
    return {name: plain(value) for name, value in values.items()}


def page_facts(game: Game, own: OwnSeat | None = None) -> dict[str, Any]:
    """Return what the phone, which may have claimed a seat, is told to draw the page of a game."""
    told = ("id", "revision", "starters", "names", "stake", "started", "changed")
    return {
        **facts(game.rules, len(game.names), game.first_dealer, game.rounds),
        **{name: getattr(game, name) for name in told},
        **{"base": plain(game.rounds), "theirs": {}, "undo": [], "redo": [], "conflicts": []},
        **{"can_undo": False, "can_redo": False, "shared": False},
        "faces": {name: [*face] for name, face in game.faces.items()},
        "own_seat": own and own.seat,
        "taken_by": own and own.taken_by,
    }


def plain(value: Any) -> Any:
    """Return a value of the rules as the phone has it."""
    match value:
        case None | int() | str():
            return value
        case Round():
            entered = {name: plain(getattr(value, name)) for name in ("bids", "tricks", "tally")}
            return entered | {name: plain(getattr(value.notes, name)) for name in NOTES}
        case RoundScore():
            scored = {
                name: plain(part) for name, part in value._asdict().items() if name != "round"
            }
            facts = plain(value.round)
            return (
                scored
                | {name: facts[name] for name in ("bids", *NOTES)}
                | {"tricks": plain(value.tricks)}
            )
        case GameState():
            worked_out = {*value._fields, "order", "places", "bids_itself", "thrown_in"}
            return {name: plain(getattr(value, name)) for name in worked_out}
        case RuleSet():
            return value.values
        case Refusal():
            return {"seat": value.seat, "code": value.code, "values": plain(value.sentence.values)}
        case Hint():
            return {"kind": value.kind, **plain(value.sentence)}
        case Sentence():
            return {"code": CODES[value.text], "values": plain(value.values)}
        case tuple() if hasattr(value, "_asdict"):
            return {name: plain(part) for name, part in value._asdict().items()}
        case tuple() | list():
            return [plain(part) for part in value]
        case dict():
            return {name: plain(part) for name, part in value.items()}
    raise TypeError(value)


def differences(phone: Any, server: Any) -> str:
    """Return where two answers differ, as lines of JSON; there 1 and true are not the same."""
    if _written(phone) == _written(server):
        return ""
    lines = [_written(answer, indent=1).splitlines() for answer in (phone, server)]
    return "\n".join(unified_diff(*lines, "phone", "server", lineterm="", n=8))


def _written(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, sort_keys=True, indent=indent, ensure_ascii=False)
