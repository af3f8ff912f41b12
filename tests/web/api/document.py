"""The OpenAPI document, and whether an answer is one that it describes."""

import json
import re
from functools import cache
from typing import Any

import jsonschema_rs
from werkzeug.test import TestResponse

from scorekeeper.web.api import document

Json = dict[str, Any]
DOCUMENT: Json = json.loads(document.text())
SCHEMAS: Json = DOCUMENT["components"]["schemas"]
OPERATIONS: list[tuple[str, str, Json]] = [
    (path, method.upper(), operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
]
PARAMETERS = {"game_id": "[^/]+", "number": "[1-9][0-9]{0,3}", "player_id": "[^/]+"}
PARAMETERS |= {"rules_id": "[^/]+"}


def closed(value: Any) -> Any:
    """Return a part of the document in which no object may hold a member that is not described."""
    if isinstance(value, list):
        return [closed(one) for one in value]
    if not isinstance(value, dict):
        return value
    inner = {name: closed(one) for name, one in value.items()}
    if value.get("type") == "object" and "properties" in value:
        inner.setdefault("additionalProperties", False)
    return inner


def resolve(part: Json) -> Json:
    """Return a part of the document, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _root, components, group, name = part["$ref"].split("/")
    found: Json = DOCUMENT[components][group][name]
    return found


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    """Return what validates a value against a schema of the document."""
    components = {"schemas": closed(SCHEMAS)}
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    return jsonschema_rs.validator_for(schema, validate_formats=True)


def operation_of(answer: TestResponse) -> Json | None:
    """Return the operation that an answer comes from; None for any other address or method."""
    method, path = answer.request.method, answer.request.path
    for pattern, its_method, operation in OPERATIONS:
        expression = re.sub(r"{(\w+)}", lambda name: PARAMETERS[name[1]], pattern)
        if method == its_method and re.fullmatch(expression, path):
            return operation
    return None


def check_answer(answer: TestResponse) -> None:
    """Assert that an answer of an operation has a status, headers and a body as described."""
    operation = operation_of(answer)
    if operation is None:
        return
    assert str(answer.status_code) in operation["responses"], operation["operationId"]
    response = resolve(operation["responses"][str(answer.status_code)])
    assert set(response.get("headers", ())) <= set(answer.headers.keys())
    for media_type, content in response.get("content", {}).items():
        assert answer.mimetype == media_type
        if "$ref" in content["schema"] and "Content-Encoding" not in answer.headers:
            validator(content["schema"]["$ref"].rpartition("/")[2]).validate(answer.json)
