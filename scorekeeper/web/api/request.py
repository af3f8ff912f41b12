"""Requests of programs as values of the rules and the store."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple, TypeGuard

from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, PreconditionRequired, Unauthorized, UnsupportedMediaType

from scorekeeper import free_text
from scorekeeper.clock import midnight_in
from scorekeeper.files import strict_json
from scorekeeper.files.round_json import read_round
from scorekeeper.files.strict_json import InvalidValue, parse, quoted
from scorekeeper.i18n import by_number, ngettext, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import zero_as_nil
from scorekeeper.rules.presets import DEFAULT, PRESETS, apply_house_rules
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, value_text
from scorekeeper.rules.value_kinds import Number, Sizes, Steps, Switch
from scorekeeper.rules.values import PACK
from scorekeeper.store.entry import MAX_KEY_LENGTH, is_key
from scorekeeper.store.history import END, Search
from scorekeeper.store.players import player_now, with_known_names
from scorekeeper.store.statistics import ALL, KINDS, Selection, Span
from scorekeeper.store.tables import label_of_join_key, table_of_join_key, zone_of_table
from scorekeeper.web.api.response import Problem
from scorekeeper.web.game.new_game_form import NewGame
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.requests import database
from scorekeeper.web.rules import errors_of


def read_object(required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the JSON object in the body, which has every required member and no unknown one.

    Raises `BadRequest` for any other body, `UnsupportedMediaType` if it is not sent as JSON.
    """
    _require_json()
    try:
        value = parse(request.get_data())
    except InvalidValue as wrong:
        raise BadRequest(str(wrong)) from None
    if not isinstance(value, dict):
        raise BadRequest(_("The body must be one JSON object."))
    refuse_unknown(value, [*required, *optional])
    if missing := [name for name in required if name not in value]:
        sentence = by_number("The body is missing {names}.", len(missing))
        raise BadRequest(sentence.format(names=_listed(missing)))
    return value


def refuse_unknown(value: dict[str, Any], known: Sequence[str]) -> None:
    """Raise `BadRequest` for unknown members, as a misspelt one would be ignored otherwise."""
    if unknown := [name for name in value if name not in known]:
        sentence = ngettext(
            "Unknown member {names}. Known members: {known}.",
            "Unknown members {names}. Known members: {known}.",
            len(unknown),
        )
        names = ", ".join(map(quoted, unknown[:5]))
        raise BadRequest(sentence.format(names=names, known=_listed(known)))


def expect_no_members() -> None:
    """Raise `BadRequest` unless the body is empty or an empty object."""
    if request.get_data():
        read_object(())


def is_text(value: object, longest: int) -> TypeGuard[str]:
    """Return whether a value is a text that is not blank, of at most `longest` characters."""
    return isinstance(value, str) and len(value) <= longest and bool(value.strip())


def text_of(value: object, member: str, longest: int) -> str:
    """Return a text that is not blank, of at most `longest` characters. Raises `BadRequest`."""
    if not is_text(value, longest):
        sentence = _("“{member}” must be a non-blank string of 1 to {n} characters.")
        raise BadRequest(sentence.format(member=member, n=longest))
    return value


def number_of(value: object, member: str) -> int:
    """Return a whole number; true and false are none. Raises `BadRequest`."""
    try:
        return strict_json.whole_number_of(value, member)
    except InvalidValue as wrong:
        raise BadRequest(str(wrong)) from None


def list_of(value: object, member: str, most: int) -> list[Any]:
    """Return a list of at most `most` entries. Raises `BadRequest`."""
    try:
        return strict_json.list_of(value, member, most)
    except InvalidValue as wrong:
        raise BadRequest(str(wrong)) from None


def _require_json() -> None:
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    plain = request.headers.get("Content-Encoding", "identity").lower() == "identity"
    if request.mimetype != "application/json" or charset != "utf-8" or not plain:
        sentence = _("Send the body uncompressed as UTF-8 with “Content-Type: application/json”.")
        raise UnsupportedMediaType(sentence)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names) or _("none")


MAX_VALUE_LENGTH = 40  # characters of a rule book's key, a house rule or a stake
DEFAULT_LIMIT, LARGEST_LIMIT = 20, 100  # games
FILE_TYPES = ("text/csv", "application/json", "application/octet-stream")


class ChangeRequest(NamedTuple):
    """A change to one version of a game of a table, by the program whose key has the label."""

    table_id: str
    version: int
    label: str


def bearer_token() -> str:
    """Return the key in the Authorization header. Raises `Unauthorized` without one."""
    scheme, _blank, sent = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not sent.strip():
        raise _unauthorized(_("Send a table key: “Authorization: Bearer <key>”."))
    return sent.strip()


def table_id() -> str:
    """Return the id of the table that the key belongs to, and count a change against its limit.

    Cookies are ignored, so that no other site can act through a visitor's browser.
    Raises `Unauthorized` without a valid key, `TooManyRequests` over the limit.
    """
    table = table_of_join_key(database(), bearer_token())
    if table is None:
        rate_limits.wrong_key()
        raise _unauthorized(_("This key isn’t valid or has been removed."), error="invalid_token")
    if request.method not in ("GET", "HEAD"):
        rate_limits.change(table)
    return table


