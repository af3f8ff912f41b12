"""The form that corrects a scored round."""

from collections.abc import Sequence

from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.rules.game import Round
from scorekeeper.rules.seating import Seats
from scorekeeper.web.http.form_fields import MAX_SEATS, Form, Malformed, StrictIntegerField, bid_of

SEATS = range(1, MAX_SEATS + 1)


class BidField(Field):
    """A number or a kind of Nil."""

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Parse the bid. Raises `Malformed`, which WTForms makes an error of the field."""
        self.data = bid_of(valuelist[0] if valuelist else "")


class CorrectionForm(Form):
    """The bids and tricks of a round: `bid-1` and `tricks-1` are those of the first seat.

    Seats that are empty have no fields.
    """

    def __init__(
        self, formdata: "MultiDict[str, str]", seats: Seats, *, has_bids: bool = True
    ) -> None:
        super().__init__(formdata)
        self._seats = SEATS[: len(seats.names)]
        for n in SEATS:
            is_taken = n - 1 in seats.taken
            if not is_taken or not has_bids:
                del self[f"bid-{n}"]
            if not is_taken:
                del self[f"tricks-{n}"]

    def to_round(self) -> Round:
        """Return the round. Raises `Malformed` with the message of the first wrong field."""
        if not self.validate():
            raise Malformed(next(iter(self.messages.values())))
        bids = tuple(self.data.get(f"bid-{n}") for n in self._seats)
        return Round(bids, tuple(self.data.get(f"tricks-{n}", 0) for n in self._seats))


for _n in SEATS:
    setattr(CorrectionForm, f"bid-{_n}", BidField())
for _n in SEATS:
    setattr(CorrectionForm, f"tricks-{_n}", StrictIntegerField())
