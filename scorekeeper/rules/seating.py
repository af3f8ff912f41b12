"""Who sits where, from the first round and later, how players are told apart, and which cards they
take out of the deck.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Refusal, Sentence, refuse

DECK: Mapping[str, Sentence] = {
    "deck_all": N_("Deal all {n} cards, {tricks} each."),
    "deck_rank": N_("Remove all {rank}s."),
    "deck_ranks_2": N_("Remove all {low}s and {high}s."),
    "deck_ranks_3": N_("Remove all {low}s, {second}s and {high}s."),
    "deck_ranks": N_("Remove all cards from {low} to {high}."),
    "deck_cards": N_("Remove {cards}."),
    "deck_left": N_("{n} cards, {tricks} each."),
    "deck_drawn": N_(
        "Put the {n} cards face down. In turn, the dealer last, draw a card: keep it and lay the "
        "next one aside unseen, or lay it aside and keep the next, until both have {tricks}."
    ),
    "deck_list": N_("Use all {n} cards. Put those that aren’t dealt aside."),
    "deck_aside": N_("Remove {n} card.", "Remove {n} cards."),
    "deck_jokers": N_("With two jokers: also remove {cards}."),
}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS_IN_ORDER_OF_LEAVING = ("♣", "♦", "♥", "♠")
PACK_OF_SUITS = len(RANKS) * len(SUITS_IN_ORDER_OF_LEAVING)


def cards_to_take_out(rules: RuleSet, players: int) -> list[str]:
    """Return the cards left out of packs of 52: lowest ranks first, clubs and diamonds before
    hearts and spades.

    Cutthroat Spades LITE: five players 2♣ 2♦, four all twos to fours, three all twos to sixes
    with 7♣ and 7♦.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> cards_to_take_out(CUTTHROAT_LITE, 5)
    ['2♣', '2♦']
    """
    surplus = 0 if rules.deal == "drawn" else rules.pack - rules.tricks * players
    packs = rules.pack // PACK_OF_SUITS
    low_to_high = (
        rank + suit for rank in RANKS for suit in SUITS_IN_ORDER_OF_LEAVING for _ in range(packs)
    )
    return [card for card, _ in zip(low_to_high, range(surplus), strict=False)]


def jokers_can_play(rules: RuleSet) -> bool:
    """Return whether two jokers can take the place of two low cards, at any number of players."""
    if rules.cards or rules.pack != PACK_OF_SUITS or rules.deal == "drawn":
        return False
    every_card = any(not cards_to_take_out(rules, n) for n in rules.table_sizes)
    return every_card and not rules.partnerships and rules.clockwise


def preparation(rules: RuleSet, players: int) -> list[Sentence]:
    """Return how to prepare the pack: whole ranks and single cards to take out, and jokers."""
    if rules.cards:
        return [DECK["deck_list"].about(n=rules.pack)]
    if rules.deal == "drawn":
        return [DECK["deck_drawn"].about(n=rules.pack, tricks=rules.tricks)]
    surplus = rules.pack - rules.tricks * players
    left = DECK["deck_left"].about(n=rules.pack - surplus, tricks=rules.tricks)
    if surplus and rules.pack % PACK_OF_SUITS:
        return [DECK["deck_aside"].about(n=surplus), left]
    if surplus and rules.pack > PACK_OF_SUITS:
        cards = " ".join(cards_to_take_out(rules, players))
        return [DECK["deck_cards"].about(cards=cards), left]
    out = cards_to_take_out(rules, players)
    if not out:
        lines = [DECK["deck_all"].about(n=rules.pack, tricks=rules.tricks)]
        jokers = DECK["deck_jokers"].about(cards="2♣ 2♦")
        return [*lines, jokers] if jokers_can_play(rules) else lines
    whole, single = RANKS[: len(out) // 4], out[len(out) // 4 * 4 :]
    lines = []
    if len(whole) == 1:
        lines.append(DECK["deck_rank"].about(rank=whole[0]))
    elif whole:
        line = DECK.get(f"deck_ranks_{len(whole)}", DECK["deck_ranks"])
        lines.append(line.about(low=whole[0], second=whole[1], high=whole[-1]))
    if single:
        lines.append(DECK["deck_cards"].about(cards=" ".join(single)))
    return [*lines, left]


Names = tuple[str, ...]


class Substitute(NamedTuple):
    """A player who takes a seat from a round on, or None where the seat is left empty.

    The total of the seat goes on, unless it was empty and somebody else sat there last. Where
    players change seats among themselves, totals that are their own go with them.
    """

    seat: int
    player: str | None


Substitutes = tuple[Substitute, ...]


class Seats(NamedTuple):
    """Who sits where; the name of an `empty` seat is that of the player who left it."""

    names: Names
    empty: tuple[int, ...] = ()

    @property
    def taken(self) -> tuple[int, ...]:
        """The seats on which somebody sits."""
        return tuple(seat for seat in range(len(self.names)) if seat not in self.empty)

    def after(self, substitutes: Substitutes) -> "Seats":
        """Return the seats once substitutes have taken or left theirs.

        >>> Seats(("Ana", "Ben", "Cy")).after((Substitute(1, None), Substitute(2, "Eve")))
        Seats(names=('Ana', 'Ben', 'Eve'), empty=(1,))
        """
        if not substitutes:
            return self
        names, empty = list(self.names), set(self.empty)
        for seat, player in substitutes:
            if player is None:
                empty.add(seat)
            else:
                names[seat] = player
                empty.discard(seat)
        return Seats(tuple(names), tuple(sorted(empty)))

    def moves(self, substitutes: Substitutes) -> dict[int, int]:
        """Return the former seats of players who change theirs, by the new ones.

        Where somebody new takes the seat of one, that is the one for whom the new player came.

        >>> Seats(("Ana", "Ben", "Cy")).moves((Substitute(0, "Ben"), Substitute(1, "Ana")))
        {0: 1, 1: 0}
        """
        former = {name: seat for seat, name in enumerate(self.names) if seat not in self.empty}
        moves = {
            seat: former[player]
            for seat, player in substitutes
            if player in former and former[player] != seat
        }
        left, gone = {*moves.values()} - {*moves}, {*moves} - {*moves.values()}
        return moves | dict(zip(sorted(left), sorted(gone), strict=True))

    def returns(self, substitute: Substitute) -> bool:
        """Return whether the player who left a seat returns to it."""
        seat, player = substitute
        return seat in self.empty and self.names[seat] == player

    def joins(self, substitute: Substitute) -> bool:
        """Return whether somebody new takes a seat that is empty."""
        seat, player = substitute
        return player is not None and seat in self.empty and self.names[seat] != player


def seats_after(starters: Sequence[str], rounds: Iterable[Substitutes]) -> Seats:
    """Return who sits where after the substitutes of some rounds."""
    seats = Seats(tuple(starters))
    for substitutes in rounds:
        seats = seats.after(substitutes)
    return seats


def seated(starters: Sequence[str], rounds: Iterable[Substitutes]) -> Names:
    """Return who sits where after the substitutes of some rounds, or sat there last.

    >>> seated(("Ana", "Ben", "Cy"), [(), (Substitute(2, "Eve"),)])
    ('Ana', 'Ben', 'Eve')
    """
    return seats_after(starters, rounds).names


def substituted(before: Seats, now: Substitutes, seat: int, player: str | None) -> Substitutes:
    """Return the substitutes of a round, sorted by seat, with one more who takes or leaves a seat.

    `before` are the seats of the previous round: a player who sat there already is no substitute,
    and nobody leaves an empty seat.
    """
    players = dict(now) | {seat: player}
    return tuple(
        Substitute(at, name)
        for at, name in sorted(players.items(), key=lambda one: one[0])
        if (name is None) != (at in before.empty) or name not in (None, before.names[at])
    )


def check_seating(
    rules: RuleSet, starters: Sequence[str], rounds: Iterable[Substitutes]
) -> list[Refusal]:
    """Return why players cannot take or leave the seats of a game.

    Nobody can sit on two seats: who takes another seat leaves the own one to somebody, or sits out
    a round. Each round needs a number of players that the rules allow, and the first round all who
    start.
    """
    seats = Seats(tuple(starters))
    for number, substitutes in enumerate(rounds, 1):
        before, seats = seats, seats.after(substitutes)
        for one in substitutes:
            if one.player is None:
                if number == 1:
                    return [refuse(one.seat, "first_round")]
                if one.seat in before.empty:
                    return [refuse(one.seat, "empty")]
            elif before.returns(one):
                continue
            elif seats.names.count(one.player) > 1:
                return [refuse(one.seat, "seated")]
        if seats.empty != before.empty and len(seats.taken) not in rules.table_sizes:
            return [refuse(None, "table_size", n=len(seats.taken))]
    return []


SHAPES, COLORS = 10, 7


class Face(NamedTuple):
    """The shape and the color of a player or a seat, each counted from 1."""

    shape: int
    color: int


# In the order in which new players get them: those of the seats, then the same in other colors.
FACES = tuple(
    Face(n % SHAPES + 1, (n % SHAPES + n // SHAPES) % COLORS + 1) for n in range(SHAPES * COLORS)
)


def free_face(taken: Mapping[Face, int]) -> Face:
    """Return the first face that nobody has, or the first of those that the fewest have.

    `taken` says how many have a face.

    >>> free_face({FACES[0]: 1, FACES[2]: 1})
    Face(shape=2, color=2)
    """
    return min(FACES, key=lambda face: taken.get(face, 0))


def faces_by_seat(own: Sequence[Face | None]) -> tuple[Face, ...]:
    """Return the faces of the players of a game: no two of the same shape, nor of the same color as
    long as there are enough.

    Where two meet with the same one, the later gets that of the seat for this game, or the first
    that nobody has. None stands for a player without a face.

    >>> faces_by_seat([Face(5, 5), Face(6, 6), Face(5, 6), None])[2:]
    (Face(shape=3, color=3), Face(shape=4, color=4))
    """
    shapes = _told_apart([face and face.shape for face in own], SHAPES)
    colors = _told_apart([face and face.color for face in own], COLORS)
    return tuple(map(Face, shapes, colors))


def _told_apart(own: Sequence[int | None], most: int) -> list[int]:
    """Return numbers up to `most` by seat, with others for those that an earlier seat has."""
    found: list[int] = []
    for seat, number in enumerate(own):
        usual = seat % most + 1
        if number is None or number in found:
            free = (n for n in (usual, *range(1, most + 1)) if n not in (*own, *found))
            number = next(free, number or usual)
        found.append(number)
    return found
