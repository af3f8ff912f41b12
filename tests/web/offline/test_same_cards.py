"""The phone's scripts render the cards of games exactly as the server does."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask, get_template_attribute, render_template

from scorekeeper.rules.faces import FACES, faces_by_seat
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store.games import Game
from scorekeeper.web.phrases import phone_words
from scorekeeper.web.text.cards import result_card, standings_card
from scorekeeper.web.text.rule_books import book_line
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts
from tests.web.offline.test_same_page import (
    STATES,
    TO_100,
    WON,
    differences,
    game_of,
    language,
    of_language,
)

__all__ = ["language"]
BEHIND = [Round((9, 1, 1, 1), (1, 3, 3, 3))]
MANY = [Round((2, 3, 1, 1), (1, 3, 3, 3))] * 75
FACES_OF_PLAYERS = dict(zip(game_of(WON, TO_100).names, FACES[11:], strict=False))
GAMES = {
    "players have faces": replace(game_of(WON, TO_100), faces=FACES_OF_PLAYERS),
    **{name: state.game for name, state in STATES.items()},
    "all are below zero": game_of(BEHIND * 3),
    "hundreds of rounds": game_of(MANY),
}
NOON = datetime.now(UTC).replace(hour=12, minute=5)


def on_the_server(game: Game) -> str:
    macros = [get_template_attribute("_cards.html", name) for name in ("standings", "result")]
    path, is_over = f"/games/{game.id}", game.state.phase == "over"
    standings = "" if is_over else macros[0](standings_card(game), path)
    return f"{standings}{macros[1](result_card(game), path)}"


def on_the_phone(game: Game, pieces: str) -> list[Any]:
    """Return what the phone is asked."""
    told = facts(game.rules, len(game.names), game.first_dealer, game.rounds)
    names = {
        name: getattr(game, name) for name in ("id", "starters", "names", "started", "changed")
    }
    told["faces"] = game.faces
    synced = {"base": told["rounds"], "queue": [], "undo": [], "redo": [], "theirs": {}}
    return [pieces, {**told, **names, **synced, "day": game.started[:10]}]


def without_actions(page: str) -> str:
    """Return a page without what makes the app open a game."""
    return re.sub(r' data-(action|id)="[^"]*"', "", page)


def differing(app: Flask, ask: Ask, games: dict[str, Game]) -> dict[str, str]:
    with app.test_request_context():
        pieces = render_template("offline/shell.html")
        asked = [on_the_phone(game, pieces) for game in games.values()]
        phone = map(without_actions, ask("cardsOf", asked))
        server = [on_the_server(game) for game in games.values()]
    found = map(differences, phone, server)
    return {name: lines for name, lines in zip(games, found, strict=True) if lines}


def test_the_phone_renders_the_cards_of_the_server(language: str, app: Flask, ask: Ask) -> None:
    assert differing(app, ask, of_language(language, GAMES)) == {}


def test_the_phone_tells_faces_apart_as_the_server_does(ask: Ask) -> None:
    chance = Random(36)
    tables = [
        [chance.choice([None, *FACES[:: chance.randint(1, 9)]]) for _seat in range(players)]
        for players in (2, 3, 4, 6, 8, 10)
        for _table in range(40)
    ]
    told = [[face and [*face] for face in own] for own in tables]
    shown = [[face._asdict() for face in faces_by_seat(own)] for own in tables]
    assert ask("faces", told) == shown


@pytest.mark.parametrize("days", [0, 1, 2, 6, 7])
def test_the_day_of_a_game_is_said_alike(app: Flask, ask: Ask, days: int) -> None:
    started = (NOON - timedelta(days=days)).isoformat()
    game = game_of(WON, TO_100)
    assert differing(app, ask, {"a game": replace(game, started=started)}) == {}


def test_a_rule_book_is_told_alike_in_one_line(language: str, ask: Ask) -> None:
    words = phone_words()
    asked = [[words, rules.values] for rules in PRESETS.values()]
    assert ask("bookLines", asked) == [book_line(rules) for rules in PRESETS.values()]
