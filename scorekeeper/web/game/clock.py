"""The clock of a game with a time limit, which the page shows and the rules leave to the table."""

from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.games import Game
from scorekeeper.web.text.wording import fill

WARNING = 5  # minutes left when it warns
PAUSED = 60  # minutes after the end, when the game was paused and the clock says nothing more


class Clock(NamedTuple):
    """When the time of a game is up, and the minutes left, the one that has begun included.

    `end` counts milliseconds from 1970, as scripts do.
    """

    end: int
    left: int

    @property
    def is_up(self) -> bool:
        """Whether to propose the last round: time is up, and the game was not paused."""
        return -PAUSED < self.left <= 0

    @property
    def is_short(self) -> bool:
        """Whether the clock warns that little time is left."""
        return -PAUSED < self.left <= WARNING

    @property
    def shown(self) -> Markup:
        """The time left in short; empty for a game that was paused."""
        if self.left > 0:
            return fill(_("{n} min"), n=self.left)
        return escape(_("Time’s up")) if self.is_up else Markup()

    @property
    def warning(self) -> Markup:
        """What is announced when it warns."""
        return fill(ngettext("{n} minute left.", "{n} minutes left.", WARNING), n=WARNING)


def clock_of(game: Game, at: datetime) -> Clock | None:
    """Return the clock of a game at a time; None where none runs, and once the game is over."""
    if game.rules.minutes is None or game.state.phase == "over":
        return None
    # A game of the future began before the computer's clock was set back.
    began = min(datetime.fromisoformat(game.started), at)
    end = began + timedelta(minutes=game.rules.minutes)
    return Clock(round(end.timestamp() * 1000), ceil((end - at) / timedelta(minutes=1)))
