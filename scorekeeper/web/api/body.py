"""What a request holds, read strictly: what is not understood is refused, never dropped."""

from collections.abc import Sequence
from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from scorekeeper.files.json.strict_json import Wrong, parse
from scorekeeper.i18n import by_number, ngettext
from scorekeeper.i18n import gettext as _

SHOWN = 40  # characters of what was sent, in a sentence about it


def read_object(needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the members of the JSON object in the body, of which the needed ones are all there.

    Raises `BadRequest` for anything else, and `UnsupportedMediaType` where it is not called JSON.
    """
    _must_be_called_json()
    value = _parse(request.get_data())
    if not isinstance(value, dict):
        raise BadRequest(_("The body must be one JSON object."))
    refuse_unknown(value, [*needed, *optional])
    if missing := [name for name in needed if name not in value]:
        sentence = by_number("The body lacks {names}.", len(missing))
        raise BadRequest(sentence.format(names=_listed(missing)))
    return value


def refuse_unknown(value: dict[str, Any], known: Sequence[str]) -> None:
    """Raise `BadRequest` for members that are not known: a slip must not be dropped silently."""
    unknown = [quoted(name) for name in value if name not in known]
    if unknown:
        raise BadRequest(
            ngettext(
                "There is no member {names} here: {known} are known.",
                "There are no members {names} here: {known} are known.",
                len(unknown),
            ).format(names=", ".join(unknown[:5]), known=_listed(known))
        )


def expect_nothing() -> None:
    """Raise `BadRequest` where a body holds anything, though none is needed."""
    if request.get_data():
        read_object(())


def text_of(value: object, member: str, longest: int) -> str:
    """Return a text that is not blank. Raises `BadRequest` for all else."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        raise BadRequest(
            _("“{member}” must be a text of 1 to {n} characters, not blank.").format(
                member=member, n=longest
            )
        )
    return value


def number_of(value: object, member: str) -> int:
    """Return a whole number; true and false are none. Raises `BadRequest` for all else."""
    if type(value) is not int:
        raise BadRequest(_("“{member}” must be a whole number.").format(member=member))
    return value


def list_of(value: object, member: str) -> list[Any]:
    """Return a list. Raises `BadRequest` for all else."""
    if not isinstance(value, list):
        raise BadRequest(_("“{member}” must be a list.").format(member=member))
    return value


def quoted(text: str) -> str:
    """Return a text that was sent as a sentence may repeat it: short, without half characters."""
    short = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return f"“{short.encode('utf-8', 'replace').decode()}”"


def _must_be_called_json() -> None:
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    plain = request.headers.get("Content-Encoding", "identity").lower() == "identity"
    if request.mimetype != "application/json" or charset != "utf-8" or not plain:
        raise UnsupportedMediaType(
            _("Send the body as it is, with “Content-Type: application/json”, in UTF-8.")
        )


def _parse(data: bytes) -> Any:
    try:
        return parse(data, "utf-8")
    except Wrong as wrong:
        raise BadRequest(str(wrong)) from None


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names) or _("none")
