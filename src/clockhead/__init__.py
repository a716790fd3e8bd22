"""Clockhead: explainer films of transformers that people built by hand.

In notebooks: `clockhead.film("rope")`, `clockhead.stage("rope.matrix", m=7)` and
`clockhead.sliders("rope.matrix")`. Mistakes raise a `clockhead.ClockheadError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clockhead.notebook import ClockheadError, NotebookFilm, NotebookShot, film, sliders, stage

__all__ = ["ClockheadError", "NotebookFilm", "NotebookShot", "film", "sliders", "stage"]


def __getattr__(name: str) -> Any:
    """Import the notebook functions when they are used: commands do without them."""
    if name in __all__:
        return getattr(import_module("clockhead.notebook"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
