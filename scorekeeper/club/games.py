"""The game that a table plays in a match: its rules, who sits where, and what it comes to."""

from dataclasses import replace

from scorekeeper.club.events import Plan
from scorekeeper.club.match import Match, Result, lot
from scorekeeper.club.night import Night
from scorekeeper.rules.game import GameState
from scorekeeper.rules.presets import PRESETS, at_table
from scorekeeper.rules.ruleset import RuleSet, with_house_rules

SEATS = 4


def books_for(*, alone: bool) -> list[RuleSet]:
    """Return the rule books that fit: of two sides, or where singles play alone those for four."""
    if alone:
        return [
            book for book in PRESETS.values() if not book.partnerships and SEATS in book.players
        ]
    return [book for book in PRESETS.values() if book.partnerships and book.players == (SEATS,)]


def rules_of(plan: Plan) -> RuleSet:
    """Return the rules of an evening's games.

    A tie is shared, but where somebody has to go on: there the table plays another round. Raises
    `RulesRefused` for house rules that exclude each other, `LookupError` for a book that is none.
    """
    rules = with_house_rules(PRESETS[plan.rules], dict(plan.house_rules))
    goes_on = plan.format == "knock_out" or (plan.format == "progressive" and not plan.alone)
    rules = replace(rules, tie_at_limit="another_round" if goes_on else "shared")
    if plan.rounds:
        rules = replace(rules, rounds=plan.rounds, target=None)
    return at_table(rules, SEATS)


def names_at(night: Night, match: Match, number: int) -> tuple[str, ...]:
    """Return the names in the seats of a table, clockwise; partners sit opposite."""
    table = match.seating.tables[number - 1]
    sides = [
        [name for entry in side for name in night.entries[entry].players(match.number)]
        for side in table
    ]
    if len(sides) == SEATS:
        return tuple(name for side in sides for name in side)
    (north, south), (east, west) = sides
    return (north, east, south, west)


def dealer_at(night: Night, match: Match, number: int) -> int:
    """Return the seat that deals first at a table, drawn by lot."""
    return lot(night.plan.seed, match.number, number) % SEATS


def result_of(game: GameState) -> Result | None:
    """Return what a game that is over has come to, by side; None while it goes on."""
    if game.phase != "over" or game.outcome is None:
        return None
    standing, winners = game.standing, game.outcome.winners
    best = min((standing.totals[side] for side in winners), default=0)
    lost = tuple(
        side for side, total in enumerate(standing.totals) if side not in winners and total >= best
    )
    return Result(standing.totals, standing.bags, lost)
