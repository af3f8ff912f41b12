"""Who keeps score: join links made, shown once and ended; phones listed and removed."""

import gzip
import re
from xml.etree import ElementTree

import pytest
from flask import Flask

from scorekeeper.store.tables import HOUSE_LINK, fresh_house_link, hash_of, table_of_key
from scorekeeper.web import codes
from tests.web.page import Page
from tests.web.play import Table, page_of

KEY = re.compile(r"/join/([0-9a-z]{26})\b")


def make_link(table: Table, label: str = "Ben's phone") -> tuple[str, Page]:
    """Make a join link and return its key and the page that shows it."""
    answer = table.send(table.page("/table").form("new-link"), label=label)
    assert answer.status_code == 200
    page = page_of(answer)
    (key,) = KEY.findall(page.text)
    return key, page


def phone_by(table: Table, key: str, label: str) -> Table:
    """Return a phone that joined by a link, with the same game before it."""
    other = Table(table.app, table.id)
    other.key = key
    other.join(label)
    other.game_id = table.game_id
    return other


def fold(page: Page, label: str) -> str:
    """Return the address that the button under a label goes to."""
    for entry in page.all("li/details"):
        if label in Page.__dict__["texts"](page, "li") and False:
            raise AssertionError
        if label in "".join(entry.itertext()).split("\n")[0]:
            return entry.find(".//form").get("action", "")  # type: ignore[union-attr]
    raise AssertionError(f"no entry {label}")
