"""The scoreboard of a page: every side's total, bags and hints, and how rounds were scored."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.rules.game import RoundScore
from scorekeeper.rules.hints import Hint, hints
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.score_reasons import score_reasons
from scorekeeper.rules.sentence import Sentence, minus, signed
from scorekeeper.store.games import Game
from scorekeeper.web.text import numbers
from scorekeeper.web.text.wording import listed


class ScoreExplanation(NamedTuple):
    """One side's points in a round, and the sentences that explain them."""

    round: int
    points: str
    total: str
    lines: list[Sentence]


class ScoreRow(NamedTuple):
    """A side's row of the scoreboard."""

    side: int
    seats: tuple[int, ...]
    names: Markup
    total: str
    share: int
    bags: int
    limit: int | None
    deals: bool
    delta: str
    hints: list[Hint]


def score_rows(game: Game) -> list[ScoreRow]:
    state, rules = game.state, game.rules
    sides = range(len(state.sides))
    over = state.phase == "over"
    just_scored = bool(state.rounds) and (over or not any(state.open.bids))
    rows = [
        ScoreRow(
            side=side,
            seats=state.sides[side],
            names=listed(game.side_names(side)),
            total=minus(state.standing.totals[side]),
            share=max(0, min(100, 100 * state.standing.totals[side] // rules.target)),
            bags=state.standing.bags[side],
            limit=rules.bag_limit,
            deals=not over and state.dealer in state.sides[side],
            delta=signed(state.rounds[-1].scores[side].points) if just_scored else "",
            hints=_hints(game, side, just_scored),
        )
        for side in sides
    ]
    return sorted(rows, key=lambda row: state.places[row.side]) if over else rows


def explain_round(game: Game, number: int) -> list[tuple[Markup, ScoreExplanation]]:
    """Return each side's names and the explanation of its points, if the round counts."""
    if number > len(game.state.rounds):
        return []
    round_ = game.state.rounds[number - 1]
    return [
        (listed(game.side_names(side)), explain_score(game.rules, game.state.sides, side, round_))
        for side in range(len(game.state.sides))
    ]


def _hints(game: Game, side: int, just_scored: bool) -> list[Hint]:
    """Return at most two hints; plain ones only where there is no other."""
    found = [*(_penalty(game, side) if just_scored else []), *hints(game.state, side)]
    pressing = [hint for hint in found if hint.kind != "plain"]
    return (pressing or found)[:2]


def _penalty(game: Game, side: int) -> list[Hint]:
    """Return a hint of the bag penalty that a side has just paid."""
    last = game.state.rounds[-1]
    if not last.scores[side].bag_penalty:
        return []
    why = explain_score(game.rules, game.state.sides, side, last)
    return [Hint("danger", why.lines[-1])]


def explain_score(
    rules: RuleSet, sides: tuple[tuple[int, ...], ...], side: int, round_: RoundScore
) -> ScoreExplanation:
    """Return the explanation of a side's points in a round."""
    score = round_.scores[side]
    bids = tuple(round_.bids[seat] for seat in sides[side])
    tricks = tuple(round_.tricks[seat] for seat in sides[side])
    lines = score_reasons(rules, bids, tricks, score, round_.before.bags[side])
    points = numbers.signed(score.points), numbers.minus(round_.after.totals[side])
    return ScoreExplanation(round_.number, *points, lines)
