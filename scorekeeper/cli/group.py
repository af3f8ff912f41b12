"""The group of all commands: which one runs by default, and the exit status."""

import sys
from typing import Any

import click
from click_default_group import DefaultGroup


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
