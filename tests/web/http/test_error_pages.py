"""Pages of errors: their titles say what went wrong."""

import pytest
from flask import Flask, abort

from tests.web.page import Page
from tests.web.play import Table, page_of


def title_of(page: Page) -> str:
    """Return the title, which the heading repeats."""
    (title,), (heading,) = page.texts("title"), page.texts("h1")
    assert title.startswith(heading)
    return heading


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/nothing", "Page not found"),
        ("/games/0000000000", "Page not found"),
        ("/join/00000000000000000000000000", "This link has expired"),
        ("/watch/00000000000000000000000000", "This link no longer works"),
    ],
)
def test_what_is_not_there_is_called_so(still: Table, path: str, title: str) -> None:
    answer = still.get(path)
    assert (answer.status_code, title_of(page_of(answer))) == (404, title)


def test_a_form_without_its_token_is_out_of_date(still: Table) -> None:
    answer = still.post(f"{still.path}/undo", {"version": 1})
    assert (answer.status_code, title_of(page_of(answer))) == (400, "Page expired")


@pytest.mark.parametrize(
    ("status", "title"),
    [
        (400, "Bad request"),
        (403, "Not allowed"),
        (404, "Page not found"),
        (405, "Not allowed"),
        (413, "Too large"),
        (422, "Bad request"),
        (429, "Too many requests"),
        (500, "Something went wrong"),
        (503, "Not saved"),
    ],
)
def test_every_status_has_a_title(app: Flask, status: int, title: str) -> None:
    app.add_url_rule("/failing", "failing", lambda: abort(status))
    answer = app.test_client().get("/failing")
    assert (answer.status_code, title_of(page_of(answer))) == (status, title)
