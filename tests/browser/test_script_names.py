"""The app's scripts share one scope, in which no name may hide one that browsers have."""

from playwright.sync_api import Page

from tests.web.http.test_scripts import top_level_names

IN_BROWSERS = "(names) => names.filter((name) => name in window)"


def test_no_script_hides_a_name_of_the_browser(page: Page) -> None:
    assert page.evaluate(IN_BROWSERS, ["open", "race"]) == ["open"]
    assert page.evaluate(IN_BROWSERS, top_level_names()) == []
