"""The form that corrects a scored round."""

from collections.abc import Collection, Sequence

from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.rules.game import Round
from scorekeeper.web.http.form_fields import MAX_SEATS, Form, Malformed, StrictIntegerField, bid_of

SEATS = range(1, MAX_SEATS + 1)


class BidField(Field):
    """A number or a kind of Nil."""

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Parse the bid. Raises `Malformed`, which WTForms makes an error of the field."""
        self.data = bid_of(valuelist[0] if valuelist else "")


class CorrectionForm(Form):
    """The bids and tricks of a round: `bid-1` and `tricks-1` are those of the first seat.

    Seats without a bid of their own, or whose tricks are not `counted`, stay as they were before.
    """

    def __init__(
        self, formdata: "MultiDict[str, str]", before: Round, counted: Collection[int]
    ) -> None:
        super().__init__(formdata)
        self._before = before
        for seat, n in enumerate(SEATS):
            if seat >= len(before.bids) or before.bids[seat] is None:
                del self[f"bid-{n}"]
            if seat not in counted:
                del self[f"tricks-{n}"]

    def to_round(self) -> Round:
        """Return the round. Raises `Malformed` with the message of the first wrong field."""
        if not self.validate():
            raise Malformed(next(iter(self.messages.values())))
        tricks = enumerate(self._before.tricks or (), 1)
        return self._before._replace(
            bids=tuple(self.data.get(f"bid-{n}") for n in SEATS[: len(self._before.bids)]),
            tricks=tuple(self.data.get(f"tricks-{n}", count) for n, count in tricks),
        )


for _n in SEATS:
    setattr(CorrectionForm, f"bid-{_n}", BidField())
for _n in SEATS:
    setattr(CorrectionForm, f"tricks-{_n}", StrictIntegerField())
