"""A phone that scores by itself: a browser that has the scripts, and no server to ask."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.conftest import browser_type_launch_args as browser_type_launch_args
from tests.program import CHECKOUT

HERE = Path(__file__).parent
SERVED = {f"/{name}": HERE / name for name in ("answer.js", "meeting.js")}
ASK = """async ([how, questions]) => {
  const answers = await import("/answer.js");
  return JSON.stringify(JSON.parse(questions).map((one) => answers[how](one)), answers.plain);
}"""
Ask = Callable[[str, Sequence[Any]], list[Any]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _serve(route: Route) -> None:
    name = route.request.url.removeprefix("http://phone.test")
    if name == "/":
        route.fulfill(content_type="text/html", body="<!DOCTYPE html><title>A phone</title>")
    elif name.startswith("/js/"):
        script = CHECKOUT / "static" / name[1:]
        route.fulfill(content_type="text/javascript", body=script.read_text("utf-8"))
    elif name in SERVED:
        route.fulfill(content_type="text/javascript", body=SERVED[name].read_text("utf-8"))
    else:
        route.abort()


@pytest.fixture(scope="session")
def scripts(browser: Browser) -> Iterator[Page]:
    """A blank page that can import the scripts."""
    context = browser.new_context()
    context.route("**/*", _serve)
    page = context.new_page()
    page.goto("http://phone.test/")
    yield page
    context.close()


@pytest.fixture(scope="session")
def ask(scripts: Page) -> Ask:
    """Put questions to the phone, all of them to one function of answer.js."""

    def ask(how: str, questions: Sequence[Any]) -> list[Any]:
        answers: list[Any] = json.loads(scripts.evaluate(ASK, [how, json.dumps(questions)]))
        return answers

    return ask
