"""How players are told apart: a shape and a color for each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
