"""The phone's scripts render the page of a game exactly as the server does."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from difflib import unified_diff
from html import escape
from html.parser import HTMLParser
from typing import Any, NamedTuple

import pytest
from flask import Flask, get_template_attribute, render_template

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil, blind_bid
from scorekeeper.rules.faces import FACES
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.changes import Step
from scorekeeper.store.entry import Conflict
from scorekeeper.store.games import Game, write_round
from scorekeeper.web.game import screen
from scorekeeper.web.game.conflict import conflict_lines, two_entries
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts, plain
from tests.web.offline.luck import Luck
from tests.web.play import Table

NAMES = (
    "North",
    "{n} <i>&",
    "ليلى",
    'Maximiliana "W"',
    "王小明",
    *("Fay", "Gus", "Hal", "Ida", "Jo"),
)
GAMES_OF_CHANCE = 10
AT, LATER = "2026-01-03T20:15:00Z", "2026-01-03T21:02:31Z"
LITE, PARTNERS = PRESETS["cutthroat-lite"], PRESETS["partnership"]
OPEN = (None,) * 4
BIDS = (3, 2, Nil.NIL, 4)
SCORED = Round(BIDS, (3, 4, 0, 3))
LEFT = Substitute(1, None)
WITHOUT_ONE = Round((3, None, 2, 4), (4, 0, 2, 4)).noted(substitutes=(LEFT,))
RENEGE = Penalty(1, "books", 3, "others", "renege")
TALK = Penalty(0, "points", 30, "nobody", "table_talk")
LOST = Penalty(1, "lost", 1, "nobody", "renege")
LEFT_OUT = ("said", "entry")  # the phone announces in a live region of its own, and enters
# Of the menu; the server has a page of its own for the one, and scripts alone can show the other.
OF_PHONES = re.compile(
    r'<div class="menu-group">\s*<a[^>]* data-action="ask-end".*?</dialog>'
    r"|<button[^>]* data-again.*?</button>",
    re.DOTALL,
)
# Phones show it in the row of a seat; the page shows it until they do.
NOTE = re.compile(r'<p class="message tie note">.*?</p>', re.DOTALL)
VOID = ("input", "path", "rect", "use", "line", "polyline")


class NextStep(NamedTuple):
    """What undo or redo turns a round into, where `round` is None a change of the rules."""

    round: int | None
    facts: Round | None

    def journaled(self, game: Game) -> Step:
        if self.round is None:
            return Step(None, "", "", 1)
        before, after = (write_round(one) for one in (game.round(self.round), self.facts))
        return Step(self.round, before, after, 1)


RULES = NextStep(None, None)


class State(NamedTuple):
    """A game, and how its page is looked at."""

    game: Game
    message: str = ""
    undo: NextStep | None = RULES
    redo: NextStep | None = None
    shared: bool = False
    every_round: bool = False
    conflicts: tuple[Conflict, ...] = ()
    at: datetime = datetime.fromisoformat(LATER)


def game_of(
    rounds: list[Round],
    rules: RuleSet = LITE,
    players: int = 4,
    dealer: int = 3,
    stake: int | None = None,
    changed: str = LATER,
) -> Game:
    key = f"{hash((rules, players, dealer, tuple(rounds))):x}"
    names = NAMES[:players]
    return Game(key, "t", rules, names, dealer, stake, AT, 7, changed, tuple(rounds), "ab12" * 10)


def after(minutes: float) -> datetime:
    return datetime.fromisoformat(AT) + timedelta(minutes=minutes)


LONG = [Round((2, 3, 1, 1), (1, 3, 3, 3))] * 25
WON = [Round((5, 1, 1, 1), (7, 1, 1, 1))] * 2
TO_100 = replace(LITE, target=100)
SHARED = replace(LITE, rounds=1, tie_at_limit="shared")
FORTY = replace(LITE, minutes=40)
BEGUN = Round((None,) * 4).noted(start=(120, 85, -35, 0))
TALLY = Round((3, 2, 1, 4), None, (3, None, None, None))
ALL_COUNTED = Round((3, 2, 1, 4), None, (3, 2, 1, None))
ITSELF = replace(LITE, first_round_bids_itself=True)
SIDES = replace(PARTNERS, bid_by="side", tricks_by="side", double_nil_points=None)
COUNTED_BY_SIDE = replace(
    PARTNERS, tricks_by="side", nil_points=None, blind_nil_points=None, blind_nil_deficit=None
)
OF_SIDES = Round((7, 6, None, None), None, (8, None, 0, 0))
BLIND = replace(PARTNERS, blind_bid_from=6, blind_trick_points=20, blind_bid_deficit=50)
TOO_LOW = Round((2, 2, 3, 3))
FAR_BEHIND = [Round((5, 5, 1, 1), (5, 2, 5, 1))]
FACES_OF_PLAYERS = dict(zip(NAMES, FACES[11:], strict=False))
STATES = {
    "players have faces": State(replace(game_of([SCORED, TALLY]), faces=FACES_OF_PLAYERS)),
    "a game begins": State(game_of([]), undo=None),
    "a game begins for a stake": State(game_of([], stake=250)),
    "five players": State(game_of([], players=5, dealer=4)),
    "three players": State(game_of([SCORED._replace(bids=(3, 2, 1), tricks=(3, 4, 3))], players=3)),
    "a bid is made": State(game_of([Round((3, *OPEN[1:]))]), undo=NextStep(1, None)),
    "a Nil is undone": State(
        game_of([Round((3, *OPEN[1:]))]), redo=NextStep(1, Round((3, Nil.NIL, None, None)))
    ),
    "a bid is changed": State(
        game_of([Round((3, 2, 4, 4))]), undo=NextStep(1, Round((3, 2, 3, 4)))
    ),
    "tricks are counted last": State(
        game_of([TALLY]), undo=NextStep(1, TALLY._replace(tally=None))
    ),
    "a count is undone": State(
        game_of([TALLY]), redo=NextStep(1, ALL_COUNTED._replace(tally=(3, 0, None, None)))
    ),
    "a round was scored last": State(
        game_of([SCORED]), undo=NextStep(1, SCORED._replace(tricks=None))
    ),
    "a misdeal": State(game_of([SCORED]), undo=NextStep(2, Round((3, *OPEN[1:])))),
    "a misdeal of a limited game": State(
        game_of([SCORED], PRESETS["call-break"]), undo=NextStep(2, Round((3, *OPEN[1:])))
    ),
    "the last of a limited number of rounds": State(
        game_of([Round((2, 3, 3, 2), (2, 4, 3, 4))] * 4, PRESETS["call-break"])
    ),
    "a player was replaced after a penalty": State(
        game_of(
            [
                SCORED.noted(penalties=(TALK,)),
                Round(OPEN).noted(penalties=(TALK,), substitutes=(Substitute(TALK.seat, "Eve"),)),
            ]
        )
    ),
    "a misdeal in the first round": State(
        game_of([Round(OPEN)]), undo=NextStep(1, Round((3, *OPEN[1:])))
    ),
    "a side is to bid": State(game_of([], SIDES)),
    "a side has bid": State(game_of([Round((7, *OPEN[1:]))], SIDES)),
    "sides have scored": State(game_of([OF_SIDES._replace(tricks=(8, 5, 0, 0))], SIDES)),
    "a penalty can be redone": State(
        game_of([SCORED], PARTNERS), redo=NextStep(2, Round(OPEN).noted(penalties=(TALK,)))
    ),
    "a game is shared": State(game_of([SCORED]), shared=True),
    "an entry is refused": State(game_of([Round((3, *OPEN[1:]))]), message="That is <too> many."),
    "the deal is thrown in": State(game_of([TOO_LOW], PRESETS["forty-one"])),
    "the first round bids itself": State(game_of([], ITSELF)),
    "a round is scored": State(game_of([SCORED])),
    "a penalty was paid": State(
        game_of([Round((3, 2, 4, 4), (3, 2, 4, 4)).noted(penalties=(RENEGE,))], PARTNERS),
        message="Again",
    ),
    "penalties are given": State(
        game_of([Round((3, *OPEN[1:])).noted(penalties=(RENEGE, TALK))], PARTNERS)
    ),
    "a fine in tenths": State(
        game_of([Round(OPEN).noted(penalties=(TALK,))], PRESETS["call-break"])
    ),
    "a penalty loses the game": State(
        game_of([SCORED, Round((3, *OPEN[1:])).noted(penalties=(LOST,))], PARTNERS)
    ),
    "a penalty loses the game in round 1": State(
        game_of([Round(OPEN).noted(penalties=(TALK, LOST))], PARTNERS)
    ),
    "a scored round loses the game": State(
        game_of([SCORED.noted(penalties=(LOST,)), SCORED], PARTNERS)
    ),
    "the last round": State(game_of([SCORED, Round(OPEN).noted(last_round=True)])),
    "the last round is over": State(game_of([SCORED.noted(last_round=True)])),
    "a player takes a seat": State(
        game_of([SCORED, Round(OPEN).noted(substitutes=(Substitute(3, "Eve"),))])
    ),
    "a player took a seat": State(
        game_of([SCORED, SCORED.noted(substitutes=(Substitute(0, "Eve"),))])
    ),
    "somebody has bid blind": State(
        game_of([*FAR_BEHIND, Round((2, blind_bid(6), 1, 1), None, (2, None, 3, 1))], BLIND)
    ),
    "a blind bid is scored": State(
        game_of([*FAR_BEHIND, Round((2, blind_bid(6), 1, 1), (2, 7, 3, 1))], BLIND)
    ),
    "a player leaves": State(game_of([SCORED, Round(OPEN).noted(substitutes=(LEFT,))])),
    "a player has left": State(game_of([SCORED, WITHOUT_ONE])),
    "a player comes to an empty seat": State(
        game_of([SCORED, WITHOUT_ONE, Round(OPEN).noted(substitutes=(Substitute(1, "Eve"),))])
    ),
    "a player comes back": State(
        game_of([SCORED, WITHOUT_ONE, Round(OPEN).noted(substitutes=(Substitute(1, NAMES[1]),))])
    ),
    "a game is won after a player has left": State(
        game_of([SCORED, WITHOUT_ONE], replace(LITE, target=60))
    ),
    "ten minutes are left": State(game_of([SCORED], FORTY), at=after(30)),
    "the clock was set back by a day": State(game_of([SCORED], FORTY), at=after(-1440)),
    "five minutes are left": State(game_of([SCORED], FORTY), at=after(35)),
    "a minute is left": State(game_of([SCORED], FORTY), at=after(39.5)),
    "time is up": State(game_of([SCORED], FORTY), at=after(40)),
    "time is up in the last round": State(
        game_of([Round(OPEN).noted(last_round=True)], FORTY), at=after(41)
    ),
    "a timed game goes on a day later": State(game_of([SCORED], FORTY), at=after(1440)),
    "a timed game is over": State(game_of(WON, replace(TO_100, minutes=40)), at=after(41)),
    "bags are paid for": State(game_of([Round((3, 1, 1, 1), (3, 7, 0, 0))])),
    "many bags": State(game_of([SCORED], replace(LITE, bag_limit=12))),
    "no bags": State(game_of([SCORED], replace(LITE, bag_limit=None, bag_penalty=None))),
    "a round of the list": State(game_of([Round(OPEN)], PRESETS["kachufool"])),
    "other cards than those of the list": State(
        game_of([Round(OPEN).noted(cards=3)], PRESETS["kachufool"])
    ),
    "a card will be turned": State(game_of([Round(OPEN)], PRESETS["oh-hell"])),
    "hearts were turned": State(game_of([Round(OPEN).noted(trump="h")], PRESETS["oh-hell"])),
    "a bid is made with hearts as trump": State(
        game_of([Round((1, *OPEN[1:])).noted(trump="h")], PRESETS["oh-hell"])
    ),
    "no trump was turned": State(
        game_of([Round((1, 1, 0, 2), (1, 1, 0, 1)).noted(trump="n")], PRESETS["wizard"])
    ),
    "a round of other cards is scored": State(
        game_of([Round((1, 1, 0, 2), (1, 1, 0, 1)).noted(cards=3)], PRESETS["kachufool"])
    ),
    "a tie": State(game_of([Round((3, 3, 3, 2), (3, 3, 2, 2))], replace(LITE, target=30))),
    "more rounds than are shown": State(game_of(LONG, replace(LITE, target=9000))),
    "every round": State(game_of(LONG, replace(LITE, target=9000)), every_round=True),
    "a winner": State(game_of(WON, TO_100)),
    "a winner in no time": State(game_of(WON, TO_100, changed=AT), redo=RULES),
    "a winner of a pot": State(game_of(WON, TO_100, stake=250)),
    "a game that began on paper": State(game_of([BEGUN])),
    "partners began on paper": State(
        game_of([SCORED.noted(start=(120, -35), start_bags=(3, 0))], PRESETS["cookout"])
    ),
    "a game from paper that is over": State(
        game_of([WON[0].noted(start=(60, 0, 0, -9)), WON[1]], TO_100)
    ),
    "stakes by points": State(game_of(WON, replace(TO_100, stake_by="points"), stake=250)),
    "stakes by place": State(
        game_of(WON, replace(TO_100, stake_by="rank", negative_doubles=True), stake=5)
    ),
    "stakes by points go on": State(game_of([SCORED], replace(LITE, stake_by="points"), stake=250)),
    "several winners split a pot": State(
        game_of([Round((3, 3, 3, 1), (3, 3, 3, 1))], SHARED, stake=250)
    ),
    "everyone wins": State(
        game_of([Round((1, 1, 1, 1), (4, 2, 2, 2))], replace(SHARED, overtrick_points=0))
    ),
    "partners win": State(
        game_of([Round((6, 1, 6, 0), (7, 0, 6, 0))], replace(PARTNERS, target=100))
    ),
    "rounds that do not count": State(game_of([*WON, SCORED, SCORED], TO_100)),
    "other phones have other entries": State(
        game_of([SCORED]),
        conflicts=(
            Conflict("a", "Ana’s <phone>", 1, SCORED._replace(tricks=(4, 3, 0, 3))),
            Conflict("b", "another phone", 2, Round((3, *OPEN[1:]))),
            Conflict("c", "a third one", 3, Round((3, 2, 1, 4), None, (None, 4, None, None))),
        ),
    ),
    "another phone has no entry": State(
        game_of([*WON], TO_100), conflicts=(Conflict("a", "ليلى", 2, Round(OPEN)),)
    ),
    "another phone has other players and penalties": State(
        game_of([SCORED, WITHOUT_ONE.noted(penalties=(TALK,))]),
        conflicts=(
            Conflict(
                "a",
                "Ana’s phone",
                2,
                SCORED.noted(penalties=(TALK, RENEGE), substitutes=(Substitute(0, "Eve"),)),
            ),
        ),
    ),
    "somebody falls": State(game_of([Round((9, 1, 1, 1), (1, 7, 1, 1))], replace(LITE, mercy=-50))),
}


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language("en")


def of_language(language: str, cases: dict[str, Any]) -> dict[str, Any]:
    """Return all cases in English, and every third of them in each other language."""
    nth = list(i18n.LANGUAGES).index(language)
    chosen = list(cases) if language == "en" else list(cases)[nth % 3 :: 3]
    return {name: cases[name] for name in chosen}


def on_the_server(app: Flask, state: State, monkeypatch: pytest.MonkeyPatch) -> str:
    steps = {"undo": state.undo, "redo": state.redo}
    found = {way: step and step.journaled(state.game) for way, step in steps.items()}
    monkeypatch.setattr(screen, "next_step", lambda _db, _game, way: found[way])
    monkeypatch.setattr(screen, "now", lambda: state.at)
    monkeypatch.setattr(screen, "is_shared", lambda *_: state.shared)
    lines = [conflict_lines(state.game, one) for one in state.conflicts]
    shown = screen.build_screen(None, state.game, message=state.message)  # type: ignore[arg-type]  # nothing is read
    return render_template(
        "game/_game.html", screen=shown, conflicts=lines, every_round=state.every_round
    )


def on_the_phone(state: State, pieces: str) -> list[Any]:
    """Return what the phone is asked."""
    game = state.game
    page_facts = {
        **facts(game.rules, len(game.names), game.first_dealer, game.rounds),
        **{
            name: getattr(game, name)
            for name in ("id", "starters", "names", "stake", "started", "changed")
        },
        "revision": game.revision,
        "faces": {name: [*face] for name, face in game.faces.items()},
        **{"base": plain(game.rounds), "theirs": {}},
        **{"undo": steps_of(state.undo), "redo": steps_of(state.redo)},
        **{"can_undo": state.undo is not None, "can_redo": state.redo is not None},
        "shared": state.shared,
    }
    page_facts["conflicts"] = [
        {"phone": one.label, "n": one.number, "round": plain(one.entry)} for one in state.conflicts
    ]
    view = {"error": state.message, "known": []}
    return [
        pieces,
        page_facts,
        {**view, "everyRound": state.every_round, "at": ms(state.at)},
    ]


def ms(moment: datetime) -> int:
    """Return a time in milliseconds, as scripts count."""
    return round(moment.timestamp() * 1000)


def steps_of(step: NextStep | None) -> list[list[Any]]:
    """Return a step as the facts of a game tell it; phones leave a change of the rules out."""
    return [[step.round, plain(step.facts), 1]] if step and step.round else []


class Tree(HTMLParser):
    """A page as lines, indented as its elements are nested, with attributes in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.open: list[str] = []
        self.skipped: int | None = None
        self.text = ""
        self.feed(page)
        self.close()
        self._end_text()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_text()
        kept = {name: value or "" for name, value in attrs if is_told(tag, name)}
        names = {kept.get("id"), *kept.get("class", "").split()}
        is_left_out = tag in ("main", "script") or not names.isdisjoint(LEFT_OUT)
        if self.skipped is None and is_left_out and tag != "main":
            self.skipped = len(self.open)
        written = "".join(f' {name}="{escape(kept[name])}"' for name in sorted(kept))
        self._line(f"<{tag}{written}>", tag == "main")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        self._end_text()
        assert self.open.pop() == tag
        if self.skipped == len(self.open):
            self.skipped = None

    def handle_data(self, data: str) -> None:
        self.text += data

    def _end_text(self) -> None:
        text = " ".join(self.text.split())
        self.text = ""
        if text:
            self._line(text)

    def _line(self, line: str, is_left_out: bool = False) -> None:
        if self.skipped is None and not is_left_out:
            self.lines.append(" " * (len(self.open) - self.open.count("main")) + line)


