"""Types of the arguments and options of commands: what does not fit them is a usage error."""

import re
from typing import Any

import click

from scorekeeper.i18n import gettext as _

A_PORT = click.IntRange(1, 65535)


class NamedPath(click.Path):
    """A path, which may not exist. An empty one is refused: `Path` takes it as the current folder.

    Each command says itself what it cannot read.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; an empty one is a usage error."""
        if not value:
            self.fail(_("the name is empty"), param, ctx)
        return super().convert(value, param, ctx)


class Word(click.ParamType[str, str]):
    """A text that matches a pattern; `what` says in English what that is."""

    def __init__(self, name: str, pattern: str, what: str) -> None:
        self.name, self._pattern, self._what = name, pattern, what

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; another one is a usage error."""
        if not re.fullmatch(self._pattern, value):
            self.fail(f"{value!r} isn’t {self._what}", param, ctx)
        return value


class HostAndPort(Word):
    """A text that matches a pattern and ends in a port."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; another one is a usage error."""
        super().convert(value, param, ctx)
        A_PORT(value.rpartition(":")[2], param, ctx)
        return value


def parse_port(text: str) -> int:
    """Return the number of a port; 0 lets the system choose one."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise click.BadParameter(_("{text} isn’t a port from 0 to 65535").format(text=text))
    return int(text)


def parse_house_rule(text: str) -> tuple[str, str]:
    """Return the name and the value of `name=value`."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise click.BadParameter(_("{text} isn’t of the form name=value").format(text=text))
    return name, value
