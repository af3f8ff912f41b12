"""Responses in JSON, in which seats, sides and rounds are counted from 1."""

import json
from typing import Any

from flask import Response, request, url_for

from scorekeeper.i18n import translate
from scorekeeper.rules.game import Outcome, RoundScore
from scorekeeper.rules.hints import hints
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import house_rules
from scorekeeper.store.games import Game
from scorekeeper.web.text.wording import amount

Json = dict[str, Any]


def json_response(value: Json, status: int = 200) -> Response:
    return Response(dump(value), status, content_type="application/json")


def dump(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def game_response(game: Game, status: int = 200) -> Response:
    """Return a response that holds a game, its version as ETag; 304 if If-None-Match has it."""
    tag = str(game.version)
    reads = request.method in ("GET", "HEAD")
    if reads and request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        response = json_response(game_json(game), status)
    response.set_etag(tag)
    return response


def game_json(game: Game) -> Json:
    """Return a game as the schema Game describes it."""
    state = game.state
    return {
        **game_summary(game),
        "rules": game.rules.values,
        "house_rules": _house_rules(game),
        "first_dealer": game.first_dealer + 1,
        "dealer": state.dealer + 1,
        "bidding_order": _from_one(state.bidders),
        "sides": [_from_one(seats) for seats in state.sides],
        "rounds": [_round(game, number) for number in range(1, len(game.rounds) + 1)],
        "warnings": [
            [{"kind": one.kind, "text": translate(one.sentence)} for one in hints(state, side)]
            for side in range(len(state.sides))
        ],
    }


def game_summary(game: Game) -> Json:
    """Return a game as the schema GameInList describes it."""
    state = game.state
    return {
        "id": game.id,
        "url": url_for("api.show_game", game_id=game.id),
        "version": game.version,
        "started": game.started,
        "changed": game.changed,
        "rules": {"key": game.rules.key, "name": game.rules.name},
        "players": list(game.names),
        "left": _from_one(state.seats.empty),
        "starters": list(game.starters),
        "stake": None if game.stake is None else amount(game.stake),
        "phase": state.phase,
        "round": state.number,
        "totals": list(state.standing.totals),
        "seat_totals": list(state.standing.seat_totals),
        "bags": list(state.standing.bags),
        "outcome": _outcome(state.outcome),
    }


def _house_rules(game: Game) -> Json:
    base = PRESETS.get(game.rules.key, game.rules)
    return {name: getattr(game.rules, name) for name in house_rules(base, game.rules)}


def _round(game: Game, number: int) -> Json:
    facts, scored = game.rounds[number - 1], game.state.rounds
    return {
        "round": number,
        "dealer": (scored[number - 1] if number <= len(scored) else game.state).dealer + 1,
        "bids": facts.bids,
        "tricks": facts.tricks,
        "tally": facts.tally,
        "penalties": [one._asdict() | {"seat": one.seat + 1} for one in facts.penalties],
        "last_round": facts.last_round,
        "substitutes": [one._asdict() | {"seat": one.seat + 1} for one in facts.substitutes],
        "scores": _scores(scored[number - 1]) if number <= len(scored) else None,
    }


def _scores(round_: RoundScore) -> list[Json]:
    after = round_.after.totals
    return [
        {**score._asdict(), "total": total}
        for score, total in zip(round_.scores, after, strict=True)
    ]


def _outcome(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner + 1
    return {"reason": outcome.reason, "winner": winner, "tied": _from_one(outcome.tied)}


def _from_one(numbers: tuple[int, ...]) -> list[int]:
    return [number + 1 for number in numbers]
