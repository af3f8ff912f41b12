"""The work of a request grows no faster than its texts: a long one is refused before it is read.

Which fields a route reads is recorded while its row of `RIGHTS` is asked for, so that a new field
is tried here by itself.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

import pytest
from flask import Request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.test import TestResponse

from tests.growth import LONG, MARKS, Send, assert_grows_slowly
from tests.web.http.test_rights import RIGHTS
from tests.web.play import Table
from tests.web.visitors import Row, Visitors

pytestmark = pytest.mark.slow

PATTERNS = (MARKS, " ", "1", "nil ")
IN_HEADERS = ("a,", "a;q=0.1,", '"a",', "a=b; ", 'a="\\', "\\", " ", "a-")
HEADERS = (
    *("Accept-Language", "Accept-Encoding", "Cookie", "Authorization", "If-Match", "Last-Event-ID"),
    *("If-None-Match", "Idempotency-Key", "Scorekeeper-Seen", "Origin", "Content-Type", "Host"),
)
PAGES = [row for row in RIGHTS if not row.rule.startswith("/api/")]
BODIES = [row for row in RIGHTS if row.json]


class Recorded(ImmutableMultiDict[str, str]):
    """The fields of a form or a query, which note each name that is asked for."""

    names: set[str] = set()  # noqa: RUF012  # one for all requests

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.names.add(str(name))
        return super().__contains__(name)


class RecordedRequest(Request):
    """A request with such fields."""

    parameter_storage_class = Recorded


@pytest.fixture(scope="module")
def visitors(still: Table) -> Iterator[Visitors]:
    """Everybody who might ask; nothing that is asked for here is granted."""
    usual, still.app.request_class = still.app.request_class, RecordedRequest
    yield Visitors(still.app)
    still.app.request_class = usual


def fields_read(visitors: Visitors, row: Row) -> list[str]:
    """Return the fields that a route reads of somebody who may; of those by seats the first."""
    Recorded.names = set()
    visitors.ask("phone", row, row.method)
    names = Recorded.names.union(row.fields)
    return sorted(name for name in names if not re.search("-([2-9]|[0-9]{2})$", name))


def checked(answer: TestResponse, text: str) -> int:
    """Return the status of an answer, which shows no more than the beginning of a text.

    Lists that are typed are shown again whole, to be mended.
    """
    assert answer.status_code < 500
    shown = re.sub("(?s)(<textarea[^>]*>).*?</textarea>", r"\1", answer.get_data(as_text=True))
    assert text[:1000] not in shown
    return answer.status_code


@pytest.mark.parametrize("row", PAGES, ids=lambda row: f"{row.method} {row.rule}")
def test_every_field_of_every_page(visitors: Visitors, row: Row) -> None:
    table, path = visitors.table, visitors.path("phone", row)
    sent = {"csrf_token": table.token(), "version": table.game.version, **row.fields}
    # Servers take no longer addresses; forms that carry a file are larger.
    longest = 5000 if row.method == "GET" else 4 * LONG if "/import" in row.rule else LONG

    def send_with(name: str) -> Send:
        def send(text: str) -> int:
            if row.method == "GET":
                return checked(table.client.get(path, query_string={name: text}), text)
            fields, kind = {**sent, name: text}, "multipart/form-data"
            return checked(table.client.post(path, data=fields, content_type=kind), text)

        return send

    # A form that is granted changes something, so that others ask at a table of their own.
    granted = visitors if row.method == "GET" else Visitors(table.app)
    for name in fields_read(granted, row):
        # Other texts matter only where the length alone is not refused.
        for pattern in PATTERNS:
            if assert_grows_slowly(send_with(name), pattern, name, longest) == 400:
                break


@pytest.mark.parametrize("rule", sorted({row.rule for row in RIGHTS if "<" in row.rule}))
def test_every_part_of_an_address(visitors: Visitors, rule: str) -> None:
    row = next(row for row in RIGHTS if row.rule == rule)
    parts = [part for part in rule.split("/") if part.startswith("<")]
    for part in parts:

        def send(text: str, part: str = part) -> int:
            path = visitors.path("phone", Row("GET", rule.replace(part, "GAP"), ()))
            answer = visitors.table.client.open(path.replace("GAP", text), method=row.method)
            assert answer.status_code in (400, 401, 404, 405)
            return checked(answer, text)

        for pattern in (MARKS, "1", "-"):
            assert_grows_slowly(send, pattern, part, 5000)


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("path", ["/", "/api/games"])
def test_every_header(visitors: Visitors, name: str, path: str) -> None:
    client = visitors.app.test_client(use_cookies=False)
    key = {"Authorization": f"Bearer {visitors.table.key}"}
    for pattern in IN_HEADERS:
        assert_grows_slowly(
            lambda text: checked(client.get(path, headers={**key, name: text}), text),
            pattern,
            name,
            16_000,
        )


def with_texts(value: Any, text: str) -> Iterator[Any]:
    """Yield a JSON value with a text, or many or nested values, in the place of each of its own."""
    yield from (text, [text], {text: 1}, [[]] * (len(text) // 4), [1] * (len(text) // 4))
    places = value if isinstance(value, dict) else range(len(value) if type(value) is list else 0)
    for place in places:
        for changed in with_texts(value[place], text):
            copy = deepcopy(value)
            copy[place] = changed
            yield copy
    if isinstance(value, dict):
        yield value | {f"{text[:9]}{n}": n for n in range(len(text) // 16)}


@pytest.mark.parametrize("row", BODIES, ids=lambda row: f"{row.method} {row.rule}")
def test_every_value_of_a_program(visitors: Visitors, row: Row) -> None:
    table, path = visitors.table, visitors.path("bearer", row)
    headers = {"Authorization": f"Bearer {table.key}", "If-Match": f'"{table.game.version}"'}
    notes = {"substitutes": [{"seat": 1, "player": "Eve"}], "penalties": [{"kind": "books"}]}
    usual = {
        **(row.json or {}),
        **({"house_rules": {"target": 9}} if "players" in row.json else notes),
    }
    for n in range(len(list(with_texts(usual, "x")))):

        def send(text: str, n: int = n) -> int:
            body = next(islice(with_texts(usual, text), n, None))
            answer = visitors.app.test_client().open(
                path, method=row.method, json=body, headers=headers
            )
            return checked(answer, text)

        assert_grows_slowly(send, MARKS, f"{n}")
