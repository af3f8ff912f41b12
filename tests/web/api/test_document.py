"""GET /api/openapi.json: the document says what the server does, and /api shows it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

from scorekeeper import __version__, free_text
from scorekeeper.files.imports import LARGEST_UPLOAD, MAX_ROWS
from scorekeeper.rules.bidding import Nil, blind_bid
from scorekeeper.rules.examples import table_size
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.rules.value_kinds import Kind, Number, Sizes, Steps, Word
from scorekeeper.rules.values import MOST_CARDS
from scorekeeper.store.entry import MAX_KEY_LENGTH
from scorekeeper.web.api.request import DEFAULT_LIMIT, LARGEST_LIMIT
from scorekeeper.web.http.forms import MAX_SEATS
from scorekeeper.web.http.security import LARGEST_BODY
from tests.web.api.caller import NEW_GAME, Caller
from tests.web.api.document import DOCUMENT, OPERATIONS, SCHEMAS, validator
from tests.web.page import Page


def test_it_is_sent_to_anybody(app: Flask) -> None:
    answer = app.test_client().get("/api/openapi.json")
    assert answer.content_type == "application/json"
    assert answer.json == DOCUMENT


def test_its_version_is_that_of_the_package() -> None:
    assert DOCUMENT["info"]["version"] == __version__


# Addresses


def test_it_names_every_address_and_no_other(app: Flask) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == {(path, method) for path, method, _operation in OPERATIONS}


def test_every_operation_is_named_after_its_view(app: Flask) -> None:
    for path, method, operation in OPERATIONS:
        address = path.format(game_id="x", number=1, player_id=1, rules_id="x")
        endpoint, _arguments = app.url_map.bind("localhost").match(address, method)
        assert endpoint.rpartition(".")[2] == operation["operationId"]


def test_every_operation_is_in_one_group() -> None:
    groups = [tag["name"] for tag in DOCUMENT["tags"]]
    used = [operation["tags"] for _path, _method, operation in OPERATIONS]
    assert {tag for (tag,) in used} == set(groups)


def test_every_component_is_used_and_every_one_used_is_there() -> None:
    groups = DOCUMENT["components"]
    there = {
        f"#/components/{group}/{name}"
        for group in ("schemas", "parameters", "headers", "responses")
        for name in groups[group]
    }
    assert there == set(_refs(DOCUMENT))


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for one in value.values():
            yield from _refs(one)
    elif isinstance(value, list):
        for one in value:
            yield from _refs(one)


# Schemas


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_a_json_schema(name: str) -> None:
    jsonschema_rs.meta.validate(SCHEMAS[name])
    validator(name)


def test_the_examples_are_right(nobody: Caller) -> None:
    ids = {"game_id": "", "rules_id": ""}
    for path, method, operation in OPERATIONS:
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        if "example" not in content:
            continue
        validator(content["schema"]["$ref"].rpartition("/")[2]).validate(content["example"])
        address = path.format(number=1, **ids)
        answer = nobody.call(method, address, version=1, json=content["example"])
        assert answer.status_code in (200, 201)
        ids["rules_id" if "/rules" in path else "game_id"] = answer.json["id"]


def test_the_example_of_a_new_game_here_is_right() -> None:
    validator("NewGame").validate(NEW_GAME)


@pytest.mark.parametrize("key", PRESETS)
def test_a_game_of_every_book_is_as_the_document_says(nobody: Caller, key: str) -> None:
    nobody.start(rules=key, players=list("ABCDEF")[: table_size(PRESETS[key])])
    validator("Game").validate(nobody.game)


def test_every_member_is_there_and_no_other(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 100, "overtrick_cap": None, "mercy": -90})
    nobody.put(1, [3, 2, "nil", 4], [3, 4, 0, 3])
    game = nobody.game
    (round_,) = game["rounds"]
    for value, name in (
        (game, "Game"),
        (game["rules"], "Rules"),
        (round_, "Round"),
        (round_["scores"][0], "Score"),
        (nobody.call("GET", "games").json["games"][0], "GameInList"),
    ):
        assert set(value) == set(SCHEMAS[name]["properties"]) == set(SCHEMAS[name]["required"])
    assert set(game["rules"]["values"]) == set(SCHEMAS["RuleValues"]["properties"])
    validator("RuleValues").validate(game["house_rules"])
    assert set(game["house_rules"]) == {"target", "overtrick_cap", "mercy"}


# Rules


def test_the_rule_books_are_those_that_score() -> None:
    assert SCHEMAS["NewGame"]["properties"]["rules"]["enum"] == list(PRESETS)


def test_every_rule_is_there_in_the_order_of_the_rule_set() -> None:
    assert list(SCHEMAS["RuleValues"]["properties"]) == list(HOUSE_RULES)


@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_a_rule_has_the_type_and_range_that_the_rule_set_declares(rule: str) -> None:
    described = dict(SCHEMAS["RuleValues"]["properties"][rule])
    assert described.pop("description")
    assert described == value_schema(HOUSE_RULES[rule])


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.key)
def test_the_values_of_every_rule_book_are_in_range(rules: RuleSet) -> None:
    sent = json.loads(json.dumps({name: rules.values[name] for name in HOUSE_RULES}))
    validator("RuleValues").validate(sent)


def value_schema(kind: Kind) -> Any:
    """Return the schema of a rule value."""
    if isinstance(kind, Number):
        number = {"type": "integer", "minimum": kind.low, "maximum": kind.high}
        return {"anyOf": [number, {"type": "null"}]} if kind.off else number
    if isinstance(kind, Word):
        return {"type": "string", "enum": list(kind.words)}
    if isinstance(kind, Steps):
        return {
            "type": ["string", "null"],
            "minLength": 1,
            "maxLength": kind.most,
            "pattern": r"^\S([^\n]*\S)?$",
        }
    if isinstance(kind, Sizes):
        one = {"type": "integer", "minimum": kind.low, "maximum": kind.high}
        return {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}
    return {"type": "boolean"}


# Limits


def test_its_limits_are_those_of_the_server() -> None:
    parameters = {
        one["name"]: one["schema"]
        for _path, _method, operation in OPERATIONS
        for one in operation.get("parameters", [])
        if "schema" in one
    }
    limit, key = parameters["limit"], parameters["Idempotency-Key"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (
        (1, LARGEST_LIMIT, DEFAULT_LIMIT)
    )
    assert key["pattern"] == f"^[!-~]{{1,{MAX_KEY_LENGTH}}}$"
    players = SCHEMAS["NewGame"]["properties"]["players"]
    assert (players["minItems"], players["maxItems"]) == (2, MAX_SEATS)
    assert players["items"]["maxLength"] == free_text.LONGEST
    number, word, blind = SCHEMAS["Bid"]["anyOf"]
    assert (number["minimum"], number["maximum"]) == (0, MOST_CARDS)
    assert word["enum"] == [str(nil) for nil in Nil]
    assert re.fullmatch(blind["pattern"], blind_bid(6))
    assert f"at most {LARGEST_BODY // 1024} kB" in DOCUMENT["info"]["description"]
    (about,) = [
        one["description"] for _p, _m, one in OPERATIONS if one["operationId"] == "import_games"
    ]
    assert f"at most {LARGEST_UPLOAD >> 20} MB and {MAX_ROWS:,} rows" in about
    assert SCHEMAS["RulesToSave"]["properties"]["name"]["maxLength"] == free_text.LONGEST


class TestPage:
    """The page /api."""

    @pytest.fixture
    def page(self, app: Flask) -> Page:
        answer = app.test_client().get("/api")
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        return Page(answer.get_data(as_text=True))

    def test_it_shows_every_operation(self, page: Page) -> None:
        for path, method, operation in OPERATIONS:
            assert f"{method} {path}" in page.text
            assert operation["summary"] in page.texts("h2")

    def test_it_shows_every_member_of_every_schema(self, page: Page) -> None:
        for name, schema in SCHEMAS.items():
            assert name in page.texts("h2")
            for member in schema.get("properties", {}):
                assert member in page.texts("dt/code")

    def test_it_tells_types_in_words(self, page: Page) -> None:
        for words in (
            "whole number, 1 to 1000 or null Blind Nil",
            "list of whole number, 1 to 10 The dealer bids last.",
            'whole number, 0 to 26 or "nil" or "blind nil" or text A number of tricks, or Nil.',
            "date and time",
        ):
            assert words in page.text

    def test_every_link_on_it_leads_somewhere(self, page: Page, app: Flask) -> None:
        ids = [one.get("id") for one in page.all("*[@id]")]
        assert len(set(ids)) == len(ids)
        for link in page.all("a[@href]"):
            address = link.get("href", "")
            assert address[1:] in ids if address[0] == "#" else _found(app, address)

    def test_it_holds_no_script(self, page: Page) -> None:
        assert page.all("script") == []

    def test_the_english_of_the_document_is_marked_in_every_language(self, app: Flask) -> None:
        answer = app.test_client().get("/api", headers={"Accept-Language": "de"})
        page = Page(answer.get_data(as_text=True))
        assert page.one("html").get("lang") == "de"
        english = page.texts("bdi[@lang='en']")
        assert {operation["summary"] for _path, _method, operation in OPERATIONS} <= set(english)


def _found(app: Flask, address: str) -> bool:
    return app.test_client().get(address).status_code == 200


@pytest.mark.parametrize(
    ("players", "is_valid"),
    [
        (["Ana", "Ben", "Cy", "Dana"], True),
        (["..", "!?", "O\u2019Neil", "A\u200cb"], True),
        (["Ana", "Ana", "Cy", "Dana"], False),
        (["Ana\u200e", "Ben", "Cy", "Dana"], False),
        (["\u200c", "Ben", "Cy", "Dana"], False),
        (["A\nna", "Ben", "Cy", "Dana"], False),
        (["\u00ad", "Ben", "Cy", "Dana"], False),
        (["A\ue000", "Ben", "Cy", "Dana"], False),
        (["A\uffff", "Ben", "Cy", "Dana"], False),
        (["A\U000e0041", "Ben", "Cy", "Dana"], False),
        (["\u845b\U000e0100", "\U0001f600", "Cy", "Dana"], True),
    ],
)
def test_names_are_valid_for_the_document_as_for_the_server(
    nobody: Caller, players: list[str], is_valid: bool
) -> None:
    body = {"rules": "cutthroat-lite", "players": players}
    assert validator("NewGame").is_valid(body) == is_valid
    status = nobody.call("POST", "games", json=body).status_code
    assert status == 201 if is_valid else status in (400, 422)


@pytest.mark.parametrize("path", ["/api/games", "/api/players"])
def test_an_empty_after_is_valid_for_neither(nobody: Caller, path: str) -> None:
    (after,) = [one for one in DOCUMENT["paths"][path]["get"]["parameters"]
                if one.get("name") == "after"]  # fmt: skip
    assert re.search(after["schema"]["pattern"], "") is None
    assert nobody.call("GET", f"{path}?after=").status_code == 400
