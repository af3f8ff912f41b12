"""Numbers typed on keyboards of other scripts are read as on the server."""

from scorekeeper.i18n import plain_digits
from tests.web.offline.conftest import Ask

TYPED = {
    "٠١٢٣٤٥٦٧٨٩": "0123456789",
    "۰۱۲۳۴۵۶۷۸۹": "0123456789",
    "०१२३४५६७८९": "0123456789",
    "٢٫٥٠": "2.50",
    "-١٠٠": "-100",
    "2,50": "2,50",
    "๒": "๒",
    "": "",
}


def test_numbers_of_other_keyboards_are_read_alike(ask: Ask) -> None:
    assert {typed: plain_digits(typed) for typed in TYPED} == TYPED
    assert ask("digits", list(TYPED)) == list(TYPED.values())
