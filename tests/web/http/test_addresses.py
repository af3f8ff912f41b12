"""Links are written as Werkzeug writes them, although what writes them is made late."""

from typing import Any

from flask import Flask
from werkzeug.routing import Rule


def test_every_address_is_written_as_by_a_plain_rule(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        plain = Rule(rule.rule, endpoint=rule.endpoint, defaults=rule.defaults)
        plain.bind(app.url_map, rebind=True)
        values: dict[str, Any] = dict.fromkeys(rule.arguments, 7)
        asked = {**values, "find": "Nil & ja", "page": 2}
        for more in (values, asked, asked):
            assert rule.build(more) == plain.build(more), rule
        assert rule.build(values, append_unknown=False) == plain.build(values, append_unknown=False)
