"""Games that come from elsewhere: known again where they are here already, else added."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from sqlite_utils import Database

from scorekeeper.names import same_name
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import Round, fold
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import summaries
from scorekeeper.store.chain import add_line, replay, setup_of
from scorekeeper.store.changes import write_round
from scorekeeper.store.games import GAME_ID_LENGTH, Game, create_game, load_game
from scorekeeper.store.results import derive
from scorekeeper.store.rounds import store_round
from scorekeeper.store.tables import ALPHABET
from scorekeeper.store.times import stamp
from scorekeeper.store.walk import can_be_walked
from scorekeeper.store.whole import Line, Setup, WholeGame

OWN_ID = re.compile(f"[{ALPHABET}]{{{GAME_ID_LENGTH}}}")
Known = Literal["new", "same", "removed", "other"]
KINDS: tuple[Known, ...] = ("new", "same", "removed", "other")
Counted = list[tuple[Bids, tuple[int, ...] | None]]
# Neither reads all games of the table: kept and removed games have indexes of their own, and
# CROSS JOIN keeps SQLite from going through the games first.
BEGUN_AT = """
SELECT id, 0 FROM games WHERE table_id = :table AND removed IS NULL AND started = :value
UNION ALL
SELECT id, 1 FROM games WHERE table_id = :table AND removed IS NOT NULL AND started = :value
"""
WITH_FIRST_PLAYER = """
SELECT games.id, removed IS NOT NULL FROM players
CROSS JOIN seats ON player_id = players.id AND seat = 0
CROSS JOIN games ON games.id = game_id
WHERE players.table_id = :table AND same_name = :value AND merged_into IS NULL
"""


class DoesNotFollow(ValueError):
    """A journal that does not lead to the facts of its game."""


def sort_out(
    db: Database, table_id: str, games: Iterable[WholeGame]
) -> Iterator[tuple[WholeGame, Known]]:
    """Yield each game and what adding it would find, without adding any."""
    seen = set()
    for game in games:
        key = repr(key_of(game))
        known = find_same(db, table_id, game) or ("same" if key in seen else "new")
        seen.add(key)
        yield game, known


def add_new(
    db: Database,
    table_id: str,
    games: Iterable[WholeGame],
    phone_id: str | None,
    at: datetime,
) -> Counter[Known]:
    """Store the games that are not here yet; return how many were new, and what the others are.

    Raises `DoesNotFollow` where the journal of one does not lead to its facts.
    """
    counts: Counter[Known] = Counter()
    for game in games:
        known = find_same(db, table_id, game)
        if known is None:
            add_game(db, table_id, game, phone_id, at)
        counts[known or "new"] += 1
    return counts


def find_same(db: Database, table_id: str, game: WholeGame) -> Known | None:
    """Return whether a table has a game: the same one, the same removed, or another of its id."""
    for removed in (False, True):
        if found := load_game(db, table_id, game.id, removed=removed):
            if key_of_stored(found) != key_of(game):
                return "other"
            return "removed" if removed else "same"
    for game_id, gone in _candidates(db, table_id, game):
        found = load_game(db, table_id, game_id, removed=gone)
        if found and key_of_stored(found) == key_of(game):
            return "removed" if gone else "same"
    return None


def key_of(game: WholeGame) -> tuple[Any, ...]:
    """Return by what a game is known again: rules, players, dealer, and the rounds that count."""
    counted = fold(game.rules, len(game.names), game.first_dealer, game.rounds).rounds
    return _key(game.rules, game.names, game.first_dealer, [(r.bids, r.tricks) for r in counted])


def key_of_stored(game: Game) -> tuple[Any, ...]:
    """Return the same of a game that is stored."""
    counted: Counted = [(r.bids, r.tricks) for r in game.board.rounds]
    return _key(game.rules, game.names, game.first_dealer, counted)


def add_game(
    db: Database, table_id: str, game: WholeGame, phone_id: str | None, at: datetime
) -> str:
    """Store a game that came from elsewhere and return its id.

    Its own id is kept where it is free. Raises `DoesNotFollow` where its journal leads to other
    facts than it has.
    """
    free = (
        OWN_ID.fullmatch(game.id)
        and not db.execute("SELECT 1 FROM games WHERE id = ?", [game.id]).fetchone()
    )
    began = datetime.fromisoformat(game.started) if game.started else at
    game_id = create_game(
        db, table_id, game.rules, game.names, game.first_dealer, game.stake, began,
        game.id if free else None,
    )  # fmt: skip
    setup = setup_of(db, game_id)
    rows = _rows(game.lines or _lines_of_sheet(game, at), game_id, setup)
    due = replay(rows)
    stored = {n: json.loads(str(write_round(round_))) for n, round_ in enumerate(game.rounds, 1)}
    facts = {number: facts for number, (facts, _scored) in due.rounds.items()}
    if facts != stored or due.setup != setup or due.removed is not None:
        raise DoesNotFollow
    if not can_be_walked(rows):
        raise DoesNotFollow
    for row in rows:
        add_line(db, row | {"phone_id": None if game.lines else phone_id})
    for number, round_ in enumerate(game.rounds, 1):
        scored = due.rounds[number][1]
        store_round(db, game_id, number, round_, datetime.fromisoformat(scored) if scored else at)
    db.execute(
        "UPDATE games SET version = ?, changed = ? WHERE id = ?",
        [due.version, due.changed, game_id],
    )
    summaries.begin(db, game_id)
    if added := load_game(db, table_id, game_id):
        derive(db, added)
    return game_id


def _key(
    rules: RuleSet, names: tuple[str, ...], first_dealer: int, counted: Counted
) -> tuple[Any, ...]:
    # What a table calls its house rules scores nothing, and a sheet does not tell it.
    return replace(rules, name=""), tuple(map(same_name, names)), first_dealer, counted


def _candidates(db: Database, table_id: str, game: WholeGame) -> list[tuple[str, bool]]:
    """Return games that may be the same: begun at that moment, or else with that first player."""
    if game.started:
        value = stamp(datetime.fromisoformat(game.started))
        rows = db.execute(BEGUN_AT, {"table": table_id, "value": value})
    else:
        value = same_name(game.names[0])
        rows = db.execute(WITH_FIRST_PLAYER, {"table": table_id, "value": value})
    return [(row[0], bool(row[1])) for row in rows.fetchall()]


def _lines_of_sheet(game: WholeGame, at: datetime) -> list[Line]:
    lines = [Line(stamp(at), None, "begin", None, None, None, 1, None)]
    for number, round_ in enumerate(game.rounds, 1):
        version = number + 1
        lines.append(Line(stamp(at), None, "scored", number, None, round_, version, version - 1))
    return lines


def _rows(lines: "tuple[Line, ...] | list[Line]", game_id: str, setup: Setup) -> list[Setup]:
    """Return the lines as rows of the journal; what means something only here is put back."""
    rows = []
    for version, line in enumerate(lines, 1):
        before, after = line.before, line.after
        if version == 1:
            told = after if isinstance(after, dict) else {}
            after = {name: told.get(name, setup[name]) for name in setup}
        rows.append(
            {
                "game_id": game_id,
                "version": version,
                "at": line.at,
                "label": line.phone,
                "kind": line.kind,
                "round": line.round,
                "before": _text(before),
                "after": _text(after),
                "stands": line.stands,
                "follows": line.follows,
            }
        )
    return rows


def _text(state: Round | Setup | None) -> str | None:
    return json.dumps(state) if isinstance(state, dict) else write_round(state)
