"""Pieces of the OpenAPI document: parameters, bodies and answers."""

from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.store.idempotency import LONGEST_KEY
from scorekeeper.web.api.problems import MEDIA_TYPE
from scorekeeper.web.api.schema_helpers import TEXT, Schema, of


def changed(*statuses: int) -> dict[str, Any]:
    """Return the answers to a change: the game after it, and what can go wrong."""
    return {"200": game(_("The game as it is now.")), **errors(*statuses)}


def errors(*statuses: int) -> dict[str, Any]:
    """Return the answers of these statuses, and of those that every address can give."""
    meanings = {
        400: _("The request cannot be understood."),
        401: _("The key is missing, or opens no table."),
        403: _("A page of another site asked, or this server makes no tables for strangers."),
        404: _("There is no such thing, or it belongs to another table."),
        409: _("The game has moved on: “game” is what it is now."),
        413: _("The body is too large."),
        415: _("The body is not called application/json."),
        422: _("The rules refuse it: “errors” names each fault."),
        428: _("If-Match is missing."),
        429: _("Too much at once: wait as long as Retry-After says."),
        500: _("Something went wrong in the server."),
        503: _("The server cannot write just now."),
    }
    content = {MEDIA_TYPE: {"schema": of("Problem")}}
    return {
        str(status): {"description": meanings[status], "content": content}
        for status in (400, *statuses, 429, 500, 503)
    }


def json(description: str, schema: Schema) -> dict[str, Any]:
    """Return an answer that holds JSON."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def game(description: str, *, location: bool = False) -> dict[str, Any]:
    """Return an answer that holds a game and its tag."""
    where = {"Location": {"description": _("Where the game is."), "schema": TEXT}}
    headers = {**tag(), **(where if location else {})}
    return {**json(description, of("Game")), "headers": headers}


def tag() -> dict[str, Any]:
    """Return the header that tells the version."""
    return {"ETag": {"description": _("The version, in quotation marks."), "schema": TEXT}}


def body(schema: Schema, example: object) -> dict[str, Any]:
    """Return the body that a request needs, with an example."""
    return {
        "required": True,
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def parameter(
    name: str, place: str, schema: Schema, description: str, *, required: bool = False
) -> dict[str, Any]:
    """Return a parameter."""
    return {
        "name": name,
        "in": place,
        "required": required,
        "schema": schema,
        "description": description,
    }


def game_id() -> dict[str, Any]:
    """Return the parameter that names a game."""
    return parameter("game_id", "path", TEXT, _("The id of the game."), required=True)


def number() -> dict[str, Any]:
    """Return the parameter that names a round."""
    shape = {"type": "integer", "minimum": 1, "maximum": 9999}
    return parameter("number", "path", shape, _("Which round."), required=True)


def if_match() -> dict[str, Any]:
    """Return the header that says which version was seen."""
    shape = {"type": "string", "pattern": '^"[0-9]{1,9}"$', "example": '"7"'}
    seen = _("The version of the game that the change is made on, in quotation marks.")
    return parameter("If-Match", "header", shape, seen, required=True)


def request_key() -> dict[str, Any]:
    """Return the header by which a request that is sent again is known."""
    shape = {"type": "string", "pattern": f"^[!-~]{{1,{LONGEST_KEY}}}$"}
    chosen = _("A text of your own, such as a random word, never used for another game.")
    return parameter("Idempotency-Key", "header", shape, chosen)
