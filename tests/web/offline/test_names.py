"""One player, two keyboards: the phone and the server take the same names for one.

`SAME` has spellings that a reader takes for the same, `OTHERS` those of other people.
"""

from unicodedata import category

import pytest

from scorekeeper.free_text import name_key, search_key
from tests.spellings import OTHERS, SAME
from tests.web.offline.conftest import Ask


@pytest.mark.parametrize("spellings", SAME.values(), ids=SAME)
def test_a_reader_sees_one_name(ask: Ask, spellings: tuple[str, ...]) -> None:
    keys = {*map(name_key, spellings)}
    assert len(keys) == 1
    assert {*ask("nameKeys", spellings)} == keys
    assert len({*map(search_key, spellings)}) == 1
    assert {name_key(key) for key in keys} == keys


@pytest.mark.parametrize("names", OTHERS.values(), ids=OTHERS)
def test_other_people_stay_other_people(ask: Ask, names: tuple[str, ...]) -> None:
    keys = [*map(name_key, names)]
    assert len({*keys}) == len(names)
    assert ask("nameKeys", names) == keys


def test_both_agree_on_every_character(ask: Ask) -> None:
    """A name of each letter, mark, digit and sign that names can have, in versions of both."""
    characters = [chr(n) for n in range(0x20, 0x2FA20) if _is_old(n)]
    names = [f"A{one}b" for one in characters]
    differ = {
        character
        for character, here, there in zip(
            characters, map(name_key, names), ask("nameKeys", names), strict=True
        )
        if here != there
    }
    assert differ == set()


def _is_old(n: int) -> bool:
    """Return whether names can have a character, which both versions of Unicode know.

    Cherokee is left out: one side writes it in capitals, the other in small letters.
    """
    is_cherokee = 0x13A0 <= n <= 0x13FF or 0xAB70 <= n <= 0xABBF
    return not is_cherokee and category(chr(n)) not in ("Cn", "Cs", "Co", "Cc", "Zl", "Zp")
