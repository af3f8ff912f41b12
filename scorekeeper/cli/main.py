"""Entry point of the `scorekeeper` command."""

from collections.abc import Sequence

import click

from scorekeeper import i18n


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    i18n.set_language(i18n.terminal_language())
    # Imported late: help texts are translated as the module is read.
    from scorekeeper.cli.commands import scorekeeper
    from scorekeeper.cli.output import checked_output

    try:
        with checked_output():
            status: int = scorekeeper.main(argv, "scorekeeper", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:  # Ctrl-C
        return 130
    return status
