"""What a program asks for, as values of the rules and the store."""

import re
from typing import NamedTuple

from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, PreconditionRequired, Unauthorized

from scorekeeper import player_names
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, Bids, Nil
from scorekeeper.rules.ruleset import HOUSE_RULES, value_text
from scorekeeper.store.idempotency import LONGEST_KEY, is_key
from scorekeeper.store.tables import label_of_key, table_of_key
from scorekeeper.web.api.body import (
    list_of,
    number_of,
    quoted,
    read_object,
    refuse_unknown,
    text_of,
)
from scorekeeper.web.api.problems import Problem
from scorekeeper.web.game.new_game_values import NewGame
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database

LONGEST_WORD = 40
PAGE, LARGEST_PAGE = 20, 100


class Part(NamedTuple):
    """Which part of a list is asked for: so many, after the item that the cursor names."""

    limit: int
    after: str | None


class Sent(NamedTuple):
    """A round as it was sent, its shape not yet compared with the table's."""

    bids: object
    tricks: object


def key() -> str:
    """Return the key that came along; raises `Unauthorized` without one."""
    scheme, _blank, sent = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not sent.strip():
        raise _unauthorized(_("Send a key of the table: “Authorization: Bearer <key>”."))
    return sent.strip()


def table() -> str:
    """Return the id of the table whose key came along; raises `Unauthorized` without one.

    Cookies are not looked at, so that no other site can act through somebody's browser.
    """
    table_id = table_of_key(database(), key())
    if table_id is None:
        rate_limits.wrong_key()
        raise _unauthorized(_("This key opens no table, or not any more."), error="invalid_token")
    if request.method not in ("GET", "HEAD"):
        rate_limits.change(table_id)
    return table_id


def label() -> str:
    """Return by which name the changes of this program are told: that of its key."""
    return label_of_key(database(), key()) or _("a program")


def version_seen() -> int:
    """Return the version in If-Match; raises `PreconditionRequired` where it is missing.

    A weak tag counts too: proxies that compress make one of every tag.
    """
    tag = request.headers.get("If-Match")
    if tag is None:
        raise PreconditionRequired(_("Send the ETag of the game that you saw in If-Match."))
    version = re.fullmatch(r'(?:W/)?"([0-9]{1,9})"', tag.strip(), re.ASCII)
    if version is None:
        raise BadRequest(
            _("If-Match must hold the ETag of the game: its version in quotation marks.")
        )
    return int(version[1])


def part() -> Part:
    """Return which part of a list the query asks for. Raises `BadRequest` for an unknown one."""
    query = request.args
    if unknown := [quoted(name) for name in query if name not in ("after", "limit")]:
        raise BadRequest(
            _("There is no parameter {name} here: “after” and “limit” are known.").format(
                name=unknown[0]
            )
        )
    if any(len(values) > 1 for _name, values in query.lists()):
        raise BadRequest(_("Send each parameter once."))
    limit = query.get("limit", str(PAGE))
    if not re.fullmatch("[1-9][0-9]{0,2}", limit, re.ASCII) or int(limit) > LARGEST_PAGE:
        raise BadRequest(
            _("“limit” must be a whole number from 1 to {most}.").format(most=LARGEST_PAGE)
        )
    return Part(int(limit), query.get("after"))


def request_key() -> str:
    """Return the key in Idempotency-Key; nothing without one. Raises `BadRequest` for no key."""
    sent = request.headers.get("Idempotency-Key")
    if sent is not None and not is_key(sent):
        sentence = _("Idempotency-Key holds 1 to {most} letters, digits or signs of ASCII.")
        raise BadRequest(sentence.format(most=LONGEST_KEY))
    return sent or ""


def new_game() -> NewGame:
    """Return the game a body describes; raises `Problem` where the rules do not allow it."""
    key = request_key()
    body = read_object(("rules", "players"), ("house_rules", "first_dealer", "stake"))
    dealer = body.get("first_dealer")
    game = NewGame(
        rules_key=text_of(body["rules"], "rules", LONGEST_WORD),
        typed=[
            text_of(n, "players", player_names.LONGEST) for n in list_of(body["players"], "players")
        ],
        dealer="" if dealer is None else str(number_of(dealer, "first_dealer")),
        stake=_stake(body.get("stake")),
        house=_house_rules(body.get("house_rules")),
        request_key=key,
    )
    if not game.check():
        errors = [_refused(field, sentence) for field, sentence in game.errors.items()]
        raise Problem(422, "refused", _("This game cannot be played so."), errors=errors)
    return game


def sent_round() -> Sent:
    """Return the bids and tricks in a body."""
    body = read_object(("bids", "tricks"))
    return Sent(body["bids"], body["tricks"])


def bids_of(sent: Sent, players: int) -> Bids:
    """Return a bid or None for each seat. Raises `BadRequest` for all else."""
    return tuple(_bid(bid) for bid in _for_each_seat(sent.bids, "bids", players))


def tricks_of(sent: Sent, players: int) -> tuple[int, ...] | None:
    """Return a trick count for each seat, or None. Raises `BadRequest` for all else."""
    if sent.tricks is None:
        return None
    counts = _for_each_seat(sent.tricks, "tricks", players)
    return tuple(number_of(count, "tricks") for count in counts)


def _unauthorized(sentence: str, **values: str | None) -> Unauthorized:
    return Unauthorized(sentence, www_authenticate=WWWAuthenticate("bearer", values or None))


def _house_rules(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRequest(_("“house_rules” must be an object of names and values."))
    refuse_unknown(value, list(HOUSE_RULES))
    return {name: _value(one) for name, one in value.items()}


def _value(value: object) -> str:
    if value is None or type(value) in (bool, int):
        return value_text(value)  # type: ignore[arg-type]  # just looked at
    text = text_of(value, "house_rules", LONGEST_WORD)
    if text != text.strip():
        raise BadRequest(_("The house rule {text} has blanks around it.").format(text=quoted(text)))
    return text


def _stake(value: object) -> str:
    if value is None or type(value) is int:
        return "" if value is None else str(value)
    return text_of(value, "stake", LONGEST_WORD)


def _refused(field: str, sentence: str) -> dict[str, object]:
    """Return one entry of the list of what is wrong; a player's name is the fault of a seat."""
    code, _dash, seat = field.partition("-")
    return {"seat": int(seat) if seat else None, "code": code, "detail": sentence}


def _for_each_seat(value: object, member: str, players: int) -> list[object]:
    cells = list_of(value, member)
    if len(cells) != players:
        raise BadRequest(
            _("“{member}” needs {players} entries, one for each seat, and has {n}.").format(
                member=member, players=players, n=len(cells)
            )
        )
    return cells


def _bid(value: object) -> Bid | None:
    if value is None or type(value) is int:
        return value
    if isinstance(value, str) and value in (Nil.NIL.value, Nil.BLIND.value):
        return Nil(value)
    raise BadRequest(_("A bid is a whole number, “nil”, “blind nil”, or null for not yet bid."))
