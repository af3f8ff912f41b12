"""What holds for every page of an evening."""

import copy
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.conftest import LAN, server
from tests.web.page import Page, text_of
from tests.web.page_tour import Seen, visit_every_page

# The live link has the address that other devices reach.
pytestmark = pytest.mark.slow

ELSEWHERE = re.compile(rf"(https?:)?//(?!localhost/|{re.escape(LAN)}/(watch|club)/)")
# Addresses that answer GET with something else than a page.
NO_PAGES = {"static", "robots.txt", "favicon.ico", "apple-touch-icon.png", "security_txt"}
NO_PAGES |= {"export.game_csv", "live.events", "live.watch_events"}
NO_PAGES |= {
    "rounds.preview",
    "result.picture_file",
    "year.picture_file",
    "evening.picture_file",
    "live.result_picture",
    "metrics.healthz",
    "metrics.show",
}
NO_PAGES |= {
    "offline.table",
    "offline.game",
    "offline.play_on",
    "offline.worker",
    "offline.manifest",
    "offline.pieces",
    "offline.sign_in",
    "feed.read",
}
NO_PAGES |= {"export.game_json", "export.history_csv", "export.history_json"}
NO_PAGES |= {"club_keeper.tonight", "club.events_of_all", "club_wall.events"}
NO_PAGES |= {"export.statistics_file", "club_results.saved", "club_results.exported"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with server(tmp_path_factory.mktemp("house")) as app:
        yield app


@pytest.fixture(scope="module")
def seen(house: Flask) -> list[Seen]:
    return visit_every_page(house)


@pytest.fixture(scope="module")
def pages(seen: list[Seen]) -> list[Page]:
    return [Page(page.html) for page in seen]


@pytest.fixture(scope="module")
def whole(pages: list[Page]) -> list[Page]:
    return [page for page in pages if page.html.lstrip().startswith("<!doctype")]


@pytest.fixture(scope="module")
def shown(whole: list[Page]) -> list[Page]:
    return list(map(live, whole))


def live(page: Page) -> Page:
    """Return a page without its templates, of which a script shows one or another."""
    page = copy.deepcopy(page)
    for parent in page.root.iter():
        for template in parent.findall("template"):
            parent.remove(template)
    return page


def test_the_evening_leads_past_every_address_that_shows_a_page(
    house: Flask, seen: list[Seen]
) -> None:
    endpoints = {
        rule.endpoint
        for rule in house.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api")
    }
    assert endpoints - NO_PAGES - {page.endpoint for page in seen} == set()


def test_the_evening_knows_every_kind_of_answer(seen: list[Seen]) -> None:
    assert {page.status for page in seen} == {200, 400, 403, 404, 405, 409, 413, 422}


def test_no_page_holds_what_a_browser_must_mend_or_refuse(pages: list[Page]) -> None:
    faults = []
    for page in pages:
        ids = Counter(e.get("id") for e in live(page).all("*[@id]"))
        faults += [f"id {name} twice" for name, n in ids.items() if n > 1]
        for element in page.root.iter():
            for name, value in element.attrib.items():
                if name.startswith("on") or value.strip().lower().startswith("javascript:"):
                    faults.append(f"{name}={value}: a script in the page")
                if name in ("src", "href", "action") and ELSEWHERE.match(value):
                    faults.append(f"{value}: another host")
            is_data = element.get("type") == "application/json"
            if element.tag == "script" and not element.get("src") and not is_data:
                faults.append("a script in the page")
            if element.get("style"):
                faults.append(f"style={element.get('style')}")
    assert faults == []


def test_whatever_an_element_points_to_is_there(shown: list[Page]) -> None:
    faults = []
    for page in shown:
        ids = {element.get("id") for element in page.all("*[@id]")}
        for element in page.root.iter():
            pointers = [
                element.get(name, "")
                for name in ("aria-describedby", "aria-labelledby", "for", "form", "list")
            ]
            if element.tag == "use":
                pointers.append(element.get("href", "").removeprefix("#"))
            faults += [p for pointer in pointers for p in pointer.split() if p not in ids]
    assert faults == []


def test_every_page_has_a_title_one_heading_and_one_main_part(shown: list[Page]) -> None:
    for page in shown:
        assert text_of(page.one("head/title"))
        assert text_of(page.one("h1")), page.text
        page.one("main")
        assert page.one("html").get("lang") == "en"


def test_every_field_has_a_name_for_screen_readers(whole: list[Page]) -> None:
    faults = []
    for page in whole:
        labels = {label.get("for") for label in page.all("label")}
        for field in [*page.all("input"), *page.all("select")]:
            if field.get("type") == "hidden" or "hidden" in field.attrib:
                continue
            if not (field.get("aria-label") or field.get("id") in labels):
                faults.append((page.text[:40], field.attrib))
    assert faults == []


def test_no_field_of_a_form_stands_there_twice(whole: list[Page]) -> None:
    faults = []
    for page in whole:
        for form in page.all("form"):
            names = Counter(
                field.get("name")
                for field in form.iter()
                # The hidden field after a switch is what counts while it is off.
                if field.tag in ("input", "select")
                and field.get("type") not in ("radio", "checkbox")
            )
            faults += [(form.get("action"), name) for name, n in names.items() if n > 1]
    assert faults == []


def test_every_form_that_posts_carries_the_token(shown: list[Page]) -> None:
    for page in shown:
        assert all(form.fields.get("csrf_token") for form in page.forms())


def test_no_browser_restores_a_field(shown: list[Page]) -> None:
    faults = []
    for page in shown:
        off = [one for form in page.all("*[@autocomplete='off']") for one in form.iter()]
        fields = [*page.all("input"), *page.all("select"), *page.all("textarea[@name]")]
        faults += [field.attrib for field in fields if field not in off]
    assert faults == []
