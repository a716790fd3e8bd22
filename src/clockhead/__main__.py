"""`python -m clockhead`, and `clockhead`: the command line."""

from __future__ import annotations

import atexit
import gc
import os
from typing import NoReturn

from clockhead.pipeline.interruption import end_at_once
from clockhead.pipeline.threads import one_thread


def main() -> NoReturn:
    """Run the command that was typed; from here on Ctrl-C ends it with one line."""
    end_at_once()
    atexit.register(gc.freeze)  # else Python looks through all of Manim for what it may free
    os.environ.update(one_thread())
    from clockhead.pipeline.cli import main

    main()


if __name__ == "__main__":
    main()
