"""A game of the store as CSV."""

from scorekeeper.store.games import Game


def csv_of(game: Game) -> str:
    """Return a game's score sheet as CSV text."""
    raise NotImplementedError
