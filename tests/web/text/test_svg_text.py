"""Text in pictures: truncation, line breaks and overlapping labels."""

import pytest

from scorekeeper.web.text.svg_text import END, ISOLATE, apart, cut, cut_names, width, wrapped


def bare(text: str) -> str:
    return text.removeprefix(ISOLATE).removesuffix(END)


@pytest.mark.parametrize(
    ("narrow", "broad"),
    [("i", "n"), ("n", "N"), ("N", "W"), ("n", "国"), ("n", "nn"), ("n\u0301", "nn")],
)
def test_letters_are_as_wide_as_they_are(narrow: str, broad: str) -> None:
    assert 0 < width(narrow, 12) < width(broad, 12)


def test_marks_and_what_turns_text_around_have_no_width() -> None:
    assert width("n\u0301\u2068\u2069\u200d", 12) == width("n", 12)


@pytest.mark.parametrize("text", ["North", "W" * 40, "国" * 40, "😀" * 40, "נועה" * 10])
@pytest.mark.parametrize("room", [20, 60, 100, 1000])
def test_a_name_is_cut_to_its_room(text: str, room: int) -> None:
    shown = bare(cut(text, room, 12))
    assert width(shown, 12) <= room
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


@pytest.mark.parametrize(
    ("names", "room", "shown"),
    [
        (["Maximiliana"], 60, "Maxim…"),
        (["Ana", "Ben"], 80, "Ana · Ben"),
        (["Maximiliana", "Cy"], 90, "Maxi… · Cy"),
        (["Cy", "Maximiliana"], 90, "Cy · Maxi…"),
        (["Maximiliana", "Bartholomew"], 110, "Maxi… · Bart…"),
        (["Ana", "Ben"], 0, "… · …"),
    ],
)
def test_the_longer_name_of_partners_is_cut(names: list[str], room: int, shown: str) -> None:
    assert bare(cut_names(names, room, 12)) == shown


@pytest.mark.parametrize("lines", [1, 2, 3])
@pytest.mark.parametrize("text", ["North wins", "North and South win " * 4, "W" * 90, "国 " * 45])
def test_a_sentence_is_broken_into_lines_that_fit(text: str, lines: int) -> None:
    found = [bare(line) for line in wrapped(text, 200, 12, lines)]
    assert 1 <= len(found) <= lines
    assert all(width(line, 12) <= 200 for line in found)
    if not found[-1].endswith("…"):
        assert "".join(found).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("heights", "placed"),
    [
        ([20, 60], [20, 60]),
        ([60, 20], [60, 20]),
        ([20, 25], [20, 35]),
        ([98, 99, 20], [80, 95, 20]),
        ([95, 95, 95], [65, 80, 95]),
        ([0], [10]),
    ],
)
def test_labels_keep_apart_and_inside(heights: list[float], placed: list[float]) -> None:
    assert apart(heights, 15, 10, 95) == placed