def key_label() -> str:
    """Return the label of the key, by which the journal names this program."""
    return label_of_join_key(database(), bearer_token()) or _("API")


def change() -> ChangeRequest:
    """Return the table, version and label of a change. Raises as each of them does."""
    return ChangeRequest(table_id(), expected_version(), key_label())


def expected_version() -> int:
    """Return the version of the game or of the rules in If-Match.

    A weak ETag is accepted too, as proxies that compress weaken every ETag.
    Raises `PreconditionRequired` without the header, `BadRequest` if it holds no version.
    """
    tag = request.headers.get("If-Match")
    if tag is None:
        raise PreconditionRequired(_("Send the ETag in If-Match."))
    version = re.fullmatch(r'(?:W/)?"([0-9]{1,9})"', tag.strip(), re.ASCII)
    if version is None:
        sentence = _("If-Match must be an ETag: a version in quotation marks.")
        raise BadRequest(sentence)
    return int(version[1])


def query(known: Sequence[str]) -> dict[str, str]:
    """Return the parameters of the query. Raises `BadRequest` for an unknown or repeated one."""
    if unknown := [quoted(name) for name in request.args if name not in known]:
        sentence = _("Unknown parameter {name}. Known parameters: {known}.")
        raise BadRequest(sentence.format(name=unknown[0], known=_listed(known)))
    if any(len(values) > 1 for _name, values in request.args.lists()):
        raise BadRequest(_("Send each parameter only once."))
    return request.args.to_dict()


SELECTION = ("since", "until", "player", "rules")  # parameters that choose games


def list_query() -> tuple[int, str | None, Search]:
    """Return how many games to list, the id of the game they come after, and which are wanted.

    Raises `BadRequest` for a query that is malformed.
    """
    sent = query(("after", "limit", *SELECTION))
    limit = sent.get("limit", str(DEFAULT_LIMIT))
    if not re.fullmatch("[1-9][0-9]{0,2}", limit, re.ASCII) or int(limit) > LARGEST_LIMIT:
        sentence = _("“limit” must be a whole number from 1 to {most}.")
        raise BadRequest(sentence.format(most=LARGEST_LIMIT))
    return int(limit), sent.get("after"), selection(sent)


def selection(sent: Mapping[str, str]) -> Search:
    """Return the search for the games that a query chooses. Raises `BadRequest`.

    Nobody has played games of an unknown player.
    """
    rules = sent.get("rules", "")
    if "rules" in sent and rules not in PRESETS:
        raise BadRequest(_("“rules” must be the key of a rule book."))
    since, until = days(sent)
    return Search(_players(sent), None, rules, since, until)


COUNTED = ("since", "until", "rules", "sides")  # parameters that choose what is counted


def counted(sent: Mapping[str, str]) -> Selection:
    """Return which games a query counts. Raises `BadRequest`."""
    rules, sides = sent.get("rules", ALL), sent.get("sides", "")
    if rules not in (ALL, *KINDS, *PRESETS):
        raise BadRequest(_("“rules” must be “all”, “alone”, “partners” or the key of a rule book."))
    if "sides" in sent and not player_id(sides):
        raise BadRequest(_("“{member}” must be a whole number.").format(member="sides"))
    return Selection(rules, player_id(sides) if sides else None, Span(*days(sent)))


def days(sent: Mapping[str, str]) -> tuple[str, str]:
    """Return when the day “since” begins in the time zone of the table, and when “until” is over.

    Raises `BadRequest` for a text that is no day.
    """
    since, until = (_day(sent, name) for name in ("since", "until"))
    return _midnight(since) if since else "", _midnight(until, 1) if until else END


