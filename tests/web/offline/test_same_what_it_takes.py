"""The phone tells the same as the server about what it takes to win."""

import random

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.what_it_takes import what_it_takes
from tests.properties import counts
from tests.rules.certain import positions
from tests.rules.tables import rows
from tests.rules.test_promises import positions as positions_of_any_rules
from tests.rules.test_what_it_takes import state_of
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import plain

FEW, MANY = 4, 30


@counts("number", FEW, MANY)
def test_phones_tell_the_same(ask: Ask, number: int) -> None:
    states = [state_of(row) for row in rows("what_it_takes")]
    for key, book in PRESETS.items():
        dice = random.Random(key)
        states += [state for _ in range(number) for state in positions(book, dice)]
    states += [state for seed in range(10 * number) for state in positions_of_any_rules(seed)]
    phone = ask("call", [["whatItTakes", plain(state)] for state in states])
    told = [plain(what_it_takes(state)) for state in states]
    for state, said, expected in zip(states, phone, told, strict=True):
        assert said == expected, f"of {state}"
    codes = {one["code"] for one in told if one}
    hows = {how["code"] for one in told if one for how in (one["how"], one["how_other"]) if how}
    assert codes == {"sure", "if", "otherwise", "or", "unless"}
    assert hows >= {"nil", "nil_and", "at_least", "exactly", "between"}
