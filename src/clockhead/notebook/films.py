"""A whole film: shown where it is asked for, and rendered if it is not there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.notebook.asked import (
    DEFAULT_MEDIA,
    DEFAULT_QUALITY,
    FontFiles,
    at,
    here,
    settings_of,
    wish_of,
)
from clockhead.notebook.display import Facts, FactsOfShots, Player, refusal
from clockhead.notebook.errors import ClockheadError, plainly
from clockhead.notebook.rendering import problems_of, render
from clockhead.notebook.shots import Shot, player, show

if TYPE_CHECKING:
    from clockhead.storyboard.films import Film as Resolved


@dataclass(frozen=True, eq=False)
class Film:
    """A film with its inputs; a notebook plays it, with captions.

    `film["sub_diagonal"]` is one of its shots.
    """

    _film: Resolved
    _media: Path
    _home: Path | None

    @property
    def facts(self) -> FactsOfShots:
        """The facts of every shot, by its id and then by path."""
        return FactsOfShots({shot.id: Facts(shot) for shot in self._film.shots})

    @property
    def problems(self) -> list[str]:
        """What it says and what does not hold for these inputs; nothing if all is well."""
        return problems_of(self._film)

    @property
    def path(self) -> Path:
        """The film, an MP4, which is rendered if it is not there; captions lie beside it.

        Raises:
            ClockheadError: when what it says does not hold, or a shot cannot be drawn.
        """
        return self._rendered()

    def __getitem__(self, shot: str) -> Shot:
        """One of its shots.

        Raises:
            ClockheadError: when it has none of that name.
        """
        from clockhead.storyboard.resolved import in_order
        from clockhead.storyboard.wording import unknown

        found = [one for one in self._film.shots if one.id == shot]
        if not found:
            raise ClockheadError(unknown("shot", shot, list(self)))
        alone = replace(self._film, shots=tuple(in_order(found)))
        return Shot(alone, self._media, self._home, False)

    def __iter__(self) -> Iterator[str]:
        """What its shots are called."""
        return (shot.id for shot in self._film.shots)

    def __len__(self) -> int:
        return len(self._film.shots)

    def show(self) -> None:
        """Show the film, rendered where it is missing; outside a notebook, print where it is.

        Raises:
            ClockheadError: when what it says does not hold, or a shot cannot be drawn.
        """
        show(self.player())

    def player(self) -> Player:
        """The film with its captions, for a page."""
        return player(self._film, self.path)

    @plainly
    def _rendered(self) -> Path:
        with at(self._home):
            return render(self._film, self._media, whole=True)

    def __repr__(self) -> str:
        return f"film {self._film.name}: {self._film.title} ({len(self)} shots: {', '.join(self)})"

    def _repr_html_(self) -> str:
        return refusal(self.problems) if self.problems else self.player()._repr_html_()


@plainly
def film(
    name: str | Path,
    *,
    quality: str = DEFAULT_QUALITY,
    theme: str | None = None,
    aspect: str | None = None,
    captions: str | None = None,
    pace: float | None = None,
    language: str | None = None,
    voice: bool | str | None = None,
    font: FontFiles = None,
    media: str | Path = DEFAULT_MEDIA,
    **inputs: Any,
) -> Film:
    """A film by name or file, with inputs of its own: `film("previous_token", text="to be")`.

    How it looks is said as for `clockhead render`: `theme="paper"`, `quality="m"`. It goes into
    the folder `media`. An input of one shot is `**{"sub_diagonal.alpha": 3}`.

    Raises:
        ClockheadError: with everything that is wrong with the storyboard or what is given.
    """
    from clockhead.storyboard.films import load_films

    wish = wish_of(quality, theme, aspect, captions, pace, language, voice, font)
    with at(anywhere=True):
        [found] = load_films([str(name)], settings=settings_of(inputs), wish=wish)
        return Film(found, Path(media), here())
