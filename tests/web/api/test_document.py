"""GET /api/openapi.json: the document says what the server does, and /api shows it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from scorekeeper.web.api.document import document
from tests.web.api.caller import NEW_GAME, Caller
from tests.web.page import Page

OPERATIONS = [
    (path, method, entry)
    for path, item in document()["paths"].items()
    for method, entry in item.items()
    if method != "parameters"
]


def test_the_document_names_every_address_and_no_other(app: Flask) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == {(path, method.upper()) for path, method, _entry in OPERATIONS}


def test_it_is_sent_as_json_to_anybody(app: Flask) -> None:
    answer = app.test_client().get("/api/openapi.json")
    assert answer.content_type == "application/json"
    assert answer.json == json.loads(json.dumps(document()))


def test_every_shape_that_is_named_is_there() -> None:
    shapes = document()["components"]["schemas"]
    named = {ref.rpartition("/")[2] for ref in _refs(document())}
    assert named == set(shapes)


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for one in value.values():
            yield from _refs(one)
    elif isinstance(value, list):
        for one in value:
            yield from _refs(one)


@pytest.mark.parametrize("name", document()["components"]["schemas"])
def test_every_shape_is_a_json_schema(name: str) -> None:
    jsonschema_rs.meta.validate(_schema(name))


def test_every_parameter_in_an_address_is_described() -> None:
    for path, item in document()["paths"].items():
        described = [one["name"] for one in item.get("parameters", []) if one["in"] == "path"]
        assert described == re.findall(r"{(\w+)}", path)


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [entry["operationId"] for _path, _method, entry in OPERATIONS]
    assert len(set(names)) == len(names)


def test_the_examples_are_right(nobody: Caller) -> None:
    for path, method, entry in OPERATIONS:
        if "requestBody" not in entry:
            continue
        content = entry["requestBody"]["content"]["application/json"]
        name = content["schema"]["$ref"].rpartition("/")[2]
        jsonschema_rs.validate(_schema(name), content["example"])
        address = path.format(game_id=nobody.game_id, number=1)
        answer = nobody.call(method.upper(), address, version=1, json=content["example"])
        assert answer.status_code in (200, 201)
        nobody.game_id = answer.json["id"]


def test_the_rule_books_and_house_rules_are_those_that_score() -> None:
    shapes = document()["components"]["schemas"]
    assert shapes["NewGame"]["properties"]["rules"]["enum"] == list(PRESETS)
    assert set(shapes["HouseRules"]["properties"]) == set(HOUSE_RULES)
    assert set(shapes["Rules"]["properties"]) >= set(HOUSE_RULES)


@pytest.mark.parametrize("key", PRESETS)
def test_a_game_of_every_book_is_as_the_document_says(nobody: Caller, key: str) -> None:
    nobody.start(rules=key)
    jsonschema_rs.validate(_schema("Game"), nobody.game)


def test_a_game_has_the_members_of_the_document_and_no_others(nobody: Caller) -> None:
    nobody.start()
    nobody.put(1, [3, 2, "nil", 4], [3, 4, 0, 3])
    shapes = document()["components"]["schemas"]
    game = nobody.game
    (round_,) = game["rounds"]
    for value, shape in (
        (game, "Game"),
        (game["rules"], "Rules"),
        (round_, "Round"),
        (round_["scores"][0], "Score"),
        (nobody.call("GET", "games").json["games"][0], "GameInList"),
    ):
        assert set(value) == set(shapes[shape]["properties"])


def _schema(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}


class TestPage:
    """The page /api."""

    @pytest.fixture
    def page(self, app: Flask) -> Page:
        answer = app.test_client().get("/api")
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        return Page(answer.get_data(as_text=True))

    def test_it_shows_every_operation(self, page: Page) -> None:
        for path, method, entry in OPERATIONS:
            assert f"{method.upper()} {path}" in page.text
            assert entry["summary"] in page.texts("h2")

    def test_it_shows_every_member_of_every_shape(self, page: Page) -> None:
        for name, shape in document()["components"]["schemas"].items():
            assert name in page.texts("h2")
            for member in shape.get("properties", {}):
                assert member in page.texts("dt/code")

    def test_every_link_on_it_leads_somewhere(self, page: Page, app: Flask) -> None:
        ids = [one.get("id") for one in page.all("*[@id]")]
        assert len(set(ids)) == len(ids)
        for link in page.all("a[@href]"):
            address = link.get("href", "")
            assert address[1:] in ids if address[0] == "#" else _found(app, address)

    def test_it_holds_no_script(self, page: Page) -> None:
        assert page.all("script") == []


def _found(app: Flask, address: str) -> bool:
    return app.test_client().get(address).status_code == 200


def test_the_example_of_a_new_game_here_is_one_of_the_document() -> None:
    jsonschema_rs.validate(_schema("NewGame"), NEW_GAME)
