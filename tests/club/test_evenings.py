"""Random evenings of every format keep what is promised; `many_evenings` plays more of them."""

import pytest

from scorekeeper.club.events import FORMATS, Format
from tests.club.evenings import MOST
from tests.club.many_evenings import play

FEW, SMALL = 20, 24  # evenings in plain runs, and entries at most


@pytest.mark.parametrize("format_", FORMATS)
def test_random_evenings_keep_what_is_promised(format_: Format) -> None:
    for seed in range(FEW):
        play(seed, format_, SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_large_evenings_keep_what_is_promised(format_: Format) -> None:
    for seed in range(1000, 1005):
        play(seed, format_, MOST)
