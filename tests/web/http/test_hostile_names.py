"""Names that try to break a page: shown whole and as text, or refused with a sentence."""

import csv
import io
import unicodedata
from typing import NamedTuple

import pytest

from scorekeeper.files.csv_columns import unescape_formula
from tests.web.page import Page
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of

ACCEPTED = {
    "one letter": "A",
    "an apostrophe": "O'Neill",
    "another apostrophe": "D’Arcy",
    "a hyphen": "Eva-Lotta",
    "accents": "Zoë Łukasz",
    "two code points for one letter": "Rene\u0301e",
    "vietnamese": "Nguyễn Thị Hồng",
    "chinese": "王小明",
    "japanese": "さくら",
    "korean": "서연",
    "cyrillic": "Наташа",
    "greek": "Δήμητρα",
    "arabic": "فاطمة",
    "hebrew": "נועה",
    "hindi": "प्रिया",
    "thai": "กิตติ",
    "persian with a joiner inside": "نیم\u200cفاصله",
    "sinhala with a joiner inside": "ක්\u200dර",
    "mongolian": "ᠮᠣᠩᠭᠣᠯ",
    "two directions": "Sam סמי",
    "an emoji": "🃏",
    "a family": "👩\u200d👩\u200d👧\u200d👦",
    "a flag": "🇳🇿",
    "a colour of skin": "👍🏾",
    "an emoji newer than most": "🩷",
    "a suit": "♠ Ace",
    "a heart in red": "❤️",
    "a capital sharp s": "GROẞ",
    "a ligature": "ﬁona",
    "wide letters": "Ｓａｍ",
    "null": "null",
    "none": "None",
    "undefined": "undefined",
    "not a number": "NaN",
    "a number": "007",
    "zero": "0",
    "below zero": "-1",
    "a device": "CON",
    "an element": "<b>Sam</b>",
    "a script": "<script>alert(1)</script>",
    "an attribute": '" autofocus onfocus="alert(1)',
    "another attribute": "' onmouseover='alert(1)",
    "the end of a field": '"><img src=x onerror=alert(1)>',
    "the end of a title": "</title><script src=//x></script>",
    "the end of a list": "</option></datalist><i id=x>",
    "the end of a style": "</style><svg onload=alert(1)>",
    "a comment": "<!--<i id=x>-->",
    "half an element": "<i id=x",
    "an entity": "&lt;i&gt;",
    "a number entity": "&#60;i&#62;",
    "an ampersand": "Tom & Jerry",
    "a template": "{{7*7}}",
    "another template": "${7*7} #{7*7}",
    "a gap of ours": "{name} {n} {0}",
    "a percent sign": "%(x)s %s %n %00",
    "a query": "'); DROP TABLE games;--",
    "a path": "../../etc/passwd",
    "a windows path": "C:\\Users",
    "a link": "javascript:alert(1)",
    "a formula": "=1+1",
    "a comma and a quote": 'a,"b";c',
    "an error": "#REF!",
    "forty wide letters": "W" * 40,
    "forty narrow letters": "i" * 40,
    "forty chinese letters": "国" * 40,
    "forty emoji": "😀" * 40,
    "forty letters of four code points": "\u03b1\u0313\u0300\u0345" * 40,
}
REFUSED = {
    "a letter too many": "x" * 41,
    "an emoji too many": "😀" * 41,
    "ten thousand letters": "x" * 10_000,
    "ten thousand marks": "\u0315\u0300" * 5000,
    "a line break": "Sam\nEast",
    "a header": "Sam\r\nSet-Cookie: a=b",
    "a tab": "Sam\tEast",
    "backspaces": "Sam\x08\x08\x08Eva",
    "a colour of the terminal": "\x1b[31mSam",
    "delete": "Sam\x7f",
    "an unseen line": "Sam\x85",
    "another line": "Sam\u2028East",
    "a paragraph": "Sam\u2029East",
    "turned around": "Sam\u202e000,1",
    "an override": "\u202dSam",
    "an embedding": "\u202bSam",
    "an isolate": "\u2067Sam",
    "the end of an isolate": "Sam\u2069",
    "a mark to the right": "\u200fSam",
    "a mark to the left": "\u200eSam",
    "an arabic mark": "\u061cSam",
    "a blank of no width": "S\u200bam",
    "only a blank of no width": "\u200b",
    "a joiner of words": "Sam\u2060",
    "a byte order mark": "\ufeffSam",
    "a soft hyphen": "S\u00adam",
    "only a joiner": "\u200d",
    "a filler": "\u3164",
    "another filler": "\u115f",
    "a braille blank": "\u2800",
    "letters that are not seen": "Sam\U000e0061\U000e0062",
    "a private letter": "Sam\ue000",
    "no letter at all": "Sam\uffff",
    "no letter of any plane": "Sam\U0001fffe",
    "a letter nobody has given": "Sam\u0378",
    "a replacement": "Sam\ufffd",
    "a note between lines": "Sam\ufff9x\ufffb",
    "only a mark": "\u0301",
    "only a selector": "\ufe0f",
    "a tower of marks": "Z" + "\u0300\u0301\u0302\u0303\u0304" * 3,
}


