"""Functions that write addresses, each compiled only when the first such link is written."""

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule


class Address(Rule):
    """The address of a page.

    Werkzeug compiles two functions for each rule, a twelfth of what the start takes; few of them
    are called in an evening.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        return _first_with_query if append_unknown else _first


def _first(rule: Rule, /, **values: Any) -> tuple[str, str]:
    rule._build = Rule._compile_builder(rule, False).__get__(rule)
    return rule._build(**values)


def _first_with_query(rule: Rule, /, **values: Any) -> tuple[str, str]:
    rule._build_unknown = Rule._compile_builder(rule, True).__get__(rule)
    return rule._build_unknown(**values)
