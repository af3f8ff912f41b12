"""The OpenAPI document, and what the page /api shows of it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from scorekeeper.rules.value_kinds import Kind, Number, Steps, Word
from scorekeeper.rules.values import DECLARED

Json = dict[str, Any]
FILE = Path(__file__).with_name("openapi.json")
WORDS = {"integer": "whole number", "string": "text", "boolean": "true or false"}


@cache
def document() -> Json:
    """Return `openapi.json` with the rule values, as they are declared, in their schemas."""
    whole: Json = json.loads(FILE.read_bytes())
    schemas = whole["components"]["schemas"]
    for name, declared in DECLARED.items():
        about = {"description": declared.about}
        answered, sent = _answered(declared.kind) | about, _sent(declared.kind) | about
        schemas["Rules"]["properties"][name] = schemas["ChangedRules"]["properties"][name] = (
            answered
        )
        schemas["HouseRules"]["properties"][name] = sent
    schemas["Rules"]["required"] = list(schemas["Rules"]["properties"])
    return whole


def text() -> str:
    """Return the document as it is sent."""
    return json.dumps(document(), ensure_ascii=False, indent=2) + "\n"


def _answered(kind: Kind) -> Json:
    """Return the schema of a rule value in an answer."""
    if isinstance(kind, Number):
        number = {"type": "integer", "minimum": kind.low, "maximum": kind.high}
        return {"anyOf": [number, {"type": "null"}]} if kind.off else number
    if isinstance(kind, Word):
        return {"type": "string", "enum": list(kind.words)}
    if isinstance(kind, Steps):
        one_line = {"minLength": 1, "maxLength": kind.most, "pattern": r"^\S([^\n]*\S)?$"}
        return {"type": ["string", "null"], **one_line}
    return {"type": "boolean"}


def _sent(kind: Kind) -> Json:
    """Return the schema of a rule value in a request, which may give it as text."""
    schema = _answered(kind)
    if isinstance(kind, Number):
        number, *null = schema.get("anyOf", [schema])
        text = {"type": "string", "pattern": "^(off|-?[0-9]{1,8})$"}
        return {"anyOf": [number, text, *null]}
    if schema == {"type": "boolean"}:
        return {"anyOf": [schema, {"type": "string", "enum": ["yes", "no"]}]}
    return schema


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
