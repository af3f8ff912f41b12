"""What phones, forms and programs enter: new games and rounds, each stored once.

Also the entries of phones that wait for a choice.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.rules.entry import (
    Refused,
    check_start,
    end_now,
    ending_now,
    enter_with_tally,
    listed_or_other,
    misdeal,
    with_notes,
    with_substitutes,
)
from scorekeeper.rules.round import Round, check_notes, note_kind
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of
from scorekeeper.store.connection import Database
from scorekeeper.store.games import (
    GAME_ID_LENGTH,
    Game,
    cells_that_differ,
    house_rules_text,
    load_game,
    read_round,
    write_round,
)
from scorekeeper.store.journal import (
    Action,
    EditConflict,
    Who,
    check_cells,
    check_version,
    replace_round,
    score_by,
)
from scorekeeper.store.players import player_of_name
from scorekeeper.store.tables import random_word

MAX_KEY_LENGTH = 64


class StartRequest(NamedTuple):
    """A request to start a game: a key chosen by the client, and the hash of its content."""

    key: str
    content: str


class OtherContent(Exception):
    """The key was used for a request with other content."""


def is_key(text: str) -> bool:
    """Return whether a text is a valid key: printable ASCII without blanks, not too long."""
    return re.fullmatch(rf"[!-~]{{1,{MAX_KEY_LENGTH}}}", text) is not None


def game_started(db: Database, table_id: str, request: StartRequest | None) -> str | None:
    """Return the game that a request has started at a table, or None where it is new.

    Raises `OtherContent` where the key was used for another game.
    """
    if request is None:
        return None
    row = db.execute(
        "SELECT game_id, content FROM requests WHERE table_id = ? AND request_key = ?",
        [table_id, request.key],
    ).fetchone()
    if row and row[1] != request.content:
        raise OtherContent
    return row[0] if row else None


def remember(db: Database, table_id: str, request: StartRequest | None, game_id: str) -> None:
    """Store which game a request has started, in place of an earlier one of its key."""
    if request is not None:
        db.execute(
            "INSERT INTO requests VALUES (?, ?, ?, ?) ON CONFLICT (table_id, request_key) "
            "DO UPDATE SET content = excluded.content, game_id = excluded.game_id",
            [table_id, *request, game_id],
        )


class GameSetup(NamedTuple):
    """What is agreed before a game; `stake` is in hundredths, `first_dealer` counts from 0."""

    rules: RuleSet
    names: Sequence[str]
    first_dealer: int
    stake: int | None = None
    start: tuple[int, ...] = ()  # totals of the sides, or of players where each has one
    start_bags: tuple[int, ...] = ()


def create_game(
    db: Database,
    table_id: str,
    setup: GameSetup,
    who: journal.Who,
    game_id: str | None = None,
) -> str:
    """Store a new game at version 1 and return its id, a random one unless it is given.

    Players of the table are found by name and keep their first spelling. The journal names who
    started the game.
    """
    players = [player_of_name(db, table_id, name) for name in setup.names]
    game_id = game_id or random_word(GAME_ID_LENGTH)
    insert_game(db, (table_id, game_id), setup, players, who.at)
    journal.begin(db, table_id, game_id, journal.Action("begin", who))
    if setup.start and (game := load_game(db, table_id, game_id)):
        first = game.empty_round.noted(start=setup.start, start_bags=setup.start_bags)
        enter(db, game, Entry(1, first), game.version, who)
    return game_id


def insert_game(
    db: Database, key: tuple[str, str], setup: GameSetup, players: Sequence[int], at: datetime
) -> None:
    """Insert the row of a new game, without rounds and without a journal.

    `key` is its table and its id, `players` are those of the setup by theirs.
    """
    rules, _names, first_dealer, stake = setup[:4]
    row = {
        "table_id": key[0],
        "id": key[1],
        "rules": rules.key,
        "house_rules": house_rules_text(rules),
        "rule_values": json.dumps(rules.values),
        "first_dealer": first_dealer,
        "stake": stake,
        "started": stamp(at),
        "version": 1,
        "changed": stamp(at),
        "seats": json.dumps(players),
        "rounds": "[]",
    }
    db.execute(
        f"INSERT INTO games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        [*row.values()],
    )


Why = Literal["over", "not reached"]


class RoundClosed(Exception):
    """A round cannot be entered now: the game is `over`, or the round is `not reached`."""

    def __init__(self, why: Why):
        super().__init__(why)
        self.why = why


class Entry(NamedTuple):
    """A round as it is sent, whole, by its number.

    `kind` is what the journal calls it where the round alone does not tell, such as "misdeal". One
    that comes `late` was made on a phone that may not have known of the end of the game. An end
    that `keeps` leaves the round after it as others have entered it.
    """

    number: int
    round: Round
    kind: str | None = None
    late: bool = False
    keeps: bool = False


class EntryMade(NamedTuple):
    """How an entry of a round follows from the game and the round; `kind` is as in `Entry`."""

    number: int
    kind: str | None
    edit: Callable[[Game, Round], Round]


class Conflict(NamedTuple):
    """An entry of a phone, by its id and label, for a round that another phone entered otherwise.

    It waits on that phone until the players choose.
    """

    phone_id: str
    label: str
    number: int
    entry: Round


def enter(db: Database, game: Game, entry: Entry, seen: int, who: Who) -> Game:
    """Store a round as it is sent, journal the change, and return the game after it.

    `seen` is the version on which the entry was made. A round that is stored already changes
    nothing, and the newest is removed where nothing of it is left. Raises `RoundClosed`, or
    `EditConflict` where the round was open at that version or a cell that would change has changed
    since then, and `Refused` for what the rules forbid.
    """
    number, sent, kind, late, _keeps = entry
    check_open(game, number, seen, sent if late else None)
    before = game.round(number)
    if sent == before:
        return game
    check_cells(db, game, number, sent, seen)
    if kind == "end":
        return _end(db, game, entry, seen, Action(kind, who))
    round_ = misdeal(before) if kind == "misdeal" else _checked(game, number, before, sent)
    return replace_round(db, game, number, round_, Action(kind or _kind(before, round_), who))


def _end(db: Database, game: Game, entry: Entry, seen: int, action: Action) -> Game:
    """End a game after its newest scored round, in one act; return the game after it.

    What was entered of the open round by the version seen is removed. What has been entered since
    stays, though it does not count. Raises `Refused`, or `EditConflict` where the game has changed
    since that version, if it cannot end so.
    """
    state, number = game.state, entry.number
    ending = ending_now(state)
    if ending is None or number != len(state.rounds):
        check_version(game, seen)
    last = end_now(state, number, game.round(number))
    is_left = len(game.rounds) > number
    keeps = entry.keeps or changes_of(db, game, number + 1, after_version=seen)
    if is_left and not keeps:
        game = replace_round(db, game, number + 1, None, action)
    if ending and ending.state.rules != game.rules:
        game = score_by(db, game, ending.state.rules, action)
    return replace_round(db, game, number, last, action)


def is_entered(db: Database, game: Game, made: EntryMade, seen: int) -> bool:
    """Return whether an entry is stored by now, as where a form was sent twice.

    It is made again on the round of the version seen. What it changed there has the values of the
    entry today, whatever else has changed since. Raises what making it does, and `Refused`.
    """
    since = changes_of(db, game, made.number, after_version=seen)
    if not since:
        return False
    then = _as_seen(game, seen, made.number, since[0].before or game.empty_round)
    before = then.round(made.number)
    sent = made.edit(then, before)
    round_ = (
        misdeal(before) if made.kind == "misdeal" else _checked(then, made.number, before, sent)
    )
    cells = cells_that_differ(before, round_)
    return bool(cells) and not cells & cells_that_differ(round_, game.round(made.number))


def _as_seen(game: Game, version: int, number: int, round_: Round) -> Game:
    """Return a game with one round as it was; where that had no tricks it was the newest.

    It has no hash, so that it is not taken for the game that is stored.
    """
    later = game.rounds[number:] if round_.tricks else ()
    rounds = (*game.rounds[: number - 1], round_, *later)
    return replace(game, version=version, hash="", rounds=rounds, texts=())


def check_open(game: Game, number: int, seen: int, sent: Round | None = None) -> None:
    """Raise `RoundClosed` as `why_closed` says.

    Raises `EditConflict` where the game is at another version than was seen, at which the round may
    have been open.
    """
    why = why_closed(game, number, sent)
    if why and seen != game.version:
        raise EditConflict(game)
    if why:
        raise RoundClosed(why)


def why_closed(game: Game, number: int, sent: Round | None = None) -> Why | None:
    """Return why a round cannot be entered now, or None where it can.

    After the end of a game its rounds can be corrected, but no other round can be entered. A phone
    that was offline may not have known of the end, so a round that it has `sent` is stored if it
    is scored, though it does not count, or empty, which removes a round.
    """
    last, state = len(game.rounds), game.state
    if state.phase != "over" or not len(state.rounds) < number <= last + 1:
        return "not reached" if number > max(last, state.number) else None
    if sent is None:
        is_open = game.round(number).tricks is not None
    elif number > last:
        is_open = None not in (sent.tricks, game.rounds[-1].tricks)
    else:
        is_open = sent.tricks is not None or sent == game.empty_round
    return None if is_open else "over"


def _checked(game: Game, number: int, before: Round, sent: Round) -> Round:
    """Return the round that is sent as it is to be stored. Raises `Refused`."""
    now, then = sent.notes, before.notes
    wrong = []
    if number == 1 and (now.start, now.start_bags) != (then.start, then.start_bags):
        wrong = check_start(game.rules, game.state.players, sent)
    if wrong := wrong or check_notes(number, now):
        raise Refused(wrong)
    if now.cards is not None:
        cards = listed_or_other(game.rules, number, game.state.players, now.cards)
        sent = sent.noted(cards=cards)
    same_deal = (now.substitutes, sent.notes.cards) == (then.substitutes, then.cards)
    if sent[:3] == before[:3] and same_deal:
        return with_notes(game.state, before, sent)
    seats = [one.notes.substitutes for one in game.rounds]
    seats[number - 1 : number] = [now.substitutes]
    seated = with_substitutes(game.rules, game.starters, seats, before, now.substitutes)
    newest = number >= len(game.rounds)
    return enter_with_tally(game.state, number, seated, sent, newest=newest)


def _kind(before: Round, round_: Round) -> str:
    """Return what the journal calls a change of a round."""
    has_other_cards = round_.notes.cards != before.notes.cards and not round_.tricks
    is_note = round_[:3] == before[:3] or has_other_cards
    kind = note_kind(before.notes, round_.notes) if is_note else ""
    if before.tricks and kind != "note":
        return "corrected"
    if round_.tricks and not before.tricks:
        return "scored"
    if kind:
        return kind
    return "tally" if round_.bids == before.bids else "bid"


def conflicts_of(db: Database, game: Game) -> list[Conflict]:
    """Return the entries that wait for a choice, oldest first.

    One that agrees with the game by now is among them until its phone says that it has learnt that.
    """
    rows = db.execute(
        "SELECT phone_id, label, round, entry FROM conflicts JOIN phones "
        "ON phones.table_id = conflicts.table_id AND phones.id = phone_id "
        "WHERE conflicts.table_id = ? AND game_id = ? ORDER BY at, phone_id",
        [game.table_id, game.id],
    )
    return [Conflict(phone, label, n, _read(entry)) for phone, label, n, entry in rows.fetchall()]


def store_conflict(
    db: Database, game: Game, phone_id: str, conflict: tuple[int, Round] | None, at: datetime
) -> bool:
    """Store the entry of a phone that waits for a choice, by its round, in place of the one before.

    None says that none waits. Return whether that is new.
    """
    key = [game.table_id, game.id, phone_id]
    of_phone = "table_id = ? AND game_id = ? AND phone_id = ?"
    row = db.execute(f"SELECT round, entry FROM conflicts WHERE {of_phone}", key).fetchone()
    if conflict == (row and (row[0], _read(row[1]))):
        return False
    db.execute(f"DELETE FROM conflicts WHERE {of_phone}", key)
    if conflict:
        number, entry = conflict
        values = [*key, number, write_round(entry), stamp(at)]
        db.execute("INSERT INTO conflicts VALUES (?, ?, ?, ?, ?, ?)", values)
    return True


def _read(entry: str) -> Round:
    round_ = read_round(entry)
    assert round_ is not None
    return round_
