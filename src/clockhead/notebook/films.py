"""Films and stages in a notebook: their facts, arrays, stills and clips."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from clockhead.libraries import project_folder
from clockhead.notebook.display import (
    FactTable,
    FilmFacts,
    NotebookStill,
    Player,
    refusal,
)
from clockhead.notebook.request import (
    DEFAULT_MEDIA,
    DEFAULT_QUALITY,
    ClockheadError,
    FontFiles,
    check_choice,
    check_claims,
    draw_beat,
    draw_beats,
    in_project,
    make_wish,
    raises_clockhead_error,
    render,
    write_settings,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clockhead.clips.clip import ClipJob
    from clockhead.clips.stills import Still
    from clockhead.scenes.style.looks import ThemeName
    from clockhead.storyboard.films import Film
    from clockhead.storyboard.resolved import ResolvedShot

_WIDTH = 854


@dataclass(frozen=True, eq=False)
class _Playable:
    """What a film and a shot have in common: a video that is rendered if it is missing."""

    _film: Film
    """The film; for a shot, a film of this shot alone."""
    _media: Path
    _home: Path | None
    _whole: bool
    """Whether the whole film is rendered, and not one of several shots."""

    @property
    def problems(self) -> list[str]:
        """The claims that fail for these inputs; empty if none does."""
        return [str(failure) for failure in self._film.failures]

    @property
    @raises_clockhead_error
    def path(self) -> Path:
        """The video, an MP4 with captions next to it, rendered if it is missing.

        Raises:
            ClockheadError: if a claim fails, or it cannot be drawn.
        """
        with in_project(self._home):
            return render(self._film, self._media, whole=self._whole)

    def player(self) -> Player:
        """The video with its captions, as HTML.

        Raises:
            ClockheadError: if a claim fails, or it cannot be drawn.
        """
        from clockhead.plain import plain_text

        look = self._film.look
        title = plain_text(self._film.title)
        return Player(self.path, title, look.language, look.captions == "track")

    def show(self) -> None:
        """Play the video in a notebook; elsewhere, print its path.

        Raises:
            ClockheadError: if a claim fails, or it cannot be drawn.
        """
        shell = sys.modules.get("IPython")
        if shell is not None and shell.get_ipython() is not None:
            import_module("IPython.display").display(self.player())
        else:
            print(repr(self.player()))


class NotebookShot(_Playable):
    """A stage with its inputs, shown as its last picture.

    `facts` and `arrays` are what it computes, `still()` draws a picture, and `show()` plays the
    clip, which is rendered if it is missing.
    """

    @property
    def facts(self) -> FactTable:
        """The facts that its sentences may use, by path."""
        return FactTable(self._shot)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that its pictures show, by path."""
        with in_project(self._home):
            return self._shot.arrays()

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the stage."""
        return self._shot.shot.inputs.model_dump()

    @property
    def sentences(self) -> list[str]:
        """Everything that it says, in plain text; the caption comes last."""
        from clockhead.plain import plain_text

        sentences = (*self._shot.shot.sentences, self._shot.shot.caption)
        return [plain_text(sentence) for sentence in sentences if sentence]

    @raises_clockhead_error
    def still(
        self,
        beat: str | int | None = None,
        *,
        width: int = _WIDTH,
        theme: str | None = None,
        transparent: bool = False,
    ) -> NotebookStill:
        """The picture at the end of a beat, given by name or number from 0; by default the last.

        Raises:
            ClockheadError: if there is no such beat, or a claim fails.
        """
        from clockhead.clips.stills import Paper

        check_claims(self._film)
        job = self._job(theme)
        with in_project(self._home):
            drawn = draw_beats(job, Paper("png", width, transparent))
        index = _index([still.beat for still in drawn], beat)
        return self._notebook_still(drawn[index], job, index, transparent)

    @raises_clockhead_error
    def _turn(self, inputs: Mapping[str, Any]) -> tuple[NotebookShot | None, list[str], bool]:
        """The shot with other values of inputs, and what does not hold for them.

        Without a shot, why there is none for these values. Last, whether a claim fails, so that
        its sentences may be untrue.
        """
        from clockhead.plain import plain_text
        from clockhead.storyboard.inputs import Given, Setting, variant_name
        from clockhead.storyboard.problems import Place, Problem
        from clockhead.storyboard.resolved import link_shots

        with in_project(self._home):
            turned = self._shot.turn(inputs)
        if turned.shot is None:
            return None, [p.message if p.line else str(p) for p in turned.refusals], True
        given = [Setting(None, name, Given(v, Place(name))) for name, v in inputs.items()]
        refusals = [plain_text(problem.message) for problem in turned.refusals]
        failures = tuple(Problem.at(Place(self._film.name), refusal) for refusal in refusals)
        [shot] = link_shots([replace(turned.shot, failures=failures)])
        name = variant_name(self._film.name, given)
        alone = replace(self._film, name=name, shots=(shot,), refused={})
        found = NotebookShot(alone, self._media, self._home, False)
        return found, refusals, turned.breaks_claim

    def _picture(
        self, beat: str | int | None, theme: str | None, usual: Sequence[str]
    ) -> NotebookStill:
        """The picture of a beat without its texts, even if a claim fails.

        If no beat is given, it is the first of the `usual` ones that is told, or else the last.

        Raises:
            ClockheadError: if there is no such beat.
        """
        from clockhead.clips.stills import Paper
        from clockhead.scenes.stage import find_stage

        job = self._job(theme)
        job = replace(job, shot=replace(job.shot, after=None, captions="track", is_last=False))
        with in_project(self._home):
            names = find_stage(job.stage).beat_names(self._shot.values)
            told = next((name for name in usual if name in names), None)
            index = _index(names, told if beat is None else beat)
            still = draw_beat(job, Paper("png", _WIDTH, picture_only=True), names[index])
        return self._notebook_still(still, job, index)

    def _notebook_still(
        self, still: Still, job: ClipJob, index: int, transparent: bool = False
    ) -> NotebookStill:
        from clockhead.export.alt import alt_of_still
        from clockhead.plain import plain_text

        alt = alt_of_still(plain_text(self._shot.shot.title), still)
        sentence = plain_text(still.sentence)
        return NotebookStill(still.beat, sentence, alt, still.picture, job, index, transparent)

    @property
    def _shot(self) -> ResolvedShot:
        return self._film.shots[0]

    def _job(self, theme: str | None) -> ClipJob:
        from clockhead.clips.clip import ClipJob
        from clockhead.look import THEME_NAMES

        look, shot = self._film.look, self._shot.shot
        if theme is not None:
            check_choice("theme", theme, THEME_NAMES)
            chosen = cast("ThemeName", theme)
            look, shot = replace(look, theme=chosen), replace(shot, theme=chosen)
        return ClipJob(self._shot.stage, shot, look)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.inputs.items())
        return f"stage({self._shot.stage!r}{given})"

    def _repr_html_(self) -> str:
        return refusal(self.problems) if self.problems else self.still()._repr_html_()


class NotebookFilm(_Playable):
    """A film with its inputs; a notebook plays it, with captions.

    `film["sub_diagonal"]` is one of its shots.
    """

    @property
    def facts(self) -> FilmFacts:
        """The facts of every shot, by its id and then by path."""
        return FilmFacts({shot.id: FactTable(shot) for shot in self._film.shots})

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

    def __repr__(self) -> str:
        return f"film {self._film.name}: {self._film.title} ({len(self)} shots: {', '.join(self)})"

    def _repr_html_(self) -> str:
        return refusal(self.problems) if self.problems else self.player()._repr_html_()


def _index(names: list[str], beat: str | int | None) -> int:
    """The index of a beat that is given by name or number; of the last one, if none is given.

    Raises:
        ClockheadError: if there is no such beat.
    """
    from clockhead.storyboard.problems import join_names, unknown_name

    if beat is None:
        return len(names) - 1
    if isinstance(beat, str):
        if beat not in names:
            raise ClockheadError(unknown_name("beat", beat, names))
        return names.index(beat)
    if not -len(names) <= beat < len(names):
        raise ClockheadError(
            f"there is no beat {beat}; they are 0 to {len(names) - 1}: {join_names(names)}"
        )
    return beat % len(names)


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
    look: str | Path | None = None,
    media: str | Path = DEFAULT_MEDIA,
    **inputs: Any,
) -> NotebookFilm:
    """A film by name or file, with the given inputs: `film("previous_token", text="to be")`.

    The look is set as for `clockhead render`: `theme="paper"`, `quality="m"`, and with
    `look="blue.yaml"` a look.yaml other than that of the folder ("" for none). The film goes into
    the folder `media`. An input of one shot is written `**{"sub_diagonal.alpha": 3}`.

    Raises:
        ClockheadError: with everything that is wrong with the storyboard or the arguments.
    """
    from clockhead.storyboard.films import load_films

    choices = {"theme": theme, "aspect": aspect, "captions": captions}
    wish = make_wish(quality, font, look, choices, pace=pace, language=language, voice=voice)
    with in_project(anywhere=True):
        [found] = load_films([str(name)], settings=write_settings(inputs), wish=wish)
        return NotebookFilm(found, Path(media), project_folder(), True)


@raises_clockhead_error
def stage(
    name: str,
    *,
    quality: str = DEFAULT_QUALITY,
    theme: str | None = None,
    aspect: str | None = None,
    captions: str | None = None,
    pace: float | None = None,
    language: str | None = None,
    voice: bool | str | None = None,
    font: FontFiles = None,
    look: str | Path | None = None,
    media: str | Path = DEFAULT_MEDIA,
    **inputs: Any,
) -> NotebookShot:
    """A stage with the given inputs, such as `stage("rope.matrix", m=7)`.

    The look is set as for `clockhead render`: `theme="paper"`, `quality="m"`, and with
    `look="blue.yaml"` a look.yaml other than that of the folder ("" for none). The clip goes into
    the folder `media`.

    Raises:
        ClockheadError: with everything that is wrong with the arguments.
    """
    from clockhead.scenes.stage import BrokenStage, UnknownStage
    from clockhead.storyboard.films import load_stage
    from clockhead.storyboard.problems import unknown_stage

    choices = {"theme": theme, "aspect": aspect, "captions": captions}
    wish = make_wish(quality, font, look, choices, pace=pace, language=language, voice=voice)
    with in_project(anywhere=True):
        try:
            found = load_stage(name, write_settings(inputs), wish)
        except UnknownStage as error:
            raise ClockheadError(unknown_stage(error)) from None
        except BrokenStage as error:
            raise ClockheadError(str(error)) from None
        return NotebookShot(found, Path(media), project_folder(), True)