def player_id(text: str) -> int:
    """Return the id of a player; 0, which nobody has, for a text that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _players(sent: Mapping[str, str]) -> tuple[list[int], ...]:
    if "player" not in sent:
        return ()
    if not (number := player_id(sent["player"])):
        raise BadRequest(_("“{member}” must be a whole number.").format(member="player"))
    return ([player_now(database(), table_id(), number)],)


def _day(sent: Mapping[str, str], name: str) -> date | None:
    try:
        return date.fromisoformat(sent[name]) if name in sent else None
    except ValueError:
        sentence = _("“{name}” must be a day such as 2026-01-31.")
        raise BadRequest(sentence.format(name=name)) from None


def _midnight(day: date, later: int = 0) -> str:
    """Return when a day, or one some days later, begins at the table."""
    return midnight_in(zone_of_table(database(), table_id()), day, later)


def idempotency_key() -> str:
    """Return Idempotency-Key, empty without one. Raises `BadRequest` if it is malformed."""
    sent = request.headers.get("Idempotency-Key")
    if sent is not None and not is_key(sent):
        sentence = _("Idempotency-Key must be 1 to {most} printable ASCII characters.")
        raise BadRequest(sentence.format(most=MAX_KEY_LENGTH))
    return sent or ""


def new_game() -> NewGame:
    """Return the game to start. Raises `BadRequest`, or `Problem` if the rules do not allow it."""
    key = idempotency_key()
    body = read_object(("rules", "players"), ("house_rules", "first_dealer", "stake"))
    players = list_of(body["players"], "players", PACK)
    dealer = body.get("first_dealer")
    game = NewGame(
        rules_key=text_of(body["rules"], "rules", MAX_VALUE_LENGTH),
        seat_names=[_name(seat, n) for seat, n in enumerate(players, 1)],
        dealer="" if dealer is None else str(number_of(dealer, "first_dealer")),
        stake=_stake(body.get("stake")),
        house=_house_rules(body.get("house_rules")),
        request_key=key,
    )
    if not game.check():
        errors = [_error(field, sentence) for field, sentence in game.errors.items()]
        raise Problem(422, "refused", _("These settings don’t work for a game."), errors=errors)
    return game


def rules_to_save() -> RuleSet:
    """Return the named rules in the body. Raises `BadRequest`, or `Problem` for refused values."""
    body = read_object(("name", "rules"), ("house_rules",))
    name = text_of(body["name"], "name", free_text.LONGEST)
    preset = PRESETS.get(text_of(body["rules"], "rules", MAX_VALUE_LENGTH))
    if preset is None:
        raise refused("rules", _("Unknown rules. Choose from the list."))
    changes = _house_rules(body.get("house_rules"))
    rules, refusals = apply_house_rules(preset, changes)
    if refusals:
        errors = [_error(field, why) for field, why in errors_of(changes, refusals).items()]
        raise Problem(422, "refused", _("These settings don’t work for a game."), errors=errors)
    try:
        return replace(rules, name=free_text.normalize_name(name))
    except free_text.NameRefused as wrong:
        raise refused("name", str(wrong)) from None


def refused(code: str, *sentences: str) -> Problem:
    """Return the problem of a request with these errors, none of them about a seat: 422."""
    errors = [{"seat": None, "code": code, "detail": one} for one in sentences]
    return Problem(422, "refused", sentences[0], errors=errors)


def file_to_import() -> tuple[bytes, str]:
    """Return the file in the body, and the rule book of games that name none."""
    key = query(("rules",)).get("rules", DEFAULT.key)
    if key not in PRESETS:
        raise BadRequest(_("“rules” must be the key of a rule book."))
    plain = request.headers.get("Content-Encoding", "identity").lower() == "identity"
    if request.mimetype not in FILE_TYPES or not plain:
        sentence = _(
            "Send the file uncompressed with “Content-Type: text/csv” or “application/json”."
        )
        raise UnsupportedMediaType(sentence)
    return request.get_data(), key


def round_of(body: dict[str, Any], rules: RuleSet, before: Round, table: str) -> Round:
    """Return the round in a body, of which bids and tricks may be None. Raises `BadRequest`.

    Notes that the body does not name stay as they were `before`. Players of the `table` are found
    by name.
    """
    try:
        sent = read_round(body, len(before.bids), before.notes)
    except InvalidValue as wrong:
        raise BadRequest(str(wrong)) from None
    sent = with_known_names(database(), table, sent)
    return sent._replace(bids=tuple(zero_as_nil(rules, bid) for bid in sent.bids))


def _unauthorized(sentence: str, **values: str | None) -> Unauthorized:
    return Unauthorized(sentence, www_authenticate=WWWAuthenticate("bearer", values or None))


def _name(seat: int, value: object) -> str:
    if not is_text(value, free_text.LONGEST):
        sentence = _("Seat {seat} in “players” must be a name of 1 to {n} characters.")
        raise BadRequest(sentence.format(seat=seat, n=free_text.LONGEST))
    return value


def _house_rules(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRequest(_("“house_rules” must be an object of names and values."))
    refuse_unknown(value, list(HOUSE_RULES))
    return {name: _rule_text(name, one) for name, one in value.items()}


def _rule_text(name: str, value: object) -> str:
    kind = HOUSE_RULES[name]
    if value is None or type(value) in (bool, int):
        return value_text(value)  # type: ignore[arg-type]  # checked above
    if isinstance(kind, Sizes):
        numbers = tuple(number_of(one, name) for one in list_of(value, name, kind.high))
        return value_text(numbers)
    longest = kind.most if isinstance(kind, Steps) else MAX_VALUE_LENGTH
    if isinstance(kind, Number | Switch) or not is_text(value, longest):
        raise BadRequest(translate(kind.expects(f"“{name}”")))
    if value != value.strip():
        raise BadRequest(_("House rule {text} has spaces around it.").format(text=quoted(value)))
    return value


def _stake(value: object) -> str:
    if value is None or type(value) is int:
        return "" if value is None else str(value)
    return text_of(value, "stake", MAX_VALUE_LENGTH)


def _error(field: str, sentence: str) -> dict[str, object]:
    """Return an entry of “errors” for a field of the form, such as “rules” or “player-2”."""
    code, _dash, seat = field.partition("-")
    code = "players" if code == "seats" else code
    return {"seat": int(seat) if seat else None, "code": code, "detail": sentence}
