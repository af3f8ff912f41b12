"""Blank copies of HTML pieces, which the phone's scripts fill.

A piece is a Jinja macro that takes one object with all of its values. Called with the values of a
game it is part of the server's page. Called with `Blank()` it is the content of a `<template>`:
each value is a placeholder then, `{name}` or `{name?text}` for a text that stands only where the
value is not empty. Lists of elements have `<template data-slot="name">` instead, and an element
that is left out where a value is empty has `data-if="name"`.
"""

import re
from typing import Any

from flask import Flask, current_app, request, url_for
from markupsafe import Markup, escape

VARIABLE = re.compile(r"<(?:[^:<>]+:)?(\w+)>")  # in the rule of a URL


class Blank:
    """A value that stands for any value: it is true and prints its name as a placeholder."""

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> "Blank":
        if name.startswith("_"):
            raise AttributeError(name)
        return Blank(name)

    def __html__(self) -> str:
        return f"{{{self._name}}}"

    __str__ = __html__


def optional(value: object) -> Markup:
    """Return the mark of an element that stands under `{% if value %}`; empty where not blank."""
    return Markup(' data-if="{}"').format(name_of(value)) if is_blank(value) else Markup()


def slot(value: Any) -> Any:
    """Return a value that holds elements; a blank one as a slot, which may stand in a table."""
    if not is_blank(value):
        return value
    return Markup('<template data-slot="{}"></template>').format(name_of(value))


def flag(value: object, text: str) -> Markup:
    """Return a text if the value is true."""
    if is_blank(value):
        return Markup("{{{}?{}}}").format(name_of(value), text)
    return escape(text if value else "")


def attribute(name: str, value: object, text: str | None = None) -> Markup:
    """Return an attribute if the value is true, with the value or `text` in it."""
    if not value:
        return Markup()
    shown = value if text is None else flag(value, text)
    return Markup(' {}="{}"').format(name, shown)


def link(endpoint: str, **values: Any) -> str:
    """Return a URL; where a value is blank, with the variables of its rule as placeholders."""
    if not any(map(is_blank, values.values())):
        return url_for(endpoint, **values)
    rule = next(current_app.url_map.iter_rules(endpoint)).rule
    return request.script_root + VARIABLE.sub(r"{\1}", rule)


def name_of(blank: object) -> str:
    """Return the name of a blank value."""
    return str(blank)[1:-1]


def is_blank(value: object) -> bool:
    """Return whether a value is one of a blank copy."""
    return isinstance(value, Blank)


def init_app(app: Flask) -> None:
    """Let templates write pieces."""
    app.jinja_env.tests["blank"] = is_blank
    app.jinja_env.globals.update(
        Blank=Blank, optional=optional, slot=slot, flag=flag, attribute=attribute, link=link
    )
