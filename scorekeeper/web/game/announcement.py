"""The announcement after each change, for screen readers and speech output."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.bidding import contract
from scorekeeper.store.games import Game
from scorekeeper.web.game.open_round import OpenRound, asked_name
from scorekeeper.web.text.numbers import minus
from scorekeeper.web.text.wording import bdi, bid_word, fill, listed, series, tie_line


class Announcement(NamedTuple):
    """The sentences of an announcement; `news` is `winner`, `penalty` or empty."""

    text: Markup
    news: str = ""


def announce(game: Game, shown: OpenRound | None) -> Announcement:
    """Return what has just happened and who is next; `shown` is None once the game is over."""
    state = game.state
    if shown is None:
        scored = _scored(game) if state.rounds else []
        return Announcement(_sentences(_winner(game), *scored), "winner")
    if shown.active is None:
        return Announcement(shown.counted)
    if state.phase == "playing":
        return Announcement(_tricks(game, shown.active, shown))
    if state.just_scored:
        tie = tie_line(game)
        sentence = _("{dealer} deals, {name} bids first.")
        next_ = fill(
            sentence, dealer=bdi(game.names[state.dealer]), name=bdi(game.names[shown.active])
        )
        news = "penalty" if any(side.bag_penalty for side in state.rounds[-1].scores) else ""
        return Announcement(_sentences(*_scored(game), *([tie] if tie else []), next_), news)
    return Announcement(_bids(game, shown.active))


def _sentences(*sentences: Markup) -> Markup:
    return Markup(" ").join(sentences)


def _winner(game: Game) -> Markup:
    state = game.state
    assert state.outcome is not None
    assert state.outcome.winner is not None
    names = game.side_names(state.outcome.winner)
    sentence = ngettext("{names} wins with {total}.", "{names} win with {total}.", len(names))
    return fill(
        sentence,
        names=listed(names),
        total=minus(state.standing.totals[state.outcome.winner], game.rules.shown_as),
    )


def _scored(game: Game) -> list[Markup]:
    """Return the totals after the newest round, and what its bags cost."""
    state = game.state
    totals = series(
        Markup("{} {}").format(
            listed(game.side_names(side)),
            minus(state.standing.totals[side], game.rules.shown_as),
        )
        for side in state.standing.playing
    )
    number = len(state.rounds)
    costs = [
        fill(
            ngettext(
                "Bags cost {names} {n} point.",
                "Bags cost {names} {n} points.",
                -score.bag_penalty,
            ),
            names=listed(game.side_names(side)),
            n=-score.bag_penalty,
        )
        for side, score in enumerate(state.rounds[-1].scores)
        if score.bag_penalty
    ]
    return [fill(_("Round {n} is scored: {totals}."), n=number, totals=totals), *costs]


def _bids(game: Game, active: int) -> Markup:
    """Return who bids, and the bid before it where the bids come in turn."""
    state, name = game.state, bdi(asked_name(game, active))
    before = state.asked[: state.asked.index(active)]
    bids = state.open.bids
    if not before or bids[active] is not None or None in [bids[seat] for seat in before]:
        return fill(_("Round {n}: {name} bids."), n=state.number, name=name)
    sentence = _("{last} bid {bid}. {name} bids.")
    return fill(
        sentence, last=bdi(asked_name(game, before[-1])), bid=bid_word(bids[before[-1]]), name=name
    )


def _tricks(game: Game, active: int, shown: OpenRound) -> Markup:
    state, name, counted = game.state, bdi(asked_name(game, active)), shown.counted
    if shown.complete:
        return fill(_("Round {n} is ready to score: {counted}."), n=state.number, counted=counted)
    if state.open.tally is None and not state.bids_itself:
        sentence = _("Bids total {n} of {tricks}. How many tricks did {name} take?")
        return fill(sentence, n=contract(state.open.bids), tricks=game.rules.tricks, name=name)
    return fill(_("{counted}. How many tricks did {name} take?"), counted=counted, name=name)
