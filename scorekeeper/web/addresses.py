"""What each address is written with, made only once a page has such a link."""

from collections.abc import Callable
from functools import cache
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


class Address(Rule):
    """The address of a page.

    Werkzeug compiles two functions for each at the start, a twelfth of the time it takes; few of
    them are called in an evening.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        compiled: Callable[[bool], Builder] = cache(super()._compile_builder)

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build
