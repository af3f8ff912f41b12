"""House rules as they stand in the fields of a page, and what is wrong with them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.house_rules import Refusals, fit, is_malformed
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.rule_effects import effects
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, house_rules, value_text
from scorekeeper.rules.sample_hands import Effect
from scorekeeper.web.http.form_fields import BLANKS
from scorekeeper.web.text.rule_values import refusal_shown, value_names


@dataclass
class HouseRules:
    """The values of a rule book as typed into `rules/_fields.html`.

    `rules` can always be played: what is refused was left out of it. `errors` are sentences under
    the name of the field they stand beside; `left_out` are those about values that came along from
    another rule book and make no sense in this one, and `kept_from` is that book where some do.
    """

    preset: RuleSet
    rules: RuleSet
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    kept_from: RuleSet | None = None

    @classmethod
    def of(cls, rules: RuleSet) -> "HouseRules":
        """Return the fields filled with rules that are played."""
        return cls(PRESETS[rules.key], rules)

    @classmethod
    def from_form(
        cls, form: Mapping[str, str], preset: RuleSet, start: RuleSet | None = None
    ) -> "HouseRules":
        """Return what a form says, checked.

        An empty field is the rule book's value. A field that is missing is that of `start`, or the
        rule book's. Where the field `drawn_for` names another rule book, the fields were drawn for
        that one: its own values go, its house rules stay if they can be played here.
        """
        drawn_for = PRESETS.get(form.get("drawn_for", ""), preset)
        begun = house_rules(preset, start) if start and drawn_for == preset else {}
        typed = typed_values(form, HOUSE_RULES)
        said = {name: text for name, text in typed.items() if _differs(drawn_for, name, text)}
        changes = {n: text for n, text in begun.items() if n not in form} | said
        rules, refused = fit(preset, changes)
        if start and not house_rules(start, rules):
            rules = start  # which may have a name of its own
        if drawn_for != preset:
            kept_from = drawn_for if house_rules(preset, rules) else None
            return cls(preset, rules, left_out=left_out(refused, preset), kept_from=kept_from)
        return cls(preset, rules, {**changes, **_raw(form, refused)}, errors_of(changes, refused))

    @property
    def values(self) -> dict[str, str]:
        """The values in which the rules differ from the rule book, as text."""
        return house_rules(self.preset, self.rules)

    @property
    def meanings(self) -> dict[str, Effect | None]:
        """What each value means that differs from the rule book; None where that is nothing."""
        return effects(self.preset, self.rules)

    def text(self, name: str) -> str:
        """Return what stands in a field."""
        if name in self.errors and name in self.typed:
            return self.typed[name]
        return value_typed(getattr(self.rules, name))


def typed_values(form: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the fields in which something was typed, as text for `with_house_rules`.

    A value can be switched off in the reader's own language, and a minus be a real one.
    """
    found = {}
    for name in names:
        text = form.get(name, "").strip(BLANKS)
        if text:
            is_off = text.casefold() in ("off", _("off").casefold())
            found[name] = "off" if is_off else text.replace("\N{MINUS SIGN}", "-")
    return found


def read_values(text: str) -> dict[str, str]:
    """Return house rules that one hidden field carries, as `name=value` with `;` between."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name: value for name, _equals, value in pairs}


def value_typed(value: int | str | bool | None) -> str:
    """Return a rule value as it stands in a field or is chosen there."""
    return _("off") if value is None else value_text(value)


def errors_of(changes: Mapping[str, str], refused: Refusals) -> dict[str, str]:
    """Return a sentence for each field; as long as one is malformed, for such fields alone."""
    malformed = [name for name in refused if is_malformed(name, changes[name])]
    return {refused[n].field: refusal_shown(refused[n]) for n in malformed or refused}


def left_out(refused: Refusals, preset: RuleSet) -> list[str]:
    """Return why house rules of another book are not taken along."""
    return [_left_out(name, why, preset) for name, why in refused.items()]


def _left_out(name: str, why: RulesRefused, preset: RuleSet) -> str:
    return _("“{value}” was left out, as it does not fit {rules}: {why}").format(
        value=value_names().get(name, name), rules=preset.name, why=refusal_shown(why)
    )


def _raw(form: Mapping[str, str], refused: Refusals) -> dict[str, str]:
    """Return what is refused exactly as it was typed, to be shown again."""
    return {name: form.get(name, "") for name in refused}


def _differs(rules: RuleSet, name: str, text: str) -> bool:
    value: object = HOUSE_RULES[name].read(text)
    return value != getattr(rules, name) or type(value) is not type(getattr(rules, name))
