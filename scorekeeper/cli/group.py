"""The group of all commands, and the types of their arguments."""

import re
import sys
from datetime import datetime
from typing import Any

import click
from click_default_group import DefaultGroup

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


class Day(click.ParamType[datetime, str]):
    """A day of the calendar, such as 2026-01-31; the value is its first moment."""

    name = "date"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the day; another text is a usage error."""
        if isinstance(value, datetime):
            return value
        try:
            return datetime.strptime(value.strip(), "%Y-%m-%d")
        except ValueError:
            sentence = _("{text} isn’t a day such as 2026-01-31")
            self.fail(sentence.format(text=repr(value)), param, ctx)


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


class Commands(DefaultGroup, click.Group):  # type: ignore[misc]  # click_default_group is untyped
    """The group of all commands, of which `serve` runs where none is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before a command's name; shell completion then offers the names."""
        parse = click.Group.parse_args if ctx.resilient_parsing else DefaultGroup.parse_args
        rest: list[str] = parse(self, ctx, args)
        return rest

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command by its name; `serve` for an option, None for a mistyped name."""
        if name not in self.commands and not name.startswith("-"):
            return None
        command: click.Command | None = super().get_command(ctx, name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, write out what it printed, and return its exit status."""
        status = super().invoke(ctx)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status or 0
