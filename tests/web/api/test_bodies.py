"""Malformed request bodies are refused before their content is read."""

import json

import pytest

from tests.web.api.caller import NEW_GAME, Caller

GOOD = json.dumps(NEW_GAME).encode()
DEEP = b"[" * 30_000 + b"]" * 30_000

MALFORMED: dict[str, tuple[bytes, int, str]] = {
    "nothing": (b"", 400, "line 1, column 1"),
    "blanks": (b" \n ", 400, "Invalid JSON at line"),
    "a word": (b"players", 400, "Invalid JSON at line"),
    "cut off": (GOOD[:-1], 400, "Invalid JSON at line"),
    "more after the end": (GOOD + b"}", 400, "Invalid JSON at line"),
    "two objects": (GOOD + GOOD, 400, "Invalid JSON at line"),
    "a comma too many": (GOOD[:-1] + b",}", 400, "Invalid JSON at line"),
    "a remark": (b"// x\n" + GOOD, 400, "Invalid JSON at line"),
    "single quotes": (b"{'rules': 'cutthroat-lite'}", 400, "Invalid JSON at line"),
    "a line break in a text": (b'{"rules": "a\nb"}', 400, "Invalid JSON at line"),
    "a list": (b"[" + GOOD + b"]", 400, "one JSON object"),
    "a text": (b'"cutthroat-lite"', 400, "one JSON object"),
    "a number": (b"7", 400, "one JSON object"),
    "null": (b"null", 400, "one JSON object"),
    "true": (b"true", 400, "one JSON object"),
    "no members": (b"{}", 400, "is missing “rules”, “players”"),
    "a member twice": (b'{"rules": "cutthroat", ' + GOOD[1:], 400, "“rules” appears twice"),
    "a member twice inside": (
        GOOD[:-1] + b', "house_rules": {"target": 1, "target": 2}}',
        400,
        "“target” appears twice",
    ),
    "NaN": (GOOD[:-1] + b', "stake": NaN}', 400, "NaN isn’t a whole number"),
    "infinity": (GOOD[:-1] + b', "stake": -Infinity}', 400, "-Infinity isn’t a whole number"),
    "a fraction": (GOOD[:-1] + b', "stake": 2.5}', 400, "2.5 isn’t a whole number"),
    "an endless number": (GOOD[:-1] + b', "stake": 1e999}', 400, "1e999 isn’t a whole number"),
    "an exponent": (GOOD[:-1] + b', "stake": 1e-1}', 400, "1e-1 isn’t a whole number"),
    "a huge exponent": (GOOD[:-1] + b', "stake": 1e999999}', 400, "a whole number"),
    "a long number": (GOOD[:-1] + b', "stake": 1234567890}', 400, "at most 9 digits"),
    "a huge number": (GOOD[:-1] + b', "stake": ' + b"9" * 5000 + b"}", 400, "at most 9 digits"),
    "a huge negative": (GOOD[:-1] + b', "stake": -' + b"9" * 60_000 + b"}", 400, "at most 9"),
    "half a character": (GOOD[:-1] + b', "stake": "\\ud800"}', 400, "lone surrogate"),
    "half a character in a name": (b'{"\\udfff": 1}', 400, "lone surrogate"),
    "half a character twice": (b'{"\\udfff": 1, "\\udfff": 1}', 400, "“�” appears twice"),
    "brackets": (DEEP, 400, "Brackets are nested too deeply"),
    "brackets in a member": (b'{"players":' + DEEP + b"}", 400, "Brackets are nested too deeply"),
    "braces": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400, "Brackets are nested too deeply"),
    "nested brackets": (b"[" * 100_000, 413, "64 kB"),
    "too much": (b" " * 65_537, 413, "64 kB"),
    "UTF-16": (json.dumps(NEW_GAME).encode("utf-16"), 400, "isn’t UTF-8"),
    "Latin-1": ('{"rules": "Zoë"}'.encode("latin-1"), 400, "isn’t UTF-8"),
    "an overlong byte": (b'{"rules": "\xc0\xaf"}', 400, "isn’t UTF-8"),
    "a surrogate in bytes": (b'{"rules": "\xed\xa0\x80"}', 400, "isn’t UTF-8"),
    "a NUL": (b'{"rules": "\x00"}', 400, "Invalid JSON at line"),
    "an escaped NUL": (GOOD[:-1] + b', "stake": "\\u0000"}', 422, "These settings don’t work"),
    "an unknown member": (GOOD[:-1] + b', "<b>\\u202e": 1}', 400, "Unknown member “<b>�”"),
    "a long unknown member": (
        GOOD[:-1] + b', "' + b"x" * 5000 + b'": 1}',
        400,
        "Unknown member “" + "x" * 39 + "…”",
    ),
    "many unknown members": (
        json.dumps({f"m{n}": n for n in range(4000)}).encode(),
        400,
        "“m4”. Known members",
    ),
}


def test_a_byte_order_mark_is_no_part_of_the_body(api: Caller) -> None:
    mark, as_json = b"\xef\xbb\xbf", {"content_type": "application/json"}
    assert api.call("POST", "games", data=mark + GOOD, **as_json).status_code == 201
    assert api.call("POST", "games", data=mark + mark + GOOD, **as_json).status_code == 400


@pytest.mark.parametrize(("body", "status", "words"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_body_is_refused_with_a_sentence(
    refused: Caller, body: bytes, status: int, words: str
) -> None:
    before = refused.everything()
    answer = refused.call("POST", "games", data=body, content_type="application/json")
    assert answer.status_code == status
    assert words in answer.json["detail"]
    assert len(answer.json["detail"]) < 500
    assert refused.everything() == before


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/problem+json",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application",
        "\xff",
    ],
)
def test_only_json_is_a_body(refused: Caller, kind: str | None) -> None:
    before = refused.everything()
    answer = refused.call("POST", "games", data=GOOD, content_type=kind)
    assert answer.status_code == 415
    assert "application/json" in answer.json["detail"]
    assert refused.everything() == before


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON", "application/json; charset=UTF-8"]
)
def test_json_may_be_named_in_any_case(nobody: Caller, kind: str) -> None:
    assert nobody.call("POST", "games", data=GOOD, content_type=kind).status_code == 201


def test_a_compressed_body_is_415(refused: Caller) -> None:
    headers = {"Content-Encoding": "gzip"}
    answer = refused.call("POST", "games", json=NEW_GAME, headers=headers)
    assert answer.status_code == 415


def test_every_character_people_write_passes(nobody: Caller) -> None:
    body = json.dumps({**NEW_GAME, "players": ["Zoë", "王", "𝒜", "👩🏽"]})
    for text in (body, json.dumps(json.loads(body), ensure_ascii=False)):
        answer = nobody.call("POST", "games", data=text, content_type="application/json")
        assert answer.json["players"] == ["Zoë", "王", "𝒜", "👩🏽"]


@pytest.mark.parametrize("number", ["1", "1.0", "1e0", "10e-1"])
def test_a_whole_number_is_one_however_it_is_written(nobody: Caller, number: str) -> None:
    body = GOOD[:-1] + f', "first_dealer": {number}}}'.encode()
    answer = nobody.call("POST", "games", data=body, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json["dealer"] == 1
