"""A version is what a tag says: the number in the program, the changelog and what is told fit."""

import re

from scorekeeper import __version__
from tests.program import CHECKOUT

CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
SECTIONS = re.findall(r"^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$", CHANGELOG, re.MULTILINE)


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, without `.dev0`."""
    return tuple(int(part) for part in version.removesuffix(".dev0").split("."))


def test_versions_have_three_numbers_and_those_between_releases_an_end() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev0)?", __version__)


def test_a_release_is_the_newest_in_the_changelog_and_all_else_is_later() -> None:
    newest, day = next((name, day) for name, day in SECTIONS if name != "Unreleased")
    assert day
    if __version__.endswith(".dev0"):
        assert numbers(__version__) > numbers(newest)
        assert SECTIONS[0] == ("Unreleased", "")
    else:
        assert newest == __version__


def test_versions_of_the_changelog_go_down_and_have_a_day() -> None:
    released = [name for name, _day in SECTIONS if name != "Unreleased"]
    assert all(day for name, day in SECTIONS if name != "Unreleased")
    assert released == sorted(released, key=numbers, reverse=True)
