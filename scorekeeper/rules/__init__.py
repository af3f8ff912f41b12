"""The rules of the game: which bids are legal, what a round scores, who has won.

Only the standard library is used here; there is no clock, no randomness, no input and no output.
Start with `ruleset` (the values of a rule book), then `bidding`, `scoring` and `game`.

Other programs call `score`, which checks what it is given. The fold in `game` does not: it is for
facts that were checked when they were entered, and is asked at every tap.
"""

from scorekeeper.rules.game import GameState
from scorekeeper.rules.library import ScoreRefused, score
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Notes, Round
from scorekeeper.rules.ruleset import RuleSet, RulesRefused, with_house_rules

__all__ = [
    "PRESETS",
    "GameState",
    "Notes",
    "Round",
    "RuleSet",
    "RulesRefused",
    "ScoreRefused",
    "score",
    "with_house_rules",
]
