"""What every part of the page of a game needs for its links and forms."""

from dataclasses import dataclass

from scorekeeper.store.games import Game


@dataclass(frozen=True, kw_only=True)
class GamePart:
    """A part of the page of a game, whose forms name the game, its revision and the round."""

    game: Game

    @property
    def game_id(self) -> str:
        return self.game.id

    @property
    def revision(self) -> str:
        return self.game.revision

    @property
    def number(self) -> int:
        return self.game.state.number
