"""The OpenAPI document, and what the page /api shows of it.

`openapi.json` has the operations and schemas. What can be told from them or from declarations is
added here: the version, the rule values, the rule books, the problems of each operation, and that
an answer has every member of its schema.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import NOTES, Choice, Count, Counts, Flag, Records, Text
from scorekeeper.rules.round import Kind as NoteKind
from scorekeeper.rules.seating import Substitute
from scorekeeper.rules.value_kinds import Kind, Number, Sizes, Steps, Word
from scorekeeper.rules.values import DECLARED, MOST_PLAYERS
from scorekeeper.store.player_games import Sums
from scorekeeper.store.statistics import ALL, KINDS
from scorekeeper.version import __version__

Json = dict[str, Any]
FILE = Path(__file__).with_name("openapi.json")
# Problems by status: the name of the response, and its description.
PROBLEMS = {
    "400": ("BadRequest", "Invalid request."),
    "401": ("Unauthorized", "The key is missing or invalid."),
    "403": ("Forbidden", "The request came from another site, or this server isn’t public."),
    "404": ("NotFound", "Not found, or it belongs to another table."),
    "411": (
        "LengthRequired",
        "The body has no Content-Length: the server doesn’t take it in chunks.",
    ),
    "412": (
        "PreconditionFailed",
        "It has changed since the version in If-Match: see “game” or “rules”.",
    ),
    "413": ("ContentTooLarge", "The body is too large."),
    "415": ("UnsupportedMediaType", "The Content-Type isn’t one that is named here."),
    "422": ("UnprocessableContent", "The rules don’t allow it: see “errors”."),
    "428": ("PreconditionRequired", "If-Match is missing."),
    "429": ("TooManyRequests", "Too many requests: wait as long as Retry-After says."),
    "500": ("InternalServerError", "Server error."),
    "503": ("ServiceUnavailable", "The server can’t save right now."),
}


COUNTED = {
    "begun": "Games.",
    "games": "Finished games.",
    "wins": "Those won; one that sides share counts in equal parts.",
    "luck": "The wins that an equal table would give: 1 by the number of sides for each game.",
    "ahead": "Wins less luck.",
    "beaten": "The average place as a share of the table: 0 is last, 1 first.",
    "places": "The sum of the places in finished games.",
    "bids": "Bids of a number.",
    "bid_tricks": "The tricks of those bids.",
    "taken": "The tricks taken in those rounds.",
    "made": "Contracts made in those rounds: exact bids, where only those are made.",
    "exact": "Contracts made without an overtrick in those rounds.",
}


@cache  # the same for everybody
def document() -> Json:
    """Return the whole document."""
    whole: Json = json.loads(FILE.read_bytes())
    whole["info"]["version"] = __version__
    schemas = whole["components"]["schemas"]
    schemas["NewGame"]["properties"]["rules"]["enum"] = list(PRESETS)
    schemas["RulesToSave"]["properties"]["rules"]["enum"] = list(PRESETS)
    schemas["SavedRules"]["properties"]["rules"]["enum"] = list(PRESETS)
    whole["paths"]["/api/import"]["post"]["parameters"][0]["schema"]["enum"] = list(PRESETS)
    schemas["Game"]["properties"] = {
        **schemas["GameInList"]["properties"],
        **schemas["Game"]["properties"],
    }
    whole["components"]["parameters"]["Rules"]["schema"]["enum"] = list(PRESETS)
    whole["components"]["parameters"]["RulesOrKind"]["schema"]["enum"] = [ALL, *KINDS, *PRESETS]
    schemas["PlayerInList"]["properties"] |= schemas["Player"]["properties"]
    schemas["PlayerInFull"]["properties"] |= schemas["PlayerInList"]["properties"]
    schemas["WinsAgainstLuck"] = _counts_schema()
    schemas["Statistics"] = _counts_schema("places", *Sums._fields)
    _add_notes(schemas)
    for schema in schemas.values():
        if "properties" in schema:
            schema.setdefault("required", list(schema["properties"]))
    schemas["RuleValues"] = {
        "type": "object",
        "properties": {
            name: _value_schema(declared.kind) | {"description": declared.about}
            for name, declared in DECLARED.items()
        },
        "additionalProperties": False,
    }
    whole["components"]["responses"] |= {
        name: _problem_response(description) for name, description in PROBLEMS.values()
    }
    for item in whole["paths"].values():
        for method in item.keys() - {"parameters"}:
            _add_problems(item[method], method, item.get("parameters", []))
    return whole


def text(path: str = "") -> str:
    """Return the document as it is sent by a server whose pages are below a path."""
    whole = document() | {"servers": [{"url": path or "/"}]}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _counts_schema(*more: str) -> Json:
    """Return the schema of what is counted of a player: games, wins, and more by its names."""
    kinds: dict[str, Any] = {"begun": "integer", "games": "integer"}
    kinds |= {"wins": "number", "luck": "number", "ahead": "number", "beaten": ["number", "null"]}
    kinds |= dict.fromkeys(more, "integer")
    return {
        "type": "object",
        "properties": {
            name: {"type": kind} | ({"description": COUNTED[name]} if name in COUNTED else {})
            for name, kind in kinds.items()
        },
    }


REFERENCES = {Penalty: "PenaltyOrBonus", Substitute: "Substitute"}


def _add_notes(schemas: Json) -> None:
    """Add the notes of a round to what is sent of it, and to what is answered."""
    entry, answer = (schemas[name]["properties"] for name in ("Entry", "Round"))
    for name, note in NOTES.items():
        about = f"{note.about} Left out: as before."
        entry[name] = _note_schema(note.kind) | {"description": about}
        if name not in (*answer, "game_remark"):  # that is told with the game
            answer[name] = _note_schema(note.kind) | {"description": note.about}
    answer["scores"] = answer.pop("scores")  # last, as it is sent


def _note_schema(kind: NoteKind) -> Json:
    """Return the schema of a note of a round."""
    match kind:
        case Flag():
            return {"type": "boolean"}
        case Text(longest):
            return {"type": "string", "maxLength": longest}
        case Count(low, high):
            return {"type": ["integer", "null"], "minimum": low, "maximum": high}
        case Choice(words):
            return {"type": ["string", "null"], "enum": [*words, None]}
        case Counts(low, high):
            one: Json = {"type": "integer", "minimum": low, "maximum": high}
            return {"type": "array", "items": one, "maxItems": MOST_PLAYERS}
        case Records(of, most):
            one = {"$ref": f"#/components/schemas/{REFERENCES[of]}"}
            return {"type": "array", "items": one, "maxItems": most}


def _value_schema(kind: Kind) -> Json:
    """Return the schema of a rule value."""
    if isinstance(kind, Number):
        number = {"type": "integer", "minimum": kind.low, "maximum": kind.high}
        return {"anyOf": [number, {"type": "null"}]} if kind.off else number
    if isinstance(kind, Word):
        return {"type": "string", "enum": list(kind.words)}
    if isinstance(kind, Steps):
        one_line = {"minLength": 1, "maxLength": kind.most, "pattern": r"^\S([^\n]*\S)?$"}
        return {"type": ["string", "null"], **one_line}
    if isinstance(kind, Sizes):
        one = {"type": "integer", "minimum": kind.low, "maximum": kind.high}
        return {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}
    return {"type": "boolean"}


def _problem_response(description: str) -> Json:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        "description": description,
        "content": {"application/problem+json": {"schema": schema}},
    }


def _add_problems(operation: Json, method: str, of_path: list[Json]) -> None:
    """Add the problems that an operation may have beside those of its own, such as 422."""
    parameters = [*of_path, *operation.get("parameters", [])]
    found = ["400", "429", "500", "503"]
    if "security" not in operation:
        found.append("401")
    if of_path:
        found.append("404")
    if method != "get":
        found += ["403", "411", "413", "415"]
    if {"$ref": "#/components/parameters/IfMatch"} in parameters:
        found += ["412", "428"]
    for status in found:
        reference = {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"}
        operation["responses"].setdefault(status, reference)
    operation["responses"] = dict(sorted(operation["responses"].items()))


def context() -> Json:
    """Return what the template of the page is rendered with."""
    operations = _operations(document())
    return {
        "document": document(),
        "operations": operations,
        "errors": {
            status: response["description"]
            for operation in operations
            for status, response in operation["responses"].items()
            if status >= "400"
        },
        "dumps": json.dumps,
        "kind": kind,
        "schema_name": schema_name,
    }


WORDS = {"integer": "whole number", "string": "text", "boolean": "true or false"}


def kind(schema: Json) -> str:
    """Return in words which values a schema allows."""
    if "$ref" in schema:
        return schema_name(schema)
    if "anyOf" in schema:
        return " or ".join(map(kind, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "items" in schema:
        return f"list of {kind(schema['items'])}"
    if schema.get("format") == "date-time":
        return "date and time"
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " or ".join(WORDS.get(one, one) for one in types) + _range(schema)


def schema_name(schema: Json) -> str:
    """Return the name of the schema that a schema refers to, itself or within; else nothing."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    inner = [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    return next(filter(None, map(schema_name, inner)), "")


def _range(schema: Json) -> str:
    if "maximum" in schema:
        return f", {schema['minimum']} to {schema['maximum']}"
    return f" from {schema['minimum']}" if "minimum" in schema else ""


def _operations(document: Json) -> list[Json]:
    """Return every operation with its method and path, and with what it refers to in place."""
    return [
        {
            **operation,
            "method": method.upper(),
            "path": path,
            "parameters": [
                _resolve(document, one)
                for one in [*item.get("parameters", []), *operation.get("parameters", [])]
            ],
            "responses": {
                status: _resolve(document, one) for status, one in operation["responses"].items()
            },
        }
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def _resolve(document: Json, part: Json) -> Json:
    """Return a part of the document, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _root, components, group, name = part["$ref"].split("/")
    component: Json = document[components][group][name]
    return component
