"""The commands, and where each is defined.

A new command is a click command in the module of its kind, and a line in `COMMANDS`.
"""

from __future__ import annotations

from typing import NamedTuple

COMPLETE_VARIABLE = "_CLOCKHEAD_COMPLETE"
"""The environment variable by which a shell asks click for completions."""


class CommandEntry(NamedTuple):
    """A command as `clockhead --help` lists it, without importing it."""

    module: str
    """The module in this package in which a function of the command's name is."""
    summary: str
    """The first line of its help."""


COMMANDS = {
    "render": CommandEntry("render", "Render films."),
    "export": CommandEntry("export", "Turn a film into slides, pages, handouts and tables."),
    "studio": CommandEntry("studio", "Edit a film in the browser, next to its stills."),
    "watch": CommandEntry("studio", "Show a film's stills in the browser while you edit it."),
    "check": CommandEntry("check", "Check films without rendering them."),
    "numbers": CommandEntry("check", "Print every number behind a film."),
    "films": CommandEntry("catalogue", "List the storyboards that can be rendered."),
    "stages": CommandEntry("catalogue", "List all stages, those of a film, or the inputs of one."),
    "new": CommandEntry("own", "Start a film or a stage of your own."),
    "trust": CommandEntry("own", "Allow the stages in a folder, which are programs, to run."),
    "schema": CommandEntry("catalogue", "Print the JSON Schema of storyboards, for editors."),
    "sheet": CommandEntry("render", "Draw contact sheets of films."),
    "clean": CommandEntry("upkeep", "Remove cached clips that no film uses."),
    "add": CommandEntry("upkeep", "Install packages that only some commands need."),
    "doctor": CommandEntry("upkeep", "Check the installation and say how to repair it."),
    "completion": CommandEntry("completion", "Print a script that enables shell completion."),
    "test": CommandEntry("upkeep", "Run Clockhead's own tests."),
}
