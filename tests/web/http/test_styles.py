"""Style sheets: one order of layers for all pages, and one owner for each class."""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from scorekeeper.web.http.static_files import (
    LATER_STYLES,
    PAGE_STYLES,
    START_STYLES,
    STYLES,
    folder,
    style,
)

SHEETS = {path.stem: path.read_text("utf-8") for path in (folder("static") / "css").glob("*.css")}
# What two sheets style on purpose.
SHARED = {
    ".board",  # hidden where the screen is too small for its sheet
    ".menu-list",  # parts.css places the menu until its sheet has come
    "#line",  # the status of the connection, above the seats of every game
}
BASE = {*STYLES, "pages", "windows"}  # which other sheets build upon
PLAYED = ("cards", "windows", "toast", "links")  # what else is there while a game is played
LATE = {*START_STYLES, *LATER_STYLES} - BASE  # some pages are shown before these come
MARK = re.compile(r"[.#][a-z][\w-]*")


def selectors(sheet: str) -> Iterator[str]:
    """Return each selector of a style sheet."""
    text = re.sub(r"/\*.*?\*/", "", SHEETS[sheet], flags=re.DOTALL)
    for prelude in re.findall(r"([^{};]+)\{", text):
        if not re.match(r"\s*(@|from\b|to\b|\d)", prelude):
            yield from map(str.strip, re.split(r",(?![^()]*\))", prelude))


def owners() -> dict[str, set[str]]:
    """Return which sheets style a class or id wherever it stands, by that class or id.

    The sheets that every page has, at once or soon, count as one. On paper others decide.
    """
    found = defaultdict(set)
    for sheet in SHEETS.keys() - {"print"}:
        for selector in selectors(sheet):
            if MARK.fullmatch(re.sub(r"::?[a-z-]+|\[.*?\]", "", selector)):
                found[MARK.findall(selector)[0]].add("" if sheet in BASE else sheet)
    return found


def test_every_page_begins_with_the_order_of_all_layers() -> None:
    order = re.match(r"@layer ([\w,-]+);", style())
    assert order
    layers = order[1].split(",")
    assert [*layers[: len(STYLES) - 1], layers[-1]] == list(STYLES)
    assert sorted(layers) == sorted(SHEETS)


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_a_sheet_is_the_layer_of_its_name(sheet: str) -> None:
    text = re.sub(r"/\*.*?\*/|@layer [^{}]*;", "", SHEETS[sheet], flags=re.DOTALL).strip()
    assert re.findall(r"^\S.*$", text, re.MULTILINE) == [f"@layer {sheet} {{", "}"]


def test_a_class_has_one_owner() -> None:
    found = {mark: sheets for mark, sheets in owners().items() if mark not in SHARED}
    assert {mark: sheets for mark, sheets in found.items() if len(sheets) > 1} == {}


@pytest.mark.parametrize("sheet", sorted(SHEETS.keys() - BASE - {"print"}))
def test_a_sheet_styles_nothing_that_belongs_to_another(sheet: str) -> None:
    owned = owners()
    others = SHEETS.keys() - {sheet}
    foreign = {mark for mark in owned if owned[mark] & (others - BASE) and sheet not in owned[mark]}
    if sheet in LATE:
        used = {mark for other in others for one in selectors(other) for mark in MARK.findall(one)}
        foreign = {mark for mark in used if sheet not in owned[mark]} - SHARED
    marks = {one: MARK.findall(one) for one in selectors(sheet)}
    assert [one for one, found in marks.items() if found and foreign.issuperset(found)] == []
    assert sheet not in LATE or all(marks.values())


# A rule with :has() makes a browser look at whole pages with each tap.
@pytest.mark.parametrize(
    "sheet", sorted({*STYLES, *LATER_STYLES, *PAGE_STYLES, *PLAYED} - {"rules"})
)
def test_a_game_is_played_without_rules_that_look_at_what_elements_hold(sheet: str) -> None:
    assert [one for one in selectors(sheet) if ":has(" in one] == []
