"""Sentences in English that can be translated later, and what the rules refuse."""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    """A text with named gaps and the values that fill them.

    `plural` is used instead of `text` where `values["n"]` is not one. Translators see `text` and
    `plural` as they stand; `str()` gives the English. A value may be a sentence too.
    """

    text: str
    plural: str | None = None
    values: "Mapping[str, int | str | Sentence]" = {}  # noqa: RUF012 - never changed, only read

    def about(self, **values: "int | str | Sentence") -> "Sentence":
        """Return the same sentence with its gaps filled."""
        return self._replace(values=values)

    def __str__(self) -> str:
        one = self.plural is None or self.values.get("n") == 1
        return (self.text if one else str(self.plural)).format(**self.values)


def N_(text: str, plural: str | None = None, /, **values: int | str) -> Sentence:
    """Return a sentence; the name is what translators' tools look for."""
    return Sentence(text, plural, values)


def signed(points: int, shown_as: str = "points") -> str:
    """Return points with their sign, a real minus for a loss, and a bare 0."""
    return f"+{minus(points, shown_as)}" if points > 0 else minus(points, shown_as)


def isolated(text: str) -> str:
    """Return words that somebody wrote, kept apart from the direction of the text around them."""
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


POINTS = N_("Points")  # as a heading
BAGS = N_("{n} bag", "{n} bags")


def minus(points: int, shown_as: str = "points") -> str:
    """Return a total as it is printed: with a real minus sign when it is below zero.

    >>> minus(-32), minus(-32, "tenths")
    ('−32', '−3.2')
    """
    size = abs(points)
    text = f"{size // 10}.{size % 10}" if shown_as == "tenths" else str(size)
    return f"\N{MINUS SIGN}{text}" if points < 0 else text


def shown(points: int, shown_as: str) -> int | str:
    """Return points for a gap of a sentence: the number itself where points are shown whole."""
    return points if shown_as == "points" else minus(points, shown_as)


class Refusal(NamedTuple):
    """What the rules refuse: the seat at fault (or None), a stable code, and the sentence."""

    seat: int | None
    code: str
    sentence: Sentence


REFUSALS: Mapping[str, Sentence] = {
    # bids
    "missing": N_("Enter this bid."),
    "side_bid": N_("Partners make one bid together. Enter it for the first of them."),
    "range": N_("Bid {low} to {high}, or Nil for no tricks at all."),
    "range_no_nil": N_("Bid {low} to {high}. There’s no Nil in this game."),
    "minimum": N_("The minimum bid is {low}."),
    "nil": N_("Nil isn’t allowed in this game. Bid a number."),
    "blind_nil": N_("Blind Nil isn’t allowed in this game."),
    "blind_nil_partner": N_("Only one partner may bid blind Nil."),
    "blind_nil_deficit": N_(
        "Blind Nil is only for a side {deficit} points behind. This one is {behind} behind."
    ),
    "blind_bid": N_("Blind bids of a number aren’t allowed in this game."),
    "blind_bid_from": N_("The lowest blind bid is {low}."),
    "blind_bid_deficit": N_(
        "A blind bid is only for a side {deficit} points behind. This one is {behind} behind."
    ),
    "board": N_("Partners must bid at least {board} together. This makes {n}."),
    "thrown_in": N_("Bids total {n}, but at least {least} are needed. Deal again."),
    "hook": N_("Bids can’t total {tricks}. Choose another."),
    "bids_itself": N_("There’s no bidding in this round: each side’s tricks become its bid."),
    # tricks
    "bids_missing": N_("Enter all bids before the tricks."),
    "tricks_range": N_("A round has only {tricks} tricks, so nobody can take {n}."),
    "sum": N_("Tricks total {n}, but {tricks} were played. Count again."),
    "too_many": N_(
        "That makes {n} trick; there are only {tricks}.",
        "That makes {n} tricks; there are only {tricks}.",
    ),
    # penalties
    "penalties": N_("A round has {most} penalties at most."),
    "penalty_books": N_("Choose 1 to {tricks} tricks."),
    "penalty_points": N_("Choose 1 to {most} points."),
    "penalty_reason": N_("A reason can have at most {most} characters."),
    "penalty_to": N_("Only tricks go to the other side, and only where two sides play."),
    "game_remark": N_("The note on the game is entered with round 1."),
    "remark": N_("A note can have at most {most} characters."),
    "trump": N_("The turned suit is s, h, d or c, or n for no trump."),
    "trump_fixed": N_("No card is turned for trump here. Change that with the rules."),
    "start_first": N_("Start totals are entered with round 1."),
    "start_sides": N_("Enter a start total for each of {n} sides, and bags for each or none."),
    "start_points": N_("A start total can be from −{most} to {most}."),
    "start_bags": N_("A side can start with 0 to {most} bags."),
    "penalty_seat_books": N_("Each player has a score here, so choose points."),
    # seats
    "seated": N_("This player already sits at the table. Choose another."),
    "two_seats": N_("Choose two players who sit at the table."),
    "first_round": N_("Nobody can leave before a round is played. Start a new game instead."),
    "empty": N_("Nobody sits here in this round."),
    "table_size": N_("These rules aren’t for {n} player.", "These rules aren’t for {n} players."),
    "substitute": N_("This round is already scored. Change the seat in the next one."),
    # rounds
    "cards_fixed": N_("Every round has the same cards here. Change that with the rules."),
    "cards_dealt": N_("A round can have {low} to {high} cards."),
    "tricks": N_("Later rounds depend on this one, so its tricks can’t be removed. Send them too."),
    "misdeal": N_("This round is already scored. Undo that first."),
    "last_round": N_("This round is already scored, so it can’t become the last."),
    "end_now": N_("The game can’t end with what is scored now. Play the round, or undo."),
}


def refuse(seat: int | None, code: str, /, **values: int) -> Refusal:
    """Return a refusal of `REFUSALS`, its gaps filled with the values."""
    return Refusal(seat, code, REFUSALS[code].about(**values))