def is_told(tag: str, name: str) -> bool:
    """Return whether an attribute is compared: not numbers of charts."""
    is_number = tag in ("line", "polyline", "text") and name in ("points", "x", "y", "y1", "y2")
    return not (name == "xmlns" or is_number)


def lines_of(page: str) -> list[str]:
    return Tree(re.sub(r'(name="csrf_token" value=)"[^"]*"', r'\1""', page)).lines


def differences(phone: str, server: str) -> str:
    """Return where two pages differ, as lines of a diff."""
    if 'id="entry"' in phone:
        server = NOTE.sub("", server)
        phone = phone.replace("message visually-hidden", "message")  # seen in the dock
    lines = [lines_of(page) for page in (OF_PHONES.sub("", phone), server)]
    return "\n".join(unified_diff(*lines, "phone", "server", lineterm="", n=4))


def states_of_chance(language: str) -> list[State]:
    first = GAMES_OF_CHANCE * list(i18n.LANGUAGES).index(language)  # others in each language
    found = []
    for seed in range(first, first + GAMES_OF_CHANCE):
        luck = Luck(seed)
        case = luck.case()
        game = game_of(case.rounds, case.rules, case.players, case.first_dealer)
        found.append(
            State(
                game,
                undo=luck.dice.choice([None, RULES, NextStep(game.state.number, None)]),
                redo=luck.dice.choice([None, RULES, NextStep(1, case.rounds[-1])])
                if case.rounds
                else None,
            )
        )
    return found


