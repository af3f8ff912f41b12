"""What the page of a game shows, worked out for its template and as facts for the phone."""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup

from scorekeeper.clock import day_in, now
from scorekeeper.rules.bidding import contract
from scorekeeper.rules.entry import EndNow, ending_now
from scorekeeper.rules.faces import Face
from scorekeeper.rules.payments import shares, stake_balances, stakes_paid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.changes import PhoneStep, Step, newest_entries, next_step, undo_steps
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import conflicts_of
from scorekeeper.store.games import Game, games_tonight, read_round
from scorekeeper.store.history import evening_of
from scorekeeper.store.players import with_names
from scorekeeper.store.tables import Phone, is_shared, own_seat, owner_of
from scorekeeper.web.game.announcement import Announcement, announce, winner_line
from scorekeeper.web.game.open_round import GamePart, OpenRound, bids_over, open_round
from scorekeeper.web.game.rematch import Rematch, offered
from scorekeeper.web.game.round_notes import misdeal_line, notes_shown
from scorekeeper.web.game.scoreboard import Clock, ScoreRow, clock_of, score_rows
from scorekeeper.web.http.requests import json_text
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.change_lines import step_line
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import (
    balance,
    bdi,
    cards_each,
    fill,
    isolate,
    lead_line,
    listed,
    minus,
    minutes_between,
    money,
    reason_line,
    series,
    tie_line,
    title_line,
    winner_names,
)

Json = dict[str, Any]


def facts_for(db: Database, phone: Phone, game: Game) -> Json:
    """Return the facts of a game for a phone, with its table and the seat that it has claimed.

    `taken_by` is the label of the phone that plays for that seat now. `conflicts` are the entries
    with which phones wait for a choice, among them its own. `kept` says
    whether the phone only keeps score of this game of a club night.
    """
    own = own_seat(db, game, phone.id)
    claimed = {"own_seat": own and own.seat, "taken_by": own and own.taken_by}
    kept = {"kept": bool(phone.home)}
    conflicts = [
        {
            "phone": one.label,
            "own": one.phone_id == phone.id,
            "n": one.number,
            "round": round_facts(one.entry),
        }
        for one in conflicts_of(db, game)
    ]
    of_phone = {**game_facts(db, game, phone.zone), **claimed, **kept, "conflicts": conflicts}
    return {"owner": owner_of(phone), "game": of_phone}


def game_facts(db: Database, game: Game, zone: str | None) -> Json:
    """Return the facts of a game; seats are counted from 0.

    `day` is when it started in the time zone of the table, for names of files.

    `entries` holds, by the number of a round, the phone that entered it last, and when. `undo` and
    `redo` are the steps that the phone can take, the next one last, each with its line of the
    journal; `can_undo` and `can_redo` say whether the server knows others beyond these. `shared`
    says whether there is a live link. `faces` are those of its players by name. `match` is the
    table number of a game of a club night that goes on.
    """
    steps = undo_steps(db, game)
    match = games_tonight(db, game.table_id).get(game.id)
    return {
        "id": game.id,
        "version": game.version,
        "revision": game.revision,
        "rules": game.rules.values,
        "house": house_of(game.rules),
        "starters": list(game.starters),
        "names": list(game.names),
        "first_dealer": game.first_dealer,
        "stake": game.stake,
        "started": game.started,
        "day": day_in(zone, game.started),
        "changed": game.changed,
        "rounds": [round_facts(round_) for round_ in game.rounds],
        "entries": newest_entries(db, game),
        "undo": [_step_facts(step) for step in steps.undo],
        "redo": [_step_facts(step) for step in steps.redo],
        "can_undo": steps.can_undo,
        "can_redo": steps.can_redo,
        "shared": is_shared(db, game),
        **({"match": match} if match else {}),
        "faces": {name: game.faces[name] for name in game.people if name in game.faces},
    }


def played_facts(game: Game) -> Json:
    """Return the facts from which scripts fold a game, without those of its table and phones."""
    return {
        "id": game.id,
        "rules": game.rules.values,
        "starters": list(game.starters),
        "names": list(game.names),
        "first_dealer": game.first_dealer,
        "rounds": [round_facts(round_) for round_ in game.rounds],
        "faces": {name: game.faces[name] for name in game.people if name in game.faces},
    }


