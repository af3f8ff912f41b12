"""Links that carry the values of some rules, so that any server can show them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from flask import request, url_for
from werkzeug.exceptions import BadRequest, UnprocessableEntity

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import (
    HOUSE_RULES,
    RuleSet,
    RulesRefused,
    house_rules,
    with_house_rules,
)
from scorekeeper.web.text.rule_values import refusal_shown

LONGEST = 1500  # bytes: every house rule at its longest, and a long name in any script


def link_to(rules: RuleSet) -> str:
    """Return the path of a link that carries these rules."""
    return url_for("own_rules.link", **to_query(rules))


def to_query(rules: RuleSet) -> dict[str, Any]:
    """Return the query of a link: the rule book, the values that differ from it, and the name."""
    preset = PRESETS[rules.key]
    name = {} if rules.name == preset.name else {"name": rules.name}
    return {"rules": rules.key, **house_rules(preset, rules), **name}


def rules_from_query() -> RuleSet:
    """Return the rules in the query of this request.

    Raises `BadRequest` for an unknown or repeated name, and `UnprocessableEntity` for values that
    cannot be played.
    """
    sent = _parse_query(request.args.lists())
    preset = PRESETS.get(sent.pop("rules", ""))
    if preset is None:
        raise UnprocessableEntity(_("This link is for rules that aren’t known here."))
    name = sent.pop("name", None)
    try:
        rules = with_house_rules(preset, sent)
        return rules if name is None else replace(rules, name=normalize_name(name))
    except RulesRefused as refused:
        why = refusal_shown(refused)
    except NameRefused as refused:
        why = str(refused)
    raise UnprocessableEntity(_("The rules in this link don’t work: {why}").format(why=why))


def _parse_query(sent: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    if len(request.query_string) > LONGEST:
        raise BadRequest(_("This link is too long to be a rules link."))
    found = {}
    for name, values in sent:
        if name not in ("rules", "name", *HOUSE_RULES):
            sentence = _(
                "This link contains “{text}”, which isn’t a known rule. Ask for the link again."
            )
            raise BadRequest(sentence.format(text=name[:20]))
        if len(values) > 1:
            sentence = _("This link contains “{text}” more than once. Ask for the link again.")
            raise BadRequest(sentence.format(text=name))
        found[name] = values[0]
    return found
