"""Pieces of JSON Schema from which the shapes of the API are put together."""

from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.ruleset import PACK, Number
from scorekeeper.web.http.form_fields import MOST_SEATS

Schema = dict[str, Any]
FEWEST_SEATS = 3
MOST_TRICKS = PACK // FEWEST_SEATS
NUMBER: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
SEAT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_SEATS}
TRICKS: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_TRICKS}


def of(name: str) -> Schema:
    """Return the place of a shape."""
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(schema: Schema) -> Schema:
    """Return a shape that may be null instead."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(schema: Schema) -> Schema:
    """Return the shape of a list."""
    return {"type": "array", "items": schema}


def for_each_seat(schema: Schema) -> Schema:
    """Return the shape of a list with one entry for each seat."""
    return {**list_of(schema), "minItems": FEWEST_SEATS, "maxItems": MOST_SEATS}


def whole(members: dict[str, Schema]) -> Schema:
    """Return the shape of an answer in which every member is there."""
    return {"type": "object", "properties": members, "required": list(members)}


def strict(members: dict[str, Schema], needed: list[str]) -> Schema:
    """Return the shape of a body that holds no other members."""
    kept = {"required": needed} if needed else {}
    return {"type": "object", "properties": members, **kept, "additionalProperties": False}


def number_in(kind: Number) -> Schema:
    """Return the shape of a rule value that is a number."""
    return {"type": "integer", "minimum": kind.low, "maximum": kind.high}


def moment() -> Schema:
    """Return the shape of a moment."""
    return {"type": "string", "format": "date-time"}


def bid() -> Schema:
    """Return the shape of a bid."""
    words = {"type": "string", "enum": [str(nil) for nil in Nil]}
    numbers = {"type": "integer", "minimum": 1, "maximum": MOST_TRICKS}
    return {"anyOf": [numbers, words], "description": _("A number of tricks, or no trick at all.")}
