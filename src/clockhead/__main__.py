"""`python -m clockhead`, and `clockhead`: the command line."""

from __future__ import annotations

from typing import NoReturn

from clockhead.pipeline.interruption import end_at_once


def main() -> NoReturn:
    """Run the command that was typed; from here on Ctrl-C ends it with one line."""
    end_at_once()
    from clockhead.pipeline.cli import main

    main()


if __name__ == "__main__":
    main()
