"""From a film that is understood to files: what is missing is rendered, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.notebook.errors import ClockheadError

if TYPE_CHECKING:
    from clockhead.production.progress import ShotProgress
    from clockhead.storyboard.films import Film

_AFTER_AN_EDIT = "run it again", "restart the kernel and run it again"
"""What a command needs after an edit of a stage, and what a notebook does."""


def render(film: Film, media: Path, *, whole: bool) -> Path:
    """The film as an MP4, its captions and poster beside it; not `whole`, the clip of its shot.

    Raises:
        ClockheadError: when what it says does not hold, or a shot cannot be drawn.
    """
    from clockhead.production.order import Order
    from clockhead.production.production import produce

    refuse(film)
    order = Order(media, whole=whole)
    with _progress(film.name) as progress:
        [product] = produce([film], order, progress)
    if not product.files:
        told = "\n".join(f"{film.name}: {problem}" for problem in product.problems)
        raise ClockheadError(told.replace(*_AFTER_AN_EDIT))
    return product.files[0]


def refuse(film: Film) -> None:
    """Refuse a film whose claims do not hold.

    Raises:
        ClockheadError: with all that does not.
    """
    if film.failures:
        raise ClockheadError("\n".join(problems_of(film)))


def problems_of(film: Film) -> list[str]:
    """What the film says and what does not hold, each in a sentence."""
    return [str(failure) for failure in film.failures]


def _progress(name: str) -> ShotProgress:
    from clockhead.production.progress import ShotProgress

    display = _display()
    if display is None:
        return ShotProgress()

    class Line(ShotProgress):
        """One line of the notebook that says how far it is, and goes when all is done."""

        _handle: Any = None

        def say(self, line: str) -> None:
            if self._handle is None:
                self._handle = display({"text/plain": line}, raw=True, display_id=True)
            else:
                self._handle.update({"text/plain": line}, raw=True)

        def __exit__(self, *error: Any) -> None:
            super().__exit__(*error)
            if self._handle is not None:
                self._handle.update({"text/plain": f"{name}: rendered"}, raw=True)

    return Line()


def _display() -> Any:
    """IPython's `display` in a notebook, and None elsewhere."""
    import sys

    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell else None
    if running is None or not hasattr(running, "kernel"):
        return None
    from IPython.display import display

    return display
