"""Routing rules that all servers of a test session share."""

from typing import Any

from werkzeug.routing import Map, Rule

_rules: dict[object, "SharedRule"] = {}


class SharedRule(Rule):
    """A rule that stays as it was compiled for its first server.

    To compile the rules takes three quarters of the start of a server, and each test has one.
    """

    def bind(self, map: Map, rebind: bool = False) -> None:  # noqa: A002  # as werkzeug names it
        if self.map is None:
            super().bind(map, rebind)


def shared_rule(path: str, *, methods: set[str], **options: Any) -> SharedRule:
    """Return the rule of a path and its options, the same each time."""
    key = (path, frozenset(methods), repr(sorted(options.items())))
    if key not in _rules:
        _rules[key] = SharedRule(path, methods=methods, **options)
    return _rules[key]
