"""Awards that a player won in several games."""

from collections import Counter
from collections.abc import Iterable

from scorekeeper.i18n import translate
from scorekeeper.rules.awards import awards
from scorekeeper.store.games import Game


def awards_won(games: Iterable[Game], name: str) -> list[tuple[str, int]]:
    """Return the awards of a player in finished games and how often, the most frequent first."""
    titles = Counter(
        translate(award.title)
        for game in games
        if game.state.phase == "over" and name in game.names
        for award in awards(game.state)
        if any(game.names.index(name) in seats for seats in award.seats)
    )
    return titles.most_common()
