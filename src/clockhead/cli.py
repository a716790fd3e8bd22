"""The command line.

All commands are listed here. Their modules import what a command needs when it is called.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

import click

from clockhead.commands import catalogue, check, completion, export, own, render, studio, upkeep
from clockhead.interruption import INTERRUPTED, ExitRequested
from clockhead.libraries import show_notices_with
from clockhead.places import NAME, clockhead_command
from clockhead.storyboard.problems import LONGEST_MESSAGE, Place, Problems, sanitize, unknown_name


class CommandGroup(click.Group):
    """Lists commands in the order in which they were added, and knows what was meant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            ctx.fail(unknown_name("command", name, self.commands))
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from clockhead.release import version

    try:
        click.echo(f"clockhead {version()}")
    except ImportError:
        raise click.ClickException("this copy is neither a checkout nor installed") from None
    ctx.exit()


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Explainer films of hand-built transformers: a storyboard in, a film out."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (
    render.render,
    export.export,
    studio.studio,
    studio.watch,
    check.check,
    check.numbers,
    catalogue.films,
    catalogue.stages,
    own.new,
    own.trust,
    catalogue.schema,
    render.sheet,
    upkeep.clean,
    upkeep.add,
    upkeep.doctor,
    completion.completion,
    upkeep.test,
):
    _command.short_help = (_command.help or "").partition("\n")[0]  # never cut
    cli.add_command(_command)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command. Exits 0 when done, 1 if a film failed, 2 if the command was wrong."""
    code = _run(args)
    for stream in (sys.stdout, sys.stderr):
        _discard_output(stream)
    sys.exit(code)


def _run(args: Sequence[str] | None) -> int:
    if not _folder_exists():
        _say("the current folder does not exist any more; cd to another one")
        return 1
    if sys.flags.optimize > 1:
        _say("Python's -OO (PYTHONOPTIMIZE=2) removes the descriptions of facts; run without it")
        return 1
    program = clockhead_command()
    if completion.COMPLETE_VARIABLE in os.environ:
        program = NAME  # the name in the completion script, wherever the program is
    else:
        show_notices_with(_warn)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as Python does for standard error
    try:
        outcome = cli.main(
            args,
            prog_name=program,
            complete_var=completion.COMPLETE_VARIABLE,
            standalone_mode=False,
        )
    except ExitRequested as request:
        if request.code == INTERRUPTED:
            _say("interrupted")
        return int(str(request.code))
    except click.Abort:
        _say("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except Exception as error:
        return _report(error)
    return outcome if isinstance(outcome, int) else 0


def _folder_exists() -> bool:
    try:
        return Path.cwd().is_dir()
    except OSError:
        return False


def _report(error: Exception) -> int:
    """Print an error of a film, the installation or the machine; raise any other again."""
    if isinstance(error, ImportError) and not (error.name or NAME).startswith(NAME):
        _say(f"{error}; to see what is missing: {clockhead_command('doctor')}")
        return 1
    if isinstance(error, Warning):
        _say(
            "Python was asked to stop at warnings (-W or PYTHONWARNINGS), and a library "
            f"warns: {error}"
        )
        return 1
    if isinstance(error, OSError):
        _say(_os_error_message(error))
        return 1
    if not isinstance(error, Problems):
        raise error
    _say(str(error))
    return error.exit_code


def _say(line: str) -> None:
    """Print a line for people, if there is anywhere to print it."""
    with suppress(OSError):
        click.echo(line, err=True)


def _warn(message: str) -> None:
    """Print a warning, which may contain names of untrusted files."""
    _say(f"warning: {sanitize(message, LONGEST_MESSAGE)}")


def _os_error_message(error: OSError) -> str:
    """The message for an error of the operating system."""
    reason = error.strerror or str(error)
    if _is_of_output(error):
        return f"the output cannot be written: {reason}"
    if error.filename is None:
        return reason
    return f"{Place(os.fsdecode(error.filename))}{reason}"


def _is_of_output(error: OSError) -> bool:
    """Whether an error happened while printing."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is click.echo.__code__


def _discard_output(stream: TextIO | None) -> None:
    """Discard output that cannot be written, so that Python does not try again when it exits."""
    try:
        if stream is not None:
            stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())  # type: ignore[union-attr]
        os.close(null)
