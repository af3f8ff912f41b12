"""What the rules refuse: each fault has a code that programs know, and a sentence for people."""

from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.rules.sentence import N_, Sentence


class Refusal(NamedTuple):
    """What the rules refuse: the seat at fault (or None), a stable code, and the sentence."""

    seat: int | None
    code: str
    sentence: Sentence


REFUSALS: Mapping[str, Sentence] = {
    # bids
    "missing": N_("This bid is still missing."),
    "range": N_("Bid {low} to {high}, or Nil for no tricks at all."),
    "range_no_nil": N_("Bid {low} to {high}."),
    "minimum": N_("The least bid here is {low}."),
    "nil": N_("Nil is not played here: bid a number."),
    "blind_nil": N_("Blind Nil is not played here."),
    "blind_nil_partner": N_("Only one of the partners may call blind Nil."),
    "blind_nil_deficit": N_(
        "Blind Nil is for a side at least {deficit} behind; this one is {behind} behind."
    ),
    "board": N_("The partners' bids must come to at least {board}; with this they make {n}."),
    "hook": N_("The bids may not add up to {tricks}, the number of tricks: call another number."),
    "bids_itself": N_("Nobody bids in this round: each side's tricks are its bid."),
    # tricks
    "bids_missing": N_("Some bids are still missing: enter them before the tricks."),
    "tricks_range": N_("A round has {tricks} tricks: nobody can take {n}."),
    "sum": N_("The tricks add up to {n}, but {tricks} were played: count again."),
    "too_many": N_(
        "That would make {n} trick, but a round has {tricks}: count again.",
        "That would make {n} tricks, but a round has {tricks}: count again.",
    ),
    # rounds
    "tricks": N_("Other rounds follow this one, so it keeps its tricks: send them too."),
    "misdeal": N_("The tricks of this round are scored, so the deal stands. Undo it first."),
}


def refuse(seat: int | None, code: str, /, **values: int) -> Refusal:
    """Return a refusal of `REFUSALS`, its gaps filled with the values."""
    return Refusal(seat, code, REFUSALS[code].about(**values))
