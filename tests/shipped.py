"""The films that come with Clockhead, as their storyboards stand; a worker reads each of them once.

A film that is read has computed all its shots, and many tests ask for it.
"""

from __future__ import annotations

from functools import cache

from clockhead.libraries import BUILT_IN
from clockhead.pipeline.look import USUAL, Wish
from clockhead.pipeline.storyboard.films import Film, load_films

FILMS = sorted(path.stem for path in BUILT_IN.storyboards.glob("*.yaml"))


@cache
def shipped(name: str, wish: Wish = USUAL) -> Film:
    """One of `FILMS`, perhaps in another language or look."""
    [film] = load_films([str(BUILT_IN.storyboards / f"{name}.yaml")], wish=wish)
    return film
