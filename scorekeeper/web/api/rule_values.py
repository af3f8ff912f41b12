"""The shapes of the rules: every value of a game, and those sent to be changed."""

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.ruleset import HOUSE_RULES, Kind, Number, Switch, Word
from scorekeeper.web.api.schema_helpers import (
    NUMBER,
    TEXT,
    Schema,
    list_of,
    number_in,
    or_null,
    strict,
    whole,
)
from scorekeeper.web.text.rule_values import value_names


def changed() -> Schema:
    """Return the shape of values that replace those of a rule book."""
    shapes = {name: _sent_value(kind) for name, kind in HOUSE_RULES.items()}
    for name, meaning in value_names().items():
        shapes[name]["description"] = meaning
    return strict(shapes, needed=[])


def complete() -> Schema:
    """Return the shape of all the rules of a game."""
    values: dict[str, Schema] = {}
    for name, kind in HOUSE_RULES.items():
        if isinstance(kind, Number):
            values[name] = or_null(number_in(kind)) if kind.off else number_in(kind)
        elif isinstance(kind, Word):
            values[name] = {"type": "string", "enum": list(kind.words)}
        else:
            values[name] = {"type": "boolean"}
        values[name]["description"] = value_names()[name]
    return whole(
        {
            "key": TEXT,
            "name": TEXT,
            "players": {**list_of(NUMBER), "description": _("How many can play.")},
            "partnerships": {"type": "boolean"},
            **values,
        }
    )


def _sent_value(kind: Kind) -> Schema:
    if isinstance(kind, Word):
        return {"type": "string", "enum": list(kind.words)}
    if isinstance(kind, Switch):
        return {"anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["yes", "no"]}]}
    text = {"type": "string", "pattern": "^(off|-?[0-9]{1,8})$"}
    nothing = [{"type": "null"}] if kind.off else []
    return {"anyOf": [number_in(kind), text, *nothing]}
