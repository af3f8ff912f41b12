"""A round as a JSON object, as files and programs have it; seats are counted from 1.

Here is checked what such an object may hold. The rules check its numbers, so that each of these is
refused with the same sentence wherever it comes from.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from scorekeeper.files.strict_json import (
    InvalidValue,
    Json,
    bool_of,
    list_of,
    members_of,
    number_of,
    quoted,
    seats_of,
    text_of,
    whole_number_of,
    word_of,
)
from scorekeeper.free_text import NameRefused, normalize_name, one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import (
    Bid,
    BlindBid,
    Nil,
    are_made,
    check_tricks,
    number_bid,
    parsed_bid,
)
from scorekeeper.rules.entry import check_cards, check_stored_start
from scorekeeper.rules.game import bids_itself
from scorekeeper.rules.penalties import (
    KINDS,
    MAX_BONUS,
    REASONS,
    RECEIVERS,
    UNSIZED,
    Penalty,
    check_stored_penalties,
)
from scorekeeper.rules.round import (
    NOTES,
    NOTHING,
    Choice,
    Count,
    Counts,
    Flag,
    Kind,
    Notes,
    Records,
    Round,
    Text,
    check_notes,
)
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, Seats, Substitute
from scorekeeper.rules.sentence import Refusal, refuse
from scorekeeper.rules.values import PACK

LONGEST_TEXT = 2000  # characters, before blanks are left out: no more is normalized


def read_round(value: object, players: int, before: Notes) -> Round:
    """Return the round in an object with bids and tricks, and with a tally if it has one.

    Notes that it does not name are those `before`. Raises `InvalidValue`.
    """
    given = value if isinstance(value, dict) else {}
    noted = [name for name in NOTES if name in given]
    members = members_of(given, ("bids", "tricks", *{"tally", *noted} & given.keys()), _("a round"))
    bids = tuple(read_bid(bid) for bid in seats_of(members["bids"], "bids", players))
    tricks, tally = members["tricks"], members.get("tally")
    return Round(
        bids,
        None if tricks is None else tuple(_counts(tricks, "tricks", players)),
        None if tally is None else tuple(_open_counts(tally, players)),
        before,
    ).noted(**{name: _note(name, NOTES[name].kind, given[name], players) for name in noted})


def read_bid(value: object) -> Bid | None:
    """Return a bid, or None where there is none yet. Raises `InvalidValue`."""
    if value is None or type(value) is int:
        return value
    bid = parsed_bid(value) if isinstance(value, str) else None
    if isinstance(bid, Nil | BlindBid):
        return bid
    raise InvalidValue(
        _(
            "A bid is a whole number, “nil”, “blind nil”, “blind” and a number, or null if the "
            "seat hasn’t bid yet."
        )
    )


def _counts(value: object, name: str, players: int) -> list[int]:
    return [whole_number_of(count, name) for count in seats_of(value, name, players)]


def _open_counts(value: object, players: int) -> list[int | None]:
    counts = seats_of(value, "tally", players)
    return [None if count is None else whole_number_of(count, "tally") for count in counts]


def _note(name: str, kind: Kind, value: object, players: int) -> object:
    match kind:
        case Flag():
            return bool_of(value, name)
        case Count():
            return None if value is None else whole_number_of(value, name)
        case Counts():
            return tuple(whole_number_of(one, name) for one in list_of(value, name, players))
        case Text():
            return one_line(text_of(value, name, "(?s:.*)", LONGEST_TEXT))
        case Choice():
            return None if value is None else text_of(value, name, "(?s:.*)", LONGEST_TEXT)
        case Records(of, most):
            read = _penalty if of is Penalty else _substitute
            found = [read(one, players) for one in list_of(value, name, most)]
            return tuple(sorted(found, key=itemgetter(0)))


def _penalty(value: object, players: int) -> Penalty:
    members = members_of(value, Penalty._fields, _("a penalty"))
    kind = word_of(members["kind"], "kind", KINDS)
    reason, size = members["reason"], whole_number_of(members["size"], "size")
    return Penalty(
        seat=number_of(members["seat"], "seat", 1, players) - 1,
        kind=kind,
        size=1 if kind in UNSIZED else size,
        to=word_of(members["to"], "to", RECEIVERS),
        reason=one_line(text_of(reason, "reason", "(?s:.*)", LONGEST_TEXT))
        if kind == "bonus"
        else word_of(reason, "reason", REASONS),
    )


def _substitute(value: object, players: int) -> Substitute:
    members = members_of(value, Substitute._fields, _("a substitute"))
    seat = number_of(members["seat"], "seat", 1, players) - 1
    player = members["player"]
    return Substitute(seat, None if player is None else read_name(player))


def read_name(value: object) -> str:
    """Return the name of a player. Raises `InvalidValue`."""
    try:
        return normalize_name(value if isinstance(value, str) else "")
    except NameRefused as refused:
        raise InvalidValue(f"{quoted(value)}: {refused}") from None


class RoundsReader:
    """Reads the rounds of a game one after the other, each with what files may have in it.

    That is what the rules allow, or may have allowed when the round was played: no bid but one that
    there are too few tricks for is refused.
    """

    def __init__(self, rules: RuleSet, starters: Names):
        self._rules, self._seats, self._number = rules, Seats(starters), 0

    def read(self, value: object) -> Round:
        """Return the next round. Raises `InvalidValue`."""
        players = len(self._seats.names)
        round_ = read_round(value, players, NOTHING)
        notes, tricks = round_.notes, round_.tricks
        self._number += 1
        self._seats = self._seats.after(notes.substitutes)
        rules, empty = self._rules.in_round(self._number, players, notes.cards), self._seats.empty
        self.refuse("penalties", check_stored_penalties(self._rules, notes.penalties))
        self.refuse("cards", check_cards(self._rules, players, notes.cards))
        self.refuse("tricks", check_tricks(rules, tricks, empty) if tricks is not None else [])
        self.refuse("bids", self._wrong_bids(rules, round_))
        self.refuse("start", check_stored_start(self._rules, players, round_))
        self.refuse("notes", check_notes(self._number, notes))
        check_numbers(round_)
        return round_

    def _wrong_bids(self, rules: RuleSet, round_: Round) -> Iterator[Refusal]:
        bids, empty = round_.bids, self._seats.empty
        unbid = bids_itself(rules, self._number) and set(bids) == {None}
        lacks = round_.tricks is not None and not unbid and not are_made(rules, bids, empty)
        too_high = "range_no_nil" if rules.nil_points is None else "range"
        for seat, bid in enumerate(bids):
            if bid is not None and seat in empty:
                yield refuse(seat, "empty")
            if (number_bid(bid) or 0) > rules.tricks:
                yield refuse(seat, too_high, low=rules.minimum_bid, high=rules.highest_bid)
            if lacks and bid is None and seat not in empty:
                yield refuse(seat, "missing")

    def refuse(self, member: str, refusals: Iterable[Refusal]) -> None:
        """Raise `InvalidValue` for the first of the refusals of the round that was read last."""
        for seat, _code, sentence in refusals:
            values = {"round": self._number, "reason": translate(sentence)}
            words = _("Round {round}: {reason}")
            if seat is not None:
                words = _("Round {round}, {name}: {reason}")
                values["name"] = self._seats.names[seat]
            raise InvalidValue(words.format(**values), member, seat)


def check_numbers(round_: Round) -> None:
    """Raise `InvalidValue` for a number that no round of any rules can have."""
    for bid in round_.bids:
        number_of(number_bid(bid) or 0, "bids", 0, PACK)
    for name in ("tricks", "tally"):
        for count in getattr(round_, name) or ():
            number_of(count or 0, name, 0, PACK)
    for penalty in round_.notes.penalties:
        number_of(penalty.size, "size", -MAX_BONUS, MAX_BONUS)


def round_json(round_: Round) -> Json:
    """Return a round as `read_round` reads it."""
    entered = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    return entered | notes_json(round_.notes)


def notes_json(notes: Notes) -> Json:
    """Return the notes of a round, without those that nobody wrote."""
    return {
        name: [one | {"seat": one["seat"] + 1} for one in value]
        if isinstance(NOTES[name].kind, Records)
        else value
        for name, value in notes.to_json().items()
    }
