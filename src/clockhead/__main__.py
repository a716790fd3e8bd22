"""The command line: `clockhead` and `python -m clockhead`."""

from __future__ import annotations

import atexit
import gc
import os
from typing import NoReturn

from clockhead.interruption import exit_on_interrupt
from clockhead.startup import isolate_manim, thread_limits


def main() -> NoReturn:
    """Run the command; from here on Ctrl-C ends it with one line."""
    _open_streams()
    exit_on_interrupt()
    atexit.register(gc.freeze)  # else Python searches all of Manim for garbage at exit
    os.environ.update(thread_limits())
    isolate_manim()
    from clockhead.cli import main

    main()


def _open_streams() -> None:
    """Open /dev/null for standard streams that are closed.

    Otherwise the next file or pipe would get their numbers, and whatever a library prints.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


if __name__ == "__main__":
    main()
