"""How fast rounds are scored, by every rule book, against a loop that knows one rule by heart."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from time import process_time

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import Round, fold, sides_of
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.values import LARGEST
from tests.bench.bench import Bench, Figure, ratio, turns

GAMES, ROUNDS = 50, 20


def presets(bench: Bench) -> list[Figure]:
    """Return for each preset how fast games of 20 rounds are scored, with a Nil now and then."""
    how_often = 3 if bench.quick else 41
    figures = []
    for key, preset in PRESETS.items():
        rules = with_house_rules(preset, {"target": str(LARGEST), "mercy": "off"})
        players = max(rules.table_sizes)
        games, sides = random_games(rules, players), sides_of(rules, players)
        here, there = turns(
            partial(_rate, partial(fold, rules, players, 0), games),
            partial(_rate, partial(straight_line, sides), games),
            how_often,
        )
        figures.append(Figure(ratio(here, there), key))
    return figures


def random_games(rules: RuleSet, players: int) -> list[list[Round]]:
    chance = Random(4)
    games = []
    for _ in range(GAMES):
        rounds = []
        for _ in range(ROUNDS):
            taken = [0] * players
            for _ in range(rules.tricks):
                taken[chance.randrange(players)] += 1
            bids = tuple(
                Nil.NIL
                if not count and rules.nil_points
                else max(1, count + chance.choice((-1, 0, 1)))
                for count in taken
            )
            rounds.append(Round(bids, tuple(taken)))
        games.append(rounds)
    return games


def _rate(score: Callable[[list[Round]], object], games: list[list[Round]]) -> float:
    """Return the rounds scored in a second of the processor, whoever else uses it meanwhile."""
    start = process_time()
    for game in games:
        score(game)
    return GAMES * ROUNDS / (process_time() - start)


def straight_line(sides: Sequence[tuple[int, ...]], rounds: list[Round]) -> list[int]:
    """Score as a program would that has ten points a trick, Nil 50, and a sixth bag for ten."""
    totals, bags = [0] * len(sides), [0] * len(sides)
    for bids, tricks, *_notes in rounds:
        for side, seats in enumerate(sides):
            goal = taken = points = 0
            for seat in seats:
                bid, count = bids[seat], tricks[seat]
                taken += count
                if bid == "nil":
                    points += -50 if count else 50
                else:
                    goal += bid
            if taken >= goal:
                points += 10 * goal + taken - goal
                bags[side] += taken - goal
                if bags[side] >= 6:
                    bags[side] = 0
                    points -= 10
            else:
                points -= 10 * goal
            totals[side] += points
    return totals
