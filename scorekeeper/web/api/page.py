"""The OpenAPI document made ready for reading: operations and shapes, told in words."""

import json
from typing import Any, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.web.api.schema_helpers import Schema


class Member(NamedTuple):
    """A member of a shape, or a parameter: its name, kind and meaning."""

    name: str
    kind: str
    shape: str
    needed: bool
    meaning: str


class Operation(NamedTuple):
    """One method of one address."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    open: bool
    parameters: list[Member]
    body: str
    example: str
    answers: list[tuple[str, str, str]]
    problems: list[str]


class Shape(NamedTuple):
    """What a body or a part of it looks like."""

    name: str
    kind: str
    members: list[Member]


class Reading(NamedTuple):
    """The whole document as the page shows it."""

    title: str
    about: str
    operations: list[Operation]
    problems: list[tuple[str, str]]
    shapes: list[Shape]


def read(document: dict[str, Any]) -> Reading:
    """Return a document as the page shows it."""
    operations = [
        _operation(path, method, entry, item.get("parameters", []))
        for path, item in document["paths"].items()
        for method, entry in item.items()
        if method != "parameters"
    ]
    shapes = [
        Shape(name, "" if "properties" in schema else _kind(schema), _members(schema))
        for name, schema in document["components"]["schemas"].items()
    ]
    info = document["info"]
    problems = {
        status: one["description"]
        for item in document["paths"].values()
        for entry in item.values()
        if isinstance(entry, dict)
        for status, one in entry["responses"].items()
        if _is_problem(status)
    }
    return Reading(info["title"], info["description"], operations, sorted(problems.items()), shapes)


def _operation(
    path: str, method: str, entry: dict[str, Any], shared: list[dict[str, Any]]
) -> Operation:
    body = entry.get("requestBody", {}).get("content", {}).get("application/json", {})
    return Operation(
        id=entry["operationId"],
        method=method.upper(),
        path=path,
        summary=entry["summary"],
        description=entry.get("description", ""),
        open=entry.get("security") == [],
        parameters=[_parameter(one) for one in [*shared, *entry.get("parameters", [])]],
        body=_shape(body.get("schema", {})),
        example=json.dumps(body["example"], ensure_ascii=False) if body else "",
        answers=[
            (status, _shape(_content(one)), one["description"])
            for status, one in entry["responses"].items()
            if not _is_problem(status)
        ],
        problems=list(filter(_is_problem, entry["responses"])),
    )


def _is_problem(status: str) -> bool:
    return status >= "400"


def _content(answer: dict[str, Any]) -> Schema:
    kinds = list(answer.get("content", {}).values())
    schema: Schema = kinds[0]["schema"] if kinds else {}
    return schema


def _parameter(entry: dict[str, Any]) -> Member:
    kind = _kind(entry["schema"])
    return Member(entry["name"], kind, "", entry["required"], entry["description"])


def _members(schema: Schema) -> list[Member]:
    needed = schema.get("required", [])
    return [
        Member(name, _kind(one), _shape(one), name in needed, one.get("description", ""))
        for name, one in schema.get("properties", {}).items()
    ]


def _shape(schema: Schema) -> str:
    """Return the name of the shape that a schema is made of, if it is of one."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    inner = [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    return next(filter(None, map(_shape, inner)), "")


def _kind(schema: Schema) -> str:
    """Return in words what a schema allows."""
    if "$ref" in schema:
        return _shape(schema)
    if "anyOf" in schema:
        return _(" or ").join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return _(" or ").join(json.dumps(word) for word in schema["enum"])
    if "items" in schema:
        return _("list of {kind}").format(kind=_kind(schema["items"]))
    kinds = schema.get("type", [])
    return _(" or ").join(_word(kind, schema) for kind in _as_list(kinds))


def _word(kind: str, schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if kind == "integer" and low is not None:
        if high is None:
            return _("whole number from {low}").format(low=low)
        return _("whole number, {low} to {high}").format(low=low, high=high)
    words = {
        "integer": _("whole number"),
        "string": _("moment") if schema.get("format") == "date-time" else _("text"),
        "boolean": _("true or false"),
        "object": _("object"),
        "null": _("null"),
    }
    return words[kind]


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