def house_of(rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from their preset, as a form sends them."""
    return house_rules(PRESETS.get(rules.key, rules), rules)


def round_facts(round_: Round) -> Json:
    """Return the facts of a round, with its notes if it has any."""
    entered = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    return entered | round_.notes.to_json()


def script_json(content: Json) -> Markup:
    """Return JSON for a script element of a page, which no text in it can end."""
    return Markup(json_text(content).replace("<", "\\u003c"))


def _step_facts(step: PhoneStep) -> list[Any]:
    return [step.round, step.facts and round_facts(step.facts), step.line]


LONG_WORD = re.compile(r"\S{13}")  # which does not fit a line of the title


class Ending(NamedTuple):
    """The end of a game: who won, after how long, with what total, and why it ended.

    Shape and color are those of the winning side's first seat. `has_long_word` is for a smaller
    title, where a word of a name would break.
    """

    shape: int
    color: int
    faces: tuple[Face, ...]
    total: str
    length: Markup
    title: Markup
    lead: Markup
    reason: Markup
    pot: Markup
    has_long_word: bool
    remark: Markup | None
    uncounted: Markup | None


@dataclass(frozen=True, kw_only=True)
class Screen(GamePart):
    """The whole page; it has an `open_round` until the game is over, and then an `ending`.

    `evening` is then the day of its games in the history, where the table has played several.
    `undoes` and `redoes` say which entry undo would take back, and redo repeat. `match` is the
    table number of a game of a club night that goes on, where the next match takes the place of a
    rematch. `is_own` is false for phones that only keep score there.
    """

    title: Markup
    said: Announcement
    message: str
    tie: Markup | None
    notes: list[Markup]
    misdeal: Markup | None
    clock: Clock | None
    score_rows: list[ScoreRow]
    open_round: OpenRound | None
    ending: Ending | None
    can_undo: bool
    can_redo: bool
    undoes: Markup | None
    redoes: Markup | None
    shared: bool
    evening: str
    match: int | None
    is_own: bool

    @property
    def live(self) -> str:
        """Whether there is a live link, as the menu says it."""
        return say("on") if self.shared else say("off")

    @property
    def rules_name(self) -> str:
        return book_name(self.game.rules)

    @property
    def book(self) -> str:
        """The rule book, which is the title of the bar once the game is over."""
        return book_name(self.game.rules) if self.ending else ""

    @property
    def limit(self) -> int | None:
        """After how many rounds the game ends, unless it goes on because of a tie."""
        limit = self.game.rules.length(self.game.state.players)
        return limit if limit and self.number <= limit else None

    @property
    def endless(self) -> bool:
        return self.limit is None

    @property
    def who(self) -> Markup:
        """Who deals, or how many tricks are bid while they are counted.

        Where they change from round to round it is the number of cards: rows tell who deals. Once
        all have bid it is how far the bids are over or under them.
        """
        state = self.game.state
        if self.ending:
            return Markup()
        if self.game.rules.cards:
            return isolate(bids_over(state) or cards_each(state.round_rules.tricks))
        if state.phase == "bidding" or state.bids_itself:
            return fill(say("deals"), name=bdi(self.game.names[state.dealer]))
        bid = contract(state.open.bids)
        return isolate(fill(say("of_bid"), n=bid, tricks=state.round_rules.tricks))

    @property
    def pot(self) -> str:
        """The pot, until the winner has it."""
        return "" if self.ending else pot_of(self.game)

    @property
    def rematch(self) -> Rematch:
        """The seats that each way of a rematch makes."""
        return offered(self.game)

    @property
    def from_paper(self) -> bool:
        """Whether the game began with totals, which the menu leads to."""
        return bool(self.game.round(1).notes.start)

    @property
    def can_call_last(self) -> bool:
        return not self.ending and not self.game.state.open.notes.last_round

    @property
    def time_is_left(self) -> bool:
        """Whether the clock does not propose yet to make this round the last one."""
        return not (self.clock and self.clock.is_up)

    @property
    def has_acts(self) -> bool:
        """Whether the menu has anything that redoes or ends a round."""
        return self.can_redo or not self.ending

    @property
    def can_misdeal(self) -> bool:
        return not self.ending and len(self.game.rounds) >= self.number


class EndRow(NamedTuple):
    """A side with its place and total where a game ends with what is scored."""

    place: int
    faces: tuple[Face, ...]
    names: Markup
    total: str
    wins: bool

    @property
    def color(self) -> int:
        return self.faces[0].color


class EndAsked(NamedTuple):
    """What is asked before a game ends with its newest scored round, best side first."""

    game_id: str
    revision: str
    number: int
    last: int
    rows: list[EndRow]
    line: Markup


def end_asked(game: Game) -> EndAsked | None:
    """Return how the game ends with what is scored, or None if it cannot."""
    ending = ending_now(game.state)
    if ending is None:
        return None
    state = ending.state
    order = sorted(range(len(state.sides)), key=lambda side: state.places[side])
    rows = [
        EndRow(
            state.places[side],
            game.faces_of(state.sides[side]),
            listed(game.side_names(side)),
            minus(state.standing.totals[side], game.rules.shown_as),
            side in state.winners,
        )
        for side in order
    ]
    winners = winner_line(game, state.winners, state.standing)
    line = Markup(" ").join([winners, *_dropped(ending)])
    return EndAsked(game.id, game.revision, state.number + 1, state.number, rows, line)


def _dropped(ending: EndNow) -> list[Markup]:
    """Return what an end drops of the open round, if that is anything."""
    if ending.bids:
        return [fill(say("drops_bids", ending.bids), n=ending.bids)]
    if ending.drops:
        number = ending.state.number + 1
        return [fill(say("drops_round"), n=number)]
    return []


def build_screen(
    db: Database,
    game: Game,
    *,
    message: str = "",
    phone: Phone | None = None,
) -> Screen:
    """Return what the page of a game shows to a phone, with an error `message` if there is one."""
    own = own_seat(db, game, phone.id) if phone else None
    is_own = not (phone and phone.home)
    undo, redo = next_step(db, game, "undo"), next_step(db, game, "redo")
    shown = open_round(game, own)
    misdeal = misdeal_line(game, undo)
    return Screen(
        game=game,
        title=title_line(game),
        said=Announcement(misdeal) if misdeal else announce(game, shown, _before(db, game, undo)),
        message=message,
        tie=tie_line(game),
        notes=notes_shown(game),
        misdeal=misdeal,
        clock=clock_of(game, now()),
        score_rows=score_rows(game),
        open_round=shown,
        ending=None if shown else _ending(game),
        can_undo=undo is not None,
        can_redo=redo is not None,
        undoes=undo and step_line(game, undo.round, undo.after, undo.before),
        redoes=redo and step_line(game, redo.round, redo.before, redo.after),
        shared=is_shared(db, game),
        evening="" if shown or not is_own else evening_of(db, game),
        match=games_tonight(db, game.table_id).get(game.id) if phone else None,
        is_own=is_own,
    )


def _before(db: Database, game: Game, undo: Step | None) -> Round | None:
    """Return the open round as it was before the newest entry, if that was made in it."""
    if undo is None or undo.round != game.state.number:
        return None
    return read_round(with_names(db, game.table_id, undo.after)) or game.empty_round


def pot_of(game: Game) -> str:
    """Return the sum of all stakes; empty where there are none, or no pot for the winner."""
    if not game.stake or game.rules.stake_by != "winner":
        return ""
    return money(game.stake * len(game.names))


def _ending(game: Game) -> Ending:
    state = game.state
    winner, faces = state.winners[0], game.faces_of(state.winning_seats)
    uncounted = say("uncounted", state.uncounted)
    return Ending(
        **faces[0]._asdict(),
        faces=faces,
        total=minus(state.standing.totals[winner], game.rules.shown_as),
        length=_length(game),
        title=title_line(game),
        lead=lead_line(game),
        reason=reason_line(game),
        pot=_pot_line(game),
        has_long_word=any(map(LONG_WORD.search, winner_names(game))),
        remark=bdi(game.remark) if game.remark else None,
        uncounted=fill(uncounted, n=state.uncounted) if state.uncounted else None,
    )


def _pot_line(game: Game) -> Markup:
    """Return who gets the pot, or what everybody wins or loses where there is none."""
    state = game.state
    if not game.stake:
        return Markup()
    if state.rules.stake_by != "winner":
        balances = stake_balances(state, game.stake)
        each = zip(game.names, balances, strict=True)
        own = series(Markup("{} {}").format(bdi(name), balance(won)) for name, won in each)
        return fill(say("stakes"), shares=own)
    pot = sum(stakes_paid(state, game.stake))
    if len(state.winners) == 1:
        names = listed(game.side_names(state.winners[0]))
        return fill(say("pot_goes"), pot=money(pot), names=names)
    split = zip(state.winners, shares(pot, len(state.winners)), strict=True)
    own = series(
        Markup("{} {}").format(listed(game.side_names(side)), money(share)) for side, share in split
    )
    return fill(say("pot_split"), pot=money(pot), shares=own)


def _length(game: Game) -> Markup:
    """Return how many rounds and minutes a game took."""
    n = len(game.state.rounds)
    rounds = fill(say("rounds", n), n=n)
    minutes = minutes_between(game.started, game.changed)
    if not minutes:
        return rounds
    return Markup(" · ").join([rounds, fill(say("minutes_left"), n=minutes)])
