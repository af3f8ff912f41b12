"""What has just happened in a game and who is next, as it is read out."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.rules.bidding import contract
from scorekeeper.rules.outcome import Standing
from scorekeeper.rules.round import Round
from scorekeeper.store.games import Game
from scorekeeper.web.game.open_round import OpenRound, asked_name
from scorekeeper.web.game.scoreboard import lead_change
from scorekeeper.web.text.change_lines import note_lines
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, bid_word, fill, listed, minus, series, tie_line


class Announcement(NamedTuple):
    """The sentences of an announcement; `news` is `winner`, `penalty` or empty."""

    text: Markup
    news: str = ""


def announce(game: Game, shown: OpenRound | None, before: Round | None = None) -> Announcement:
    """Return what has just happened and who is next; `shown` is None once the game is over.

    `before` is the open round as it was before the newest entry, if that was made in it.
    """
    state = game.state
    if shown is None:
        scored = _scored(game) if state.rounds else []
        return Announcement(
            _sentences(winner_line(game, state.winners, state.standing), *scored), "winner"
        )
    if shown.active is None:
        return Announcement(shown.counted)
    notes = _new_notes(game, before)
    if state.just_scored and not notes:
        tie = tie_line(game)
        sentence = say("bids_first")
        next_ = fill(
            sentence, dealer=bdi(game.names[state.dealer]), name=bdi(game.names[shown.active])
        )
        news = "penalty" if any(side.bag_penalty for side in state.rounds[-1].scores) else ""
        also = [line for line in (lead_change(game), tie) if line]
        return Announcement(_sentences(*_scored(game), *also, next_), news)
    is_playing = state.phase == "playing"
    next_ = (_tricks if is_playing else _bids)(game, shown.active, shown, before)
    is_penalty = before and len(before.notes.penalties) < len(state.open.notes.penalties)
    return Announcement(Markup(" · ").join([*notes, next_]), "penalty" if is_penalty else "")


def _new_notes(game: Game, before: Round | None) -> list[Markup]:
    """Return what the newest entry has noted, as it is shown, or else what it has taken back."""
    if before is None:
        return []
    known, now = note_lines(game, before), note_lines(game, game.state.open)
    added = [line for line in now if line not in known]
    gone = [fill(say("taken_back"), what=line) for line in known if line not in now]
    return added or gone


def _sentences(*sentences: Markup) -> Markup:
    return Markup(" ").join(sentences)


def winner_line(game: Game, winners: Sequence[int], standing: Standing) -> Markup:
    """Return the sentence about the sides that win with their totals."""
    names = [name for side in winners for name in game.side_names(side)]
    sentence = say("wins_with", len(names))
    total = minus(standing.totals[winners[0]], game.rules.shown_as)
    return fill(sentence, names=listed(names), total=total)


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
            say("bags_cost", -score.bag_penalty),
            names=listed(game.side_names(side)),
            n=-score.bag_penalty,
        )
        for side, score in enumerate(state.rounds[-1].scores)
        if score.bag_penalty
    ]
    return [fill(say("is_scored"), n=number, totals=totals), *costs]


def _bids(game: Game, active: int, _shown: OpenRound, before: Round | None) -> Markup:
    """Return who bids, and the newest bid, or the one before it where the bids come in turn."""
    state, name = game.state, bdi(asked_name(game, active))
    asked, bids = state.asked[: state.asked.index(active)], state.open.bids
    last = before and changed_seat(before.bids, bids)
    if last is None and asked and None not in [bids[seat] for seat in asked]:
        last = asked[-1]
    if last is None or bids[active] is not None:
        return fill(say("bids_now"), n=state.number, name=name)
    sentence = say("bid_next")
    return fill(sentence, last=bdi(asked_name(game, last)), bid=bid_word(bids[last]), name=name)


def changed_seat(before: Sequence[object] | None, after: Sequence[object] | None) -> int | None:
    """Return the seat with the newest of some bids or counts; None where several have changed.

    One more trick for a seat leaves the others at 0.
    """
    new = after or ()
    old = before or (None,) * len(new)
    changed = [seat for seat, one in enumerate(new) if one is not None and one != old[seat]]
    if len(changed) > 1:
        changed = [seat for seat in changed if new[seat] or old[seat]]
    return changed[0] if len(changed) == 1 else None


def _tricks(game: Game, active: int, shown: OpenRound, before: Round | None) -> Markup:
    """Return the newest bid or count, then what it takes to win, and whose tricks are asked."""
    state, name = game.state, bdi(asked_name(game, active))
    takes = [shown.takes] if shown.takes and state.open.tally is None else []
    told = [*_newest_entry(game, before), *takes]
    counted = Markup(" · ").join([*told, shown.counted])
    if shown.complete:
        return fill(say("can_score"), n=state.number, counted=counted)
    if state.open.tally is None and not state.bids_itself:
        total, tricks = contract(state.open.bids), state.round_rules.tricks
        asked = fill(say("bids_add_up"), n=total, tricks=tricks, name=name)
        return Markup(" · ").join([*told, asked])
    return fill(say("counted_next"), counted=counted, name=name)


def _newest_entry(game: Game, before: Round | None) -> list[Markup]:
    """Return who has bid or taken how many with the newest entry, if that is known."""
    if before is None:
        return []
    bids, tally = game.state.open.bids, game.state.open.tally
    seat = changed_seat(before.bids, bids) if tally is None else changed_seat(before.tally, tally)
    if seat is None:
        return []
    name = bdi(asked_name(game, seat))
    if tally is None:
        return [fill(say("bid_of_name"), name=name, new=bid_word(bids[seat]))]
    return [fill(say("took_of_name"), name=name, new=tally[seat])]
