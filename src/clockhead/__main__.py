"""`python -m clockhead`, and `clockhead`: the command line."""

from __future__ import annotations

import atexit
import gc
import os
from typing import NoReturn

from clockhead.interruption import end_at_once
from clockhead.threads import one_thread


def main() -> NoReturn:
    """Run the command that was typed; from here on Ctrl-C ends it with one line."""
    _open_streams()
    end_at_once()
    atexit.register(gc.freeze)  # else Python looks through all of Manim for what it may free
    os.environ.update(one_thread())
    from clockhead.cli import main

    main()


def _open_streams() -> None:
    """Open /dev/null in place of standard streams that are closed.

    Else the next file or pipe that is opened would take their numbers, and what a library prints
    would go there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


if __name__ == "__main__":
    main()