def test_the_phone_renders_the_page_of_the_server(
    language: str, app: Flask, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = {f"chance {n}": state for n, state in enumerate(states_of_chance(language))}
    states = of_language(language, STATES) | chance
    with app.test_request_context():
        pieces = render_template("offline/shell.html")
        phone = ask("gamePageOf", [on_the_phone(state, pieces) for state in states.values()])
        server = [on_the_server(app, state, monkeypatch) for state in states.values()]
    found = map(differences, phone, server)
    assert {name: lines for name, lines in zip(states, found, strict=True) if lines} == {}


def test_two_entries_for_a_round_are_shown_alike(game: Table, ask: Ask) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    theirs = game.game.round(1)
    ours = theirs._replace(tricks=(4, 3, 0, 3))
    with game.app.test_request_context(), game.store.borrow() as db:
        entries = two_entries(db, game.game, 1, ours)._replace(phone="A", recorded="", sent="")
        table = get_template_attribute("game/_conflict_pieces.html", "two_entries")(entries)
        pieces = render_template("offline/shell.html")
    asked = on_the_phone(State(replace(game.game, rounds=(ours,))), pieces)
    asked[1] |= {"theirs": {1: plain(theirs)}, "entries": {1: {"phone": "A"}}}
    found = re.search('<table class="conflict">.*?</table>', *ask("gamePageOf", [asked]), re.DOTALL)
    assert found
    assert not differences(found[0], table)
