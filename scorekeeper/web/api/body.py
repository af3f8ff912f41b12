"""JSON bodies of requests, read strictly: whatever is not understood is an error."""

from collections.abc import Sequence
from typing import Any, TypeGuard

from flask import request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from scorekeeper.files.json import strict_json
from scorekeeper.files.json.strict_json import InvalidValue, parse, quoted
from scorekeeper.i18n import by_number, ngettext
from scorekeeper.i18n import gettext as _


def read_object(required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the JSON object in the body, which has every required member and no unknown one.

    Raises `BadRequest` for any other body, `UnsupportedMediaType` if it is not sent as JSON.
    """
    _require_json()
    try:
        value = parse(request.get_data(), "utf-8")
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
    if type(value) is not int:
        raise BadRequest(_("“{member}” must be a whole number.").format(member=member))
    return value


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