class RenderedNames(NamedTuple):
    """What every page made of the names of four players, and the game's CSV.

    The last of the `pages` is of a game without the players, who could take a seat in it.
    """

    kept: tuple[str, ...]
    pages: list[Page]
    new_game: Page
    csv: str


NAMES = list(ACCEPTED.values())
FOURS = [tuple((NAMES + NAMES)[n : n + 4]) for n in range(0, len(NAMES), 4)]


@pytest.fixture(scope="module")
def plain(still: Table) -> RenderedNames:
    return played(still, (NORTH, EAST, SOUTH, WEST))


@pytest.fixture(scope="module", params=FOURS, ids=", ".join)
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return request.param


@pytest.fixture(scope="module")
def rendered(still: Table, names: tuple[str, ...]) -> RenderedNames:
    return played(still, names)


def played(still: Table, names: tuple[str, ...]) -> RenderedNames:
    """Play a round with players of these names at a table of its own; look at it everywhere."""
    table = Table(still.app)
    table.sit_down()
    assert table.new_game(players=names).status_code == 303
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    pages = [table.page(table.path + path) for path in ("", "/changes", "/rounds/1", "/sheet")]
    sheet = table.get(f"{table.path}.csv").get_data(as_text=True)
    kept, new_game = table.game.names, table.page("/games/new")
    table.new_game(players=("Ana", "Ben", "Cy", "Dana"))
    return RenderedNames(kept, [*pages, table.page(table.round_path())], new_game, sheet)


def test_names_are_kept_as_they_were_typed(names: tuple[str, ...], rendered: RenderedNames) -> None:
    assert rendered.kept == tuple(unicodedata.normalize("NFC", name) for name in names)


def test_names_are_shown_whole_and_keep_their_direction_to_themselves(
    rendered: RenderedNames,
) -> None:
    for page in rendered.pages:
        assert {*rendered.kept} <= {element.text for element in page.all("bdi")}


def test_names_are_offered_again_as_they_were(rendered: RenderedNames) -> None:
    page = rendered.new_game
    fields = page.form("new-game").fields
    assert tuple(fields[f"player-{seat}"] for seat in range(1, 5)) == rendered.kept
    offered = {option.get("value") for option in page.all("datalist/option")}
    assert {*rendered.kept} <= offered


def test_players_can_take_a_seat_by_their_names_as_they_were(rendered: RenderedNames) -> None:
    buttons = rendered.pages[-1].form("/seats").buttons
    for name in rendered.kept:
        assert {"player": name} in buttons


def test_names_bring_no_element_and_no_attribute_of_their_own(
    rendered: RenderedNames, plain: RenderedNames
) -> None:
    for page, expected in zip(rendered.pages, plain.pages, strict=True):
        assert [(e.tag, *e.attrib) for e in page.root.iter()] == [
            (e.tag, *e.attrib) for e in expected.root.iter()
        ]


def test_names_come_whole_out_of_the_csv_and_are_no_formulas(rendered: RenderedNames) -> None:
    rows = list(csv.DictReader(io.StringIO(rendered.csv, newline=""), strict=True))
    shown = {row["player"] for row in rows if row["seat"]}
    assert {unescape_formula(cell) for cell in shown} == {*rendered.kept}
    assert not [cell for cell in shown if cell[0] in "=+-@＝＋－＠\t\r\n"]


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED.keys())
def test_a_name_that_cannot_be_read_is_refused_beside_its_field(still: Table, name: str) -> None:
    before = still.everything()
    answer = still.new_game(players=(name, EAST, SOUTH, WEST))
    assert answer.status_code == 422
    assert page_of(answer).error_of("player-1") != ""
    assert still.everything() == before


@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\u3000", "\u2003", "\t"], ids=ascii)
def test_a_blank_is_an_empty_seat(still: Table, blank: str) -> None:
    answer = still.new_game("partnership", (blank, EAST, SOUTH, WEST))
    assert answer.status_code == 422
    assert "Enter all the names" in page_of(answer).text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Sam  ", "Sam"),
        ("Sam  East", "Sam East"),
        ("Sam\u00a0East", "Sam East"),
        ("Sam\u3000East", "Sam East"),
        ("Sam\u200d", "Sam"),
        ("\u200cSam", "Sam"),
    ],
    ids=ascii,
)
def test_blanks_are_kept_single(table: Table, typed: str, kept: str) -> None:
    table.new_game(players=(typed, EAST, SOUTH, WEST))
    assert table.game.names[0] == kept


def test_a_phone_s_hostile_name_is_text_too(stranger: Table) -> None:
    stranger.join("<b>Kim</b>")
    stranger.new_game()
    assert stranger.page(f"{stranger.path}/changes").texts("li/small/bdi") == ["<b>Kim</b>"]
