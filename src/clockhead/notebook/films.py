"""A whole film in a notebook, rendered if it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.libraries import home
from clockhead.notebook.display import FactTable, FilmFacts, Player, refusal
from clockhead.notebook.rendering import problems_of, render
from clockhead.notebook.request import (
    DEFAULT_MEDIA,
    DEFAULT_QUALITY,
    ClockheadError,
    FontFiles,
    at_home,
    make_wish,
    raises_clockhead_error,
    write_settings,
)
from clockhead.notebook.shots import NotebookShot, player, show

if TYPE_CHECKING:
    from clockhead.storyboard.films import Film


@dataclass(frozen=True, eq=False)
class NotebookFilm:
    """A film with its inputs; a notebook plays it, with captions.

    `film["sub_diagonal"]` is one of its shots.
    """

    _film: Film
    _media: Path
    _home: Path | None

    @property
    def facts(self) -> FilmFacts:
        """The facts of every shot, by its id and then by path."""
        return FilmFacts({shot.id: FactTable(shot) for shot in self._film.shots})

    @property
    def problems(self) -> list[str]:
        """The claims that fail for these inputs; empty if none does."""
        return problems_of(self._film)

    @property
    def path(self) -> Path:
        """The film, an MP4, rendered if it is missing; captions are next to it.

        Raises:
            ClockheadError: if a claim fails, or a shot cannot be drawn.
        """
        return self._rendered()

    def __getitem__(self, shot: str) -> NotebookShot:
        """One of its shots, by id.

        Raises:
            ClockheadError: if there is no such shot.
        """
        from clockhead.storyboard.problems import unknown_name
        from clockhead.storyboard.resolved import link_shots

        found = [resolved for resolved in self._film.shots if resolved.id == shot]
        if not found:
            raise ClockheadError(unknown_name("shot", shot, list(self)))
        alone = replace(self._film, shots=tuple(link_shots(found)))
        return NotebookShot(alone, self._media, self._home, False)

    def __iter__(self) -> Iterator[str]:
        """The ids of its shots."""
        return (shot.id for shot in self._film.shots)

    def __len__(self) -> int:
        return len(self._film.shots)

    def show(self) -> None:
        """Show the film, rendered if it is missing; outside a notebook, print its path.

        Raises:
            ClockheadError: if a claim fails, or a shot cannot be drawn.
        """
        show(self.player())

    def player(self) -> Player:
        """The film with its captions, as HTML."""
        return player(self._film, self.path)

    @raises_clockhead_error
    def _rendered(self) -> Path:
        with at_home(self._home):
            return render(self._film, self._media, whole=True)

    def __repr__(self) -> str:
        return f"film {self._film.name}: {self._film.title} ({len(self)} shots: {', '.join(self)})"

    def _repr_html_(self) -> str:
        return refusal(self.problems) if self.problems else self.player()._repr_html_()


@raises_clockhead_error
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
) -> NotebookFilm:
    """A film by name or file, with the given inputs: `film("previous_token", text="to be")`.

    The look is set as for `clockhead render`: `theme="paper"`, `quality="m"`. The film goes into
    the folder `media`. An input of one shot is written `**{"sub_diagonal.alpha": 3}`.

    Raises:
        ClockheadError: with everything that is wrong with the storyboard or the arguments.
    """
    from clockhead.storyboard.films import load_films

    wish = make_wish(quality, theme, aspect, captions, pace, language, voice, font)
    with at_home(anywhere=True):
        [found] = load_films([str(name)], settings=write_settings(inputs), wish=wish)
        return NotebookFilm(found, Path(media), home())
