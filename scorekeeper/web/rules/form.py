"""House rules as fields of a form, and what is wrong with them."""

from collections.abc import Iterable, Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits
from scorekeeper.rules.effects import Effect, effects
from scorekeeper.rules.house_rules import Refusals, apply_house_rules, is_malformed
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, house_rules, value_text
from scorekeeper.web.http.form_fields import BLANKS, Form, TextField
from scorekeeper.web.text.rule_values import refusal_shown, value_names


class RuleValuesForm(Form):
    """Base class of forms with a text field for each house rule, see `rules/_fields.html`."""

    rendered_for = TextField()  # the key of the rule book that the fields were rendered for

    @property
    def blind_nil_kept(self) -> int | None:
        """What blind Nil is still worth where only Nil was changed; None elsewhere."""
        return None


for _name in HOUSE_RULES:
    setattr(RuleValuesForm, _name, TextField())


class HouseRulesForm(RuleValuesForm):
    """A rule book with house rules, whose fields show the values in use.

    `rules` can always be played, as it leaves out values that are refused. An empty field means the
    rule book's value; a missing field means that of `start`, or else the rule book's. Where the
    form was rendered for another rule book, its house rules are kept if they can be played by this
    one: `kept_from` is then the other rule book, and `left_out` says why some were dropped.
    """

    def __init__(
        self,
        formdata: "MultiDict[str, str] | None",
        preset: RuleSet,
        start: RuleSet | None = None,
        **data: str,
    ) -> None:
        values = house_rules(preset, start) if start else {}
        super().__init__(formdata, data=values, **data)
        self.preset = preset
        self.left_out: list[str] = []
        self.kept_from: RuleSet | None = None
        rendered_for = PRESETS.get(self.rendered_for.data, preset)
        typed = typed_values(self.data, HOUSE_RULES)
        changes = {n: text for n, text in typed.items() if _differs(rendered_for, n, text)}
        self.rules, refused = apply_house_rules(preset, changes)
        if start and not house_rules(start, self.rules):
            self.rules = start  # which may have a name of its own
        if rendered_for == preset:
            self._show_values(changes, errors_of(changes, refused))
        else:
            self.left_out = left_out(refused, preset)
            self.kept_from = rendered_for if self.values else None
            self._show_values({}, {})

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether the values can be played as typed, for the rule book chosen."""
        valid = bool(super().validate(extra_validators))
        return valid and not (self.left_out or self.kept_from)

    def _show_values(self, changes: Mapping[str, str], errors: Mapping[str, str]) -> None:
        """Fill the fields with the values in use, except those whose typed value is refused."""
        for name in HOUSE_RULES:
            field = self[name]
            if name in errors:
                field.errors = field.process_errors = [errors[name]]
            if name not in errors or name not in changes:
                value = getattr(self.rules, name)
                field.data = _("off") if value is None else value_text(value)

    @property
    def blind_nil_kept(self) -> int | None:
        """What blind Nil is still worth where only Nil was changed; None elsewhere."""
        kept = self.rules.blind_nil_points == self.preset.blind_nil_points
        is_alone = kept and self.rules.nil_points != self.preset.nil_points
        return self.rules.blind_nil_points if is_alone else None

    @property
    def values(self) -> dict[str, str]:
        """The values in which the rules differ from the rule book, as text."""
        return house_rules(self.preset, self.rules)

    @property
    def effects(self) -> dict[str, Effect | None]:
        """An example for each value that differs from the rule book; None if it has no effect."""
        return effects(self.preset, self.rules)


def typed_values(form: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the fields that are not empty, as text for `with_house_rules`.

    `off` is also taken in the language of the page, U+2212 as a minus sign, and the digits of
    Arabic and Hindi keyboards.
    """
    found = {}
    for name in names:
        text = form.get(name, "").strip(BLANKS)
        if text:
            is_off = text.casefold() in ("off", _("off").casefold())
            number = plain_digits(text).replace("\N{MINUS SIGN}", "-")
            found[name] = "off" if is_off else number
    return found


def read_values(text: str) -> dict[str, str]:
    """Parse house rules written as `name=value`, separated by `;`."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name: value for name, _equals, value in pairs}


def errors_of(changes: Mapping[str, str], refused: Refusals) -> dict[str, str]:
    """Return a message for each field; where any is malformed, for the malformed ones only."""
    malformed = [name for name in refused if is_malformed(name, changes[name])]
    return {refused[n].field: refusal_shown(refused[n]) for n in malformed or refused}


def left_out(refused: Refusals, preset: RuleSet) -> list[str]:
    """Return a message for each house rule of another rule book that this one cannot take."""
    sentence, labels = (
        _("“{value}” was dropped because it doesn’t work with {rules}: {why}"),
        value_names(),
    )
    return [
        sentence.format(value=labels.get(name, name), rules=preset.name, why=refusal_shown(why))
        for name, why in refused.items()
    ]


def _differs(rules: RuleSet, name: str, text: str) -> bool:
    value: object = HOUSE_RULES[name].read(text)
    return value != getattr(rules, name) or type(value) is not type(getattr(rules, name))
