"""The shapes of what is sent and answered, as JSON Schema."""

from scorekeeper.i18n import gettext as _
from scorekeeper.web.api import request_schema, rule_values, schema_helpers
from scorekeeper.web.api.schema_helpers import (
    NUMBER,
    SEAT,
    TEXT,
    TRICKS,
    Schema,
    for_each_seat,
    list_of,
    moment,
    of,
    or_null,
    whole,
)


def schemas() -> dict[str, Schema]:
    """Return every shape under its name: first what is sent, then what is answered."""
    return {
        "NewGame": request_schema.new_game(),
        "HouseRules": rule_values.changed(),
        "Entry": request_schema.entry(),
        "Bid": schema_helpers.bid(),
        "Game": _game(),
        "Rules": rule_values.complete(),
        "Round": _round(),
        "Score": _score(),
        "Notice": _notice(),
        "Outcome": _outcome(),
        "GameInList": whole(_summary()),
        "Games": _games(),
        "Table": _table(),
        "Problem": _problem(),
        "Refusal": _refusal(),
    }


def _game() -> Schema:
    return whole(
        {
            **_summary(),
            "rules": of("Rules"),
            "house_rules": {
                "type": "object",
                "description": _("The values in which the rules differ from the rule book."),
            },
            "first_dealer": SEAT,
            "dealer": SEAT,
            "bidding_order": {**for_each_seat(SEAT), "description": _("The dealer bids last.")},
            "sides": {
                **list_of(list_of(SEAT)),
                "description": _("The seats of each side. What is told by sides is in this order."),
            },
            "rounds": list_of(of("Round")),
            "warnings": {
                **list_of(list_of(of("Notice"))),
                "description": _("By sides: what each should know now."),
            },
        }
    )


def _summary() -> dict[str, Schema]:
    return {
        "id": TEXT,
        "url": TEXT,
        "version": {
            "type": "integer",
            "minimum": 1,
            "description": _("Grows by one with every change; the ETag holds it too."),
        },
        "started": moment(),
        "changed": moment(),
        "rules": whole({"key": TEXT, "name": TEXT}),
        "players": for_each_seat(TEXT),
        "stake": {"type": ["string", "null"]},
        "phase": {"type": "string", "enum": ["bidding", "playing", "over"]},
        "round": {
            "type": "integer",
            "minimum": 1,
            "description": _("The round that is on; of a game that is over, the last one."),
        },
        "totals": {**list_of(NUMBER), "description": _("By sides.")},
        "bags": {**list_of(NUMBER), "description": _("By sides.")},
        "outcome": or_null(of("Outcome")),
    }


def _round() -> Schema:
    return whole(
        {
            "round": {"type": "integer", "minimum": 1},
            "dealer": SEAT,
            "bids": for_each_seat(or_null(of("Bid"))),
            "tricks": or_null(for_each_seat(TRICKS)),
            "tally": {
                **or_null(for_each_seat(or_null(TRICKS))),
                "description": _("Tricks counted on a phone and not scored yet."),
            },
            "scores": {
                **or_null(list_of(of("Score"))),
                "description": _("By sides; null for a round on the way or after the end."),
            },
        }
    )


def _score() -> Schema:
    parts = ("nil_points", "contract_points", "overtrick_points", "bag_penalty")
    return whole(
        {
            **dict.fromkeys(parts, NUMBER),
            "points": {**NUMBER, "description": _("The four parts above added up.")},
            "contract": NUMBER,
            "made": {
                "type": ["boolean", "null"],
                "description": _("Null where the side had no contract."),
            },
            "overtricks": NUMBER,
            "bags": {**NUMBER, "description": _("Those carried on after the round.")},
            "total": {**NUMBER, "description": _("The side's total after the round.")},
        }
    )


def _notice() -> Schema:
    kinds = {"type": "string", "enum": ["danger", "chance", "plain"]}
    return whole({"kind": kinds, "text": TEXT})


def _outcome() -> Schema:
    return whole(
        {
            "reason": {"type": "string", "enum": ["target", "mercy"]},
            "winner": {
                "type": ["integer", "null"],
                "description": _("A side, or null while sides tie and play on."),
            },
            "tied": {**list_of(NUMBER), "description": _("The sides that tie at the top.")},
        }
    )


def _games() -> Schema:
    return whole(
        {
            "games": list_of(of("GameInList")),
            "next": {
                "type": ["string", "null"],
                "description": _("Where the list goes on; null at its end."),
            },
        }
    )


def _table() -> Schema:
    secret = {**TEXT, "description": _("The key of the table, told this once. Keep it secret.")}
    return whole({"id": TEXT, "key": secret})


def _problem() -> Schema:
    usual = {
        "type": {"type": "string", "format": "uri-reference"},
        "title": TEXT,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {**TEXT, "description": _("What is wrong and what to do, in a sentence.")},
    }
    own = {
        "errors": {**list_of(of("Refusal")), "description": _("With 422: everything at fault.")},
        "game": {**of("Game"), "description": _("With 409: the game as it is now.")},
    }
    return {"type": "object", "properties": {**usual, **own}, "required": list(usual)}


def _refusal() -> Schema:
    return whole(
        {
            # Of a game that was refused for its many players, a seat may be one no table has.
            "seat": {
                **or_null({"type": "integer", "minimum": 1}),
                "description": _("Null where no single seat is at fault."),
            },
            "code": {**TEXT, "description": _("Stays the same in every language.")},
            "detail": TEXT,
        }
    )
