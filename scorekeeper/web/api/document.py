"""The OpenAPI document: every address under /api, what it takes and what it answers."""

from typing import Any

from scorekeeper.i18n import gettext as _
from scorekeeper.web.api import examples
from scorekeeper.web.api.openapi_parts import (
    body,
    changed,
    errors,
    game,
    game_id,
    if_match,
    json,
    number,
    parameter,
    request_key,
    tag,
)
from scorekeeper.web.api.request import LARGEST_PAGE, PAGE
from scorekeeper.web.api.schema_helpers import TEXT, of
from scorekeeper.web.api.schemas import schemas

Operation = dict[str, Any]


def document() -> dict[str, Any]:
    """Return the document, its sentences in the language of whoever reads it."""
    return {
        "openapi": "3.1.0",
        "info": {"title": _("Scorekeeper for programs"), "version": "1", "description": _about()},
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "paths": {
            "/api/openapi.json": {"get": _openapi()},
            "/api/tables": {"post": _open_table()},
            "/api/games": {"get": _list_games(), "post": _startgame()},
            "/api/games/{game_id}": {"parameters": [game_id()], "get": _showgame()},
            "/api/games/{game_id}/events": {"parameters": [game_id()], "get": _events()},
            "/api/games/{game_id}/rounds/{number}": {
                "parameters": [game_id(), number()],
                "put": _put_round(),
                "delete": _delete_round(),
            },
            "/api/games/{game_id}/undo": {"parameters": [game_id()], "post": _undo()},
            "/api/games/{game_id}/redo": {"parameters": [game_id()], "post": _redo()},
        },
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": _("A key of the table: what stands in its join link."),
                }
            },
        },
    }


def _about() -> str:
    return _(
        "The games of one table as JSON. Seats, sides and rounds are counted from 1. Numbers are "
        "whole, bodies are sent as application/json in UTF-8 with at most 64 kB, and a member that "
        "is not known here is refused. Every error is a problem document (RFC 9457)."
    )


def _openapi() -> Operation:
    return {
        "operationId": "openapi",
        "summary": _("This document"),
        "security": [],
        "responses": {"200": json(_("The document."), {"type": "object"}), **errors()},
    }


def _open_table() -> Operation:
    return {
        "operationId": "open_table",
        "summary": _("Make a table"),
        "description": _("Only on a server that is open to all."),
        "security": [],
        "responses": {
            "201": json(_("The table and its key."), of("Table")),
            **errors(403, 413, 415),
        },
    }


def _list_games() -> Operation:
    limit = {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": PAGE}
    return {
        "operationId": "list_games",
        "summary": _("List the games, the newest first"),
        "description": _("A game keeps its place in the list while others are started or changed."),
        "parameters": [
            parameter("after", "query", TEXT, _("The end of the part before: use “next”.")),
            parameter("limit", "query", limit, _("How many games at most.")),
        ],
        "responses": {
            "200": json(_("One part of the list."), of("Games")),
            **errors(401),
        },
    }


def _startgame() -> Operation:
    return {
        "operationId": "start_game",
        "summary": _("Start a game"),
        "description": _(
            "With a key of its own in Idempotency-Key it can be sent again until an answer comes: "
            "the same key and body start one game. The answer then shows that game as it is now."
        ),
        "parameters": [request_key()],
        "requestBody": body(of("NewGame"), examples.NEW_GAME),
        "responses": {
            "201": game(_("The game, before its first bid."), location=True),
            **errors(401, 403, 413, 415, 422),
        },
    }


def _showgame() -> Operation:
    known = _("The ETag of the game that is known already.")
    return {
        "operationId": "show_game",
        "summary": _("Show a game"),
        "parameters": [parameter("If-None-Match", "header", TEXT, known)],
        "responses": {
            "200": game(_("The game.")),
            "304": {"description": _("Nothing has changed since."), "headers": tag()},
            **errors(401, 404),
        },
    }


def _events() -> Operation:
    last = _("The version seen last; a browser sends it by itself when it asks again.")
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    return {
        "operationId": "events",
        "summary": _("Follow a game"),
        "description": _(
            "Each event is the number of a new version: ask for the game again. Where no stream "
            "is free the answer is 503 with Retry-After; then ask for the game now and then."
        ),
        "parameters": [parameter("Last-Event-ID", "header", TEXT, last)],
        "responses": {
            **errors(401, 404),
            "200": {"description": _("Events as they come."), "content": stream},
            "503": {"description": _("No stream is free.")},
        },
    }


def _put_round() -> Operation:
    return {
        "operationId": "put_round",
        "summary": _("Record or correct a round"),
        "description": _(
            "Puts bids and tricks in place of what the round holds; every round after it is scored "
            "again. Sent twice it changes nothing more. In a first round that bids itself every "
            "bid is null."
        ),
        "parameters": [if_match()],
        "requestBody": body(of("Entry"), examples.ENTRY),
        "responses": changed(401, 403, 404, 409, 413, 415, 422, 428),
    }


def _delete_round() -> Operation:
    return {
        "operationId": "delete_round",
        "summary": _("Take the newest round away"),
        "description": _("Undo brings it back."),
        "parameters": [if_match()],
        "responses": changed(401, 403, 404, 409, 413, 415, 422, 428),
    }


def _undo() -> Operation:
    return {
        "operationId": "undo",
        "summary": _("Take the last change back"),
        "description": _("With nothing to take back, nothing changes."),
        "parameters": [if_match()],
        "responses": changed(401, 403, 404, 409, 413, 415, 428),
    }


def _redo() -> Operation:
    return {
        "operationId": "redo",
        "summary": _("Bring back what was taken back"),
        "description": _("With nothing to bring back, nothing changes."),
        "parameters": [if_match()],
        "responses": changed(401, 403, 404, 409, 413, 415, 428),
    }
