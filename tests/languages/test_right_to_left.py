"""Right-to-left pages: signs stay in front of numbers, and arrows are mirrored."""

from collections.abc import Iterator

import pytest

from scorekeeper import i18n
from scorekeeper.rules.sentence import N_
from scorekeeper.web.text.wording import is_wide
from tests.languages.catalogue import read


@pytest.fixture(autouse=True)
def back_to_english() -> Iterator[None]:
    yield
    i18n.set_language("en")


@pytest.mark.parametrize(
    ("language", "value", "shown"),
    [
        ("en", "−40", "−40"),
        ("ar", "−40", "\u2066−40\u2069"),
        ("ar", "+2", "\u2066+2\u2069"),
        ("ar", "40", "40"),
        ("ar", "Nil", "Nil"),
        ("en", "2♣ 2♦", "2♣ 2♦"),
        ("ar", "2♣ 2♦", "\u20662♣ 2♦\u2069"),
    ],
)
def test_a_sign_is_kept_before_its_number(language: str, value: str, shown: str) -> None:
    i18n.set_language(language)
    assert i18n.isolate_sign(value) == shown


def test_a_sentence_keeps_the_signs_of_its_numbers() -> None:
    i18n.set_language("ar")
    assert "\u2066−10\u2069" in i18n.translate(N_("total {total}", total="−10"))


def test_what_keeps_a_sign_in_place_does_not_make_a_total_wide() -> None:
    i18n.set_language("ar")
    assert [points for points in (-130, 1250, -1250) if is_wide(points, "points")] == [-1250]


@pytest.mark.parametrize("language", sorted(i18n.RIGHT_TO_LEFT))
def test_no_translation_has_an_arrow_that_points_back(language: str) -> None:
    texts = [message.string for message in read(language) if message.id]
    assert [text for text in texts if "→" in str(text)] == []
