"""What goes wrong, as one kind of exception that says it in a sentence, without a traceback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


class ClockheadError(Exception):
    """Something that was asked for cannot be had; the message says what, and what can."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


def plainly(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """A function that raises a `ClockheadError` for a mistake in what it was asked."""

    @wraps(function)
    def told(*args: Given.args, **options: Given.kwargs) -> Made:
        from clockhead.clips.jobs import CrewError
        from clockhead.storyboard.problems import Problems

        try:
            return function(*args, **options)
        except (Problems, CrewError, OSError) as error:
            raise ClockheadError(str(error)) from None

    return told
