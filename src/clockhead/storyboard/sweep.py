"""`--sweep`: a film once for each value of an input, or for each pair of values of two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.find import NAME
from clockhead.storyboard.inputs import Setting, read_settings, variant_name
from clockhead.storyboard.problems import Place, Problem, StoryboardError, count
from clockhead.storyboard.ranges import read_values
from clockhead.storyboard.scalars import Value, yaml_text

MOST = 200
"""Films of one sweep."""
_FORM = "write input=1,2,5, or input=1:7 for 1 to 7, or input=0:1:.25 for every quarter"
_SWEEP = re.compile(r"(?:[^.=]+\.)?[^.=]+=(?P<values>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Variant:
    """A film of a sweep, or the problems with it."""

    settings: tuple[Setting, ...]
    """The swept inputs, each with one of its values."""
    film: Film | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def values(self) -> list[Value]:
        """Values of the swept inputs, in the order of the command."""
        return [setting.given.value for setting in self.settings]

    @property
    def label(self) -> str:
        """`alpha=5, m=1`."""
        return ", ".join(
            f"{setting_name(one)}={yaml_text(one.given.value)}" for one in self.settings
        )

    @property
    def refusals(self) -> tuple[Problem, ...]:
        """Problems with its inputs, or claims that do not hold."""
        return self.problems or (self.film.failures if self.film else ())


@dataclass(frozen=True, slots=True)
class Sweep:
    """The variants of one film."""

    name: str
    """Name of the film without the swept inputs."""
    variants: tuple[Variant, ...]

    @property
    def input_names(self) -> list[str]:
        """Names of the swept inputs, as in the command."""
        return [setting_name(setting) for setting in self.variants[0].settings]

    @property
    def films(self) -> list[Film]:
        """Films without problems."""
        return [one.film for one in self.variants if one.film and not one.refusals]


def load_sweep(
    wanted: Sequence[str],
    sweeps: Sequence[str],
    *,
    settings: Sequence[str] = (),
    name: str | None = None,
    **options: Any,
) -> Sweep:
    """Every variant of a film; one whose inputs are refused does not stop the others.

    `options` are others of `load_films`.

    Raises:
        StoryboardError: if the sweep is invalid, or no variant could be read.
    """
    if len(wanted) > 1:
        place = Place(f"--sweep {sweeps[0]}"[:80])
        raise StoryboardError.at(place, "a sweep is of one film; give one at a time")
    variants = []
    for chosen in product(*_axes(sweeps, settings)):
        own = variant_name(name, chosen) if name and NAME.fullmatch(name) else name
        try:
            [film] = load_films(wanted, settings=settings, name=own, swept=chosen, **options)
        except StoryboardError as error:
            variants.append(Variant(chosen, problems=error.problems))
        else:
            variants.append(Variant(chosen, film))
    films = [one.film for one in variants if one.film]
    if not films:
        raise StoryboardError(problem for one in variants for problem in one.problems)
    unswept = variant_name(films[0].file.stem, read_settings(settings)[0])
    return Sweep(name or unswept, tuple(variants))


def setting_name(setting: Setting) -> str:
    """`alpha`, or `sub_diagonal.alpha`."""
    return ".".join(part for part in (setting.shot, setting.name) if part)


def _axes(sweeps: Sequence[str], settings: Sequence[str]) -> list[list[Setting]]:
    """The settings of every swept input.

    Raises:
        StoryboardError: with all problems.
    """
    axes: list[list[Setting]] = []
    problems: list[Problem] = []
    for text in sweeps:
        try:
            axes.append(_axis(text))
        except StoryboardError as error:
            problems.extend(error.problems)
    problems.extend(_repeated_inputs([axis[0] for axis in axes], read_settings(settings)[0]))
    if not problems and (films := prod(map(len, axes))) > MOST:
        place = Place(f"--sweep {sweeps[-1]}"[:80])
        message = (
            f"that makes {count(films, 'film')}, and one command makes at most {MOST}; "
            "take fewer values, or sweep one input after the other"
        )
        problems.append(Problem.at(place, message))
    if problems:
        raise StoryboardError(problems)
    return axes


def _axis(text: str) -> list[Setting]:
    place = Place(f"--sweep {text}"[:80])
    match = _SWEEP.fullmatch(text)
    if match is None:
        raise StoryboardError.at(place, _FORM)
    [setting], problems = read_settings([f"{text.partition('=')[0]}=0"])
    limit = f"one command makes at most {MOST} films"
    values = read_values(match["values"], place, form=_FORM, most=MOST, limit=limit)
    if problems or not values:
        raise StoryboardError([*problems, Problem.at(place, f"there is no value; {_FORM}")])
    return [
        replace(setting, given=replace(setting.given, value=value, source=place))
        for value in {yaml_text(value): value for value in values}.values()
    ]


def _repeated_inputs(swept: Iterable[Setting], settings: Iterable[Setting]) -> Iterator[Problem]:
    """Inputs that are swept twice, or given one value too."""
    seen = {setting_name(setting): "set with --set" for setting in settings}
    for setting in swept:
        name = setting_name(setting)
        if name in seen:
            message = f"{name} is {seen[name]} too; leave one of them out"
            yield Problem.at(setting.given.place(), message)
        seen[name] = "swept"
