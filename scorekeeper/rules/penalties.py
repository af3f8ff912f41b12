"""Penalties: what a player's side pays for a fault, as a fact of a round; and points by hand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Refusal, Sentence, isolated, refuse, signed

KINDS = ("books", "points", "set", "lost", "bonus")
UNSIZED = ("set", "lost")  # kinds of penalties whose size is always 1
RECEIVERS = ("others", "nobody")
REASONS = ("renege", "out_of_turn", "table_talk", "other")
MAX_POINTS = 1000
MAX_BONUS = 1_000_000
LONGEST_REASON = 60  # characters of why points are given by hand
MOST_DIGITS = {"bonus": 7}  # else 4
UNQUOTED = "!'()*"  # besides letters and digits, as in the scripts' encodeURIComponent
MAX_PENALTIES = 12  # of a round

PENALTY_REASONS: Mapping[str, Sentence] = {
    "renege": N_("Renege"),
    "out_of_turn": N_("Out of turn"),
    "table_talk": N_("Table talk"),
    "other": N_("Penalty"),
    # points by hand of which nobody wrote why
    "bonus": N_("Bonus"),
    "deduction": N_("Deduction"),
}
# What a penalty does to the side that pays, and to the side that books go to.
PENALTY_EFFECTS: Mapping[str, Sentence] = {
    "books_lost": N_(
        "{reason}: {n} trick to the other side", "{reason}: {n} tricks to the other side"
    ),
    "books_won": N_(
        "{reason}: {n} trick from the other side", "{reason}: {n} tricks from the other side"
    ),
    "books_taken": N_("{reason}: {n} trick taken away", "{reason}: {n} tricks taken away"),
    "paid_points": N_("{reason}: {points}"),
    "paid_set": N_("{reason}: contract counts as set"),
    "paid_lost": N_("{reason}: game lost"),
}


class Penalty(NamedTuple):
    """What the side of a seat pays: points, books that do not count, its contract, or the game.

    Books go `to` the other side, or to nobody; all else to nobody. Books that a side has not
    taken cannot be moved. A hand that counts as set and a lost game have the size 1.

    A bonus is no fault: points given by hand, or taken where its size is negative. Its reason is a
    text, which may be empty; all other reasons are of `REASONS`.
    """

    seat: int
    kind: str
    size: int
    to: str
    reason: str


class Charge(NamedTuple):
    """What the penalties of a round do to a side, or to all seats that are scored one by one.

    `moved` are the books that it gains, or loses (negative); a Nil is scored as it was played. The
    rest is of its seats: the points that each pays, whether its contract fails whatever it took,
    and the points that it is given by hand, one by one. It is empty where there are no penalties.
    """

    moved: int = 0
    fines: tuple[int, ...] = ()
    is_set: tuple[bool, ...] = ()
    bonus: tuple[tuple[int, ...], ...] = ()

    def of_seat(self, at: int) -> "Charge":
        """Return what is done to one seat, by its place in the side."""
        if self is NO_CHARGE:
            return self
        here = slice(at, at + 1)
        return Charge(0, self.fines[here], self.is_set[here], self.bonus[here])


NO_CHARGE = Charge()


def parse_penalty(seat: int, text: str) -> Penalty:
    """Return the penalty of a seat from text; raises `ValueError` for any other text.

    >>> parse_penalty(0, "books:3:others:renege")
    Penalty(seat=0, kind='books', size=3, to='others', reason='renege')
    >>> parse_penalty(0, "bonus:-20:nobody:Lost%20wager")
    Penalty(seat=0, kind='bonus', size=-20, to='nobody', reason='Lost wager')
    """
    kind, size, to, reason = text.split(":")
    digits = size.removeprefix("-") if kind == "bonus" else size
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS.get(kind, 4)
    is_size = size == "1" if kind in UNSIZED else is_number
    is_reason = kind == "bonus" or reason in REASONS
    if kind not in KINDS or not is_size or to not in RECEIVERS or not is_reason:
        raise ValueError(text)
    return Penalty(seat, kind, int(size), to, unquote(reason) if kind == "bonus" else reason)


def penalty_text(penalty: Penalty) -> str:
    """Return a penalty as `parse_penalty` reads it, without blanks."""
    _seat, kind, size, to, reason = penalty
    return ":".join((kind, str(size), to, quote(reason, safe=UNQUOTED)))


def check_penalties(rules: RuleSet, penalties: Sequence[Penalty]) -> list[Refusal]:
    """Return why penalties of a round cannot be given; empty where they can."""
    if len(penalties) > MAX_PENALTIES:
        return [refuse(None, "penalties", most=MAX_PENALTIES)]
    return [wrong for wrong in (_wrong(rules, one) for one in penalties) if wrong]


def check_stored_penalties(rules: RuleSet, penalties: Sequence[Penalty]) -> list[Refusal]:
    """Return the same for penalties of a file; a change of rules leaves those that were given."""
    wrong = check_penalties(rules, penalties)
    return [one for one in wrong if one.code != "penalty_seat_books"]


def books_paid(penalties: Sequence[Penalty], taken: Sequence[int]) -> list[int]:
    """Return how many books each penalty moves: as many as the side still has.

    `taken` are the tricks of each side, as they were played.
    """
    left, paid = list(taken), []
    for penalty in penalties:
        n = min(penalty.size, left[penalty.seat % len(left)]) if penalty.kind == "books" else 0
        _move(left, penalty, n)
        paid.append(n)
    return paid


def books_moved(penalties: Sequence[Penalty], taken: Sequence[int]) -> tuple[int, ...]:
    """Return how many books each side gains, or loses (negative), by the penalties of a round.

    >>> books_moved([Penalty(0, "books", 3, "others", "renege")], [2, 11])
    (-2, 2)
    """
    if not penalties:
        return (0,) * len(taken)
    moved = [0] * len(taken)
    for penalty, n in zip(penalties, books_paid(penalties, taken), strict=True):
        _move(moved, penalty, n)
    return tuple(moved)


def charge_of(penalties: Sequence[Penalty], seats: Iterable[int], moved: int = 0) -> Charge:
    """Return what the penalties of a round do to some seats, and to the books of their side.

    >>> charge_of([Penalty(2, "points", 10, "nobody", "renege")], (0, 2))
    Charge(moved=0, fines=(0, 10), is_set=(False, False), bonus=((), ()))
    """
    if not penalties:
        return NO_CHARGE
    own = [[one for one in penalties if one.seat == seat] for seat in seats]
    return Charge(
        moved,
        tuple([sum(one.size for one in seat if one.kind == "points") for seat in own]),
        tuple([any(one.kind == "set" for one in seat) for seat in own]),
        tuple([tuple([one.size for one in seat if one.kind == "bonus"]) for seat in own]),
    )


def sides_lost(penalties: Sequence[Penalty], sides: int) -> set[int]:
    """Return the sides that lose the game by the penalties of a round."""
    return {one.seat % sides for one in penalties if one.kind == "lost"}


def penalty_sentence(penalty: Penalty, n: int, shown_as: str, *, gains: bool = False) -> Sentence:
    """Return what a penalty of `n` books, or of its points, does to a side that pays or `gains`."""
    code = "books_won" if gains else "books_lost" if penalty.to == "others" else "books_taken"
    if penalty.kind != "books":
        code = "paid_points" if penalty.kind == "bonus" else f"paid_{penalty.kind}"
    points = signed(penalty.size if penalty.kind == "bonus" else -penalty.size, shown_as)
    return PENALTY_EFFECTS[code].about(reason=_reason(penalty), n=n, points=points)


def _reason(penalty: Penalty) -> Sentence | str:
    if penalty.kind != "bonus":
        return PENALTY_REASONS[penalty.reason]
    if penalty.reason:
        return isolated(penalty.reason)
    return PENALTY_REASONS["bonus" if penalty.size > 0 else "deduction"]


def penalty_reasons(
    penalties: Sequence[Penalty], taken: Sequence[int], side: int, shown_as: str
) -> list[Sentence]:
    """Return what the penalties of a round do to a side; `taken` are the tricks of each side."""
    return [
        penalty_sentence(one, n, shown_as, gains=one.seat % len(taken) != side)
        for one, n in zip(penalties, books_paid(penalties, taken), strict=True)
        if one.seat % len(taken) == side
        or (one.to == "others" and (one.seat + 1) % len(taken) == side)
    ]


def _move(books: list[int], penalty: Penalty, n: int) -> None:
    side = penalty.seat % len(books)
    books[side] -= n
    if penalty.to == "others":
        books[(side + 1) % len(books)] += n  # of three pairs the one to the left


def _wrong(rules: RuleSet, penalty: Penalty) -> Refusal | None:
    seat, kind, size, to, reason = penalty
    if kind == "bonus" and not 1 <= abs(size) <= MAX_BONUS:
        return refuse(seat, "penalty_points", most=MAX_BONUS)
    if kind == "bonus" and len(reason) > LONGEST_REASON:
        return refuse(seat, "penalty_reason", most=LONGEST_REASON)
    if kind == "points" and not 1 <= size <= MAX_POINTS:
        return refuse(seat, "penalty_points", most=MAX_POINTS)
    if kind == "books" and rules.totals_by == "seat":
        return refuse(seat, "penalty_seat_books")
    if kind == "books" and not 1 <= size <= rules.tricks:
        return refuse(seat, "penalty_books", tricks=rules.tricks)
    if to == "others" and (kind != "books" or not rules.partnerships):
        return refuse(seat, "penalty_to")
    return None
