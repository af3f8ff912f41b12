"""Responses in JSON, errors among them, in which seats, sides and rounds are counted from 1."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from flask import Response, request, url_for
from werkzeug.exceptions import HTTPException

from scorekeeper.files.round_json import notes_json
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.entry import Refused
from scorekeeper.rules.game import RoundScore
from scorekeeper.rules.hints import hints
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import NOTES, Notes
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, house_rules
from scorekeeper.store.games import Game
from scorekeeper.store.journal import EditConflict
from scorekeeper.store.table_events import from_one, outcome_json
from scorekeeper.web.http.requests import json_response, json_text
from scorekeeper.web.http.security import LARGEST_BODY
from scorekeeper.web.text.wording import amount

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = "2"


class Problem(HTTPException):
    """An error with further members; its type is `/api#kind`, which the page /api explains."""

    def __init__(self, status: int, kind: str, detail: str, **members: Any):
        super().__init__(detail)
        self.code = status
        self.kind = kind
        self.members = members


def wanted() -> bool:
    """Return whether an error of this request is to be a problem document, not a page."""
    return request.path.startswith("/api/")


def problem_of(error: HTTPException) -> Response:
    """Return the problem document of an error, with the headers of the error such as Allow."""
    status = error.code or 500
    headers = [pair for pair in error.get_headers() if pair[0].lower() != "content-type"]
    detail = error.description if error.description != type(error).description else None
    if isinstance(error, Problem):
        return _answer(status, error.description, f"/api#{error.kind}", headers, error.members)
    return _answer(status, detail or _sentence(status), headers=headers)


def problem(status: int, sentence: str = "") -> Response:
    """Return the problem document of a status, with its default sentence unless one is given."""
    headers = [("Retry-After", RETRY_SECONDS)] if status == 503 else []
    return _answer(status, sentence or _sentence(status), headers=headers)


def refused_by_rules(refused: Refused) -> Response:
    """Return the problem document of an entry that the rules refuse: 422, each error by seat."""
    errors = [
        {
            "seat": None if one.seat is None else one.seat + 1,
            "code": one.code,
            "detail": translate(one.sentence),
        }
        for one in refused.refusals
    ]
    sentence = _("The rules of this game don’t allow this.")
    return problem_of(Problem(422, "refused", sentence, errors=errors))


def out_of_date(stale: EditConflict) -> Response:
    """Return the problem document of a change that came too late, with the game as it is now."""
    sentence = _(
        "The game has changed since then, so nothing was saved. Get the current "
        "version and send again."
    )
    return problem_of(Problem(412, "stale", sentence, game=game_json(stale.game)))


def _answer(
    status: int,
    detail: str | None,
    kind: str = "about:blank",
    headers: Iterable[tuple[str, str]] = (),
    members: dict[str, Any] | None = None,
) -> Response:
    document = {
        "type": kind,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **(members or {}),
    }
    response = Response(json_text(document), status, content_type=MEDIA_TYPE)
    response.headers.extend(headers)
    return response


def _sentence(status: int) -> str:
    sentences = {
        404: _("Not found, or this key has no access to it."),
        405: _("Method not allowed. See the Allow header."),
        411: _("Send the length of the body in a Content-Length header."),
        413: _("The body is larger than the limit of {limit} kB.").format(
            limit=(request.max_content_length or LARGEST_BODY) // 1024
        ),
        500: _("Something went wrong and nothing was saved. Try again."),
        503: _("The server can’t save right now, so nothing was saved. Try again in a moment."),
    }
    return sentences.get(status) or _("Invalid request.")


Json = dict[str, Any]


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
        "rules": _rules(game.rules),
        "house_rules": house_rules_json(game.rules),
        "first_dealer": game.first_dealer + 1,
        "dealer": state.dealer + 1,
        "bidding_order": from_one(state.bidders),
        "sides": [from_one(seats) for seats in state.sides],
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
        "left": from_one(state.seats.empty),
        "starters": list(game.starters),
        "stake": None if game.stake is None else amount(game.stake),
        "phase": state.phase,
        "round": state.number,
        "totals": list(state.standing.totals),
        "seat_totals": list(state.standing.seat_totals),
        "bags": list(state.standing.bags),
        "outcome": outcome_json(state.outcome),
        "remark": game.remark,
    }


def _rules(rules: RuleSet) -> Json:
    return {
        "key": rules.key,
        "name": rules.name,
        "players": list(rules.players),
        "partnerships": rules.partnerships,
        "values": {name: getattr(rules, name) for name in HOUSE_RULES},
    }


def house_rules_json(rules: RuleSet) -> Json:
    """Return the values that differ from the rule book, as the schema RuleValues has them."""
    base = PRESETS.get(rules.key, rules)
    return {name: getattr(rules, name) for name in house_rules(base, rules)}


def _round(game: Game, number: int) -> Json:
    facts, scored = game.rounds[number - 1], game.state.rounds
    return {
        "round": number,
        "dealer": (scored[number - 1] if number <= len(scored) else game.state).dealer + 1,
        "bids": facts.bids,
        "tricks": facts.tricks,
        "tally": facts.tally,
        **_notes(facts.notes),
        "cards": game.state.rules_in(number, facts).tricks,
        "scores": _scores(scored[number - 1]) if number <= len(scored) else None,
    }


def _notes(notes: Notes) -> Json:
    """Return all notes on a round; that on the game is told with the game."""
    written = {name: declared.kind.default for name, declared in NOTES.items()} | notes_json(notes)
    return {name: value for name, value in written.items() if name != "game_remark"}


def _scores(round_: RoundScore) -> list[Json]:
    after = round_.after.totals
    return [
        {**score._asdict(), "total": total}
        for score, total in zip(round_.scores, after, strict=True)
    ]
