"""The films that come with Clockhead, as their storyboards stand; a worker reads each of them once.

A film that is read has computed all its shots, and many tests ask for it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from clockhead.libraries import BUILT_IN
from clockhead.look import DEFAULT_WISH, Wish
from clockhead.storyboard.films import Film, load_films

_IGNORED = (Path(__file__).parents[1] / ".gitignore").read_text(encoding="utf-8")
FILMS = sorted(re.findall(r"^!/storyboards/(\w+)\.yaml$", _IGNORED, re.MULTILINE))
"""The films that come with Clockhead; storyboards of one's own may lie beside theirs."""


@cache
def shipped(name: str, wish: Wish = DEFAULT_WISH) -> Film:
    """One of `FILMS`, perhaps in another language or look."""
    [film] = load_films([str(BUILT_IN.storyboards / f"{name}.yaml")], wish=wish)
    return film
