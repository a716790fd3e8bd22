"""Whole films, ready to be rendered: found, read, resolved, and fit to be made side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from clockhead.libraries import home_around, use_home
from clockhead.look import DEFAULT_WISH, Look, Wish
from clockhead.scenes.style.fonts import Font, FontError, read_font
from clockhead.storyboard.find import NAME, find_film
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.storyboard.inputs import Setting, read_settings, variant_name
from clockhead.storyboard.languages import translate_draft
from clockhead.storyboard.models import NO_FILE_NAME, Draft, read_draft
from clockhead.storyboard.problems import (
    Place,
    Problem,
    StoryboardError,
    join_names,
    show,
    unknown_name,
)
from clockhead.storyboard.resolved import Context, KnownNames, ResolvedShot, link_shots
from clockhead.storyboard.scalars import yaml_text
from clockhead.storyboard.yaml_reader import KeyPath, Tree, parse_bytes, parse_file


@dataclass(frozen=True, slots=True)
class Film:
    """A film that can be rendered, if what it says holds."""

    name: str
    title: str
    credit: str
    file: Path
    shots: tuple[ResolvedShot, ...]
    look: Look
    refused: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    """By the id of a shot that is not among `shots`, for its point does not hold: why."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is not in the film's language, each thing said once."""
        return tuple(dict.fromkeys(warning for shot in self.shots for warning in shot.warnings))

    @property
    def english_descriptions(self) -> tuple[Problem, ...]:
        """The descriptions of numbers and inputs that exports show in English, each said once."""
        found: dict[str, Problem] = {}
        for shot in self.shots:
            place = Place(str(self.file), path=f"shots[{shot.number - 1}] ({shot.id})")
            name = shot.shot.language.name
            for text, fact in shot.english_descriptions().items():
                message = f"no {name} for what {{{fact}}} is, “{text}”; exports show the English"
                found.setdefault(text, Problem.at(place, message))
        return tuple(found.values())

    @property
    def failures(self) -> tuple[Problem, ...]:
        """What the film says and what does not hold."""
        found = [failure for why in self.refused.values() for failure in why]
        found += [failure for shot in self.shots for failure in shot.failures]
        return tuple(sorted(found, key=lambda failure: (failure.line, failure.column)))

    def adjustment_lines(self) -> Iterator[str]:
        """The inputs that nobody set and that gave way to those that somebody did, a line each."""
        shots: dict[str, list[str]] = {}
        for shot in self.shots:
            for way in shot.adjustments:
                line = f"{way.name} is adjusted: {yaml_text(way.before)} -> {yaml_text(way.value)}"
                shots.setdefault(line, []).append(shot.id)
        for line, ids in shots.items():
            yield f"{line} (in {join_names(ids)})"


@dataclass(frozen=True, slots=True)
class ParsedStoryboard:
    """What could be made of a storyboard, and what is wrong with the rest."""

    tree: Tree | None = None
    draft: Draft | None = None
    film: Film | None = None
    """With the shots that are sound."""
    problems: tuple[Problem, ...] = ()


def read_film(
    file: Path, data: bytes, *, wish: Wish = DEFAULT_WISH, formulas: FormulaChecker
) -> ParsedStoryboard:
    """Understand as much as can be of what a storyboard's file holds, or is yet to hold."""
    try:
        tree = parse_bytes(data, file)
    except StoryboardError as error:
        return ParsedStoryboard(problems=error.problems)
    try:
        reading = _read(file, tree, Context([], wish, formulas, KnownNames()))
    except StoryboardError as error:
        return ParsedStoryboard(tree, problems=error.problems)
    if reading.film is None or reading.draft is None:
        return reading
    # The last of those that are sound is not the last of the film.
    last = 1 + max(index for index, _ in reading.draft.shots)
    shots = tuple(
        replace(shot, shot=replace(shot.shot, is_last=shot.number == last))
        for shot in link_shots(reading.film.shots)
    )
    return replace(reading, film=replace(reading.film, shots=shots))


def load_films(
    wanted: Sequence[str],
    *,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    wish: Wish = DEFAULT_WISH,
    name: str | None = None,
    swept: Sequence[Setting] = (),
    formulas: FormulaChecker | None = None,
    prepare: Callable[[Sequence[str]], None] = lambda _: None,
) -> list[Film]:
    """Films by name or path, with `--set` and `--shot` applied. What they say need not hold.

    `name` is what the film is called in place of its storyboard's name; one of other inputs has
    these in its name, so that it lies beside the film as it was. `swept` is more to be set, and
    `formulas` may be shared by those who load many. `prepare` is called with the names of a
    film's stages before they are looked for, which imports Manim and takes a second.

    Raises:
        StoryboardError: with everything that is wrong with any of them.
    """
    films: list[Film] = []
    known = KnownNames()
    overrides, problems = read_settings(settings)
    overrides.extend(swept)
    with nullcontext(formulas) if formulas else FormulaChecker() as checker:
        context = Context(overrides, wish, checker, known, prepare)
        for one in dict.fromkeys(wanted):
            try:
                films.append(_load(one, context))
            except StoryboardError as error:
                problems.extend(error.problems)
    if name is not None:
        films, renamed = _called(name, films)
        problems.extend(renamed)
    problems.extend(_namesakes(films))
    problems.extend(_unmet(known, overrides, only))
    if problems:
        raise StoryboardError(problems)
    chosen = [_chosen(film, only) for film in films]
    return [film for film in chosen if film.shots or film.refused]


def _chosen(film: Film, only: Sequence[str]) -> Film:
    """A film of some of its shots, or of all."""
    if not only:
        return replace(film, shots=tuple(link_shots(film.shots)))
    return replace(
        film,
        shots=tuple(link_shots([shot for shot in film.shots if shot.id in only])),
        refused={id: why for id, why in film.refused.items() if id in only},
    )


def _load(wanted: str, context: Context) -> Film:
    try:
        file = find_film(wanted)
        tree = parse_file(file)
    except StoryboardError:
        context.known.complete = False
        raise
    reading = _read(file, tree, context)
    if reading.film is None or reading.problems:
        raise StoryboardError(reading.problems)
    return reading.film


def _read(file: Path, tree: Tree, context: Context) -> ParsedStoryboard:
    """As much as can be understood.

    Raises:
        StoryboardError: when nothing can be, for there is no such language, font or home.
    """
    _settle(file, context.known)
    draft, problems = read_draft(tree)
    if problems and not draft.shots:
        context.known.complete = False
        return ParsedStoryboard(tree, draft, problems=tuple(problems))
    context.prepare([spec.stage for _, spec in draft.shots])
    from clockhead.storyboard.shots import resolve_shots  # which imports Manim

    draft = _translated(draft, tree, context, problems)
    look = _with_files(context.wish.apply_to(draft.look), context.wish, file)
    fonts = read_fonts(look, tree, context, problems)
    problems = [*problems, *_wrong_texts(draft, tree, context, fonts)]
    found = resolve_shots(tree, draft, context, fonts)
    name = variant_name(file.stem, found.settings)
    shots = tuple(found.shots)
    film = Film(name, draft.title, draft.credit, file, shots, look, found.refused)
    told = StoryboardError([*problems, *found.problems]).problems
    return ParsedStoryboard(tree, draft, film, told)


def _translated(draft: Draft, tree: Tree, context: Context, problems: list[Problem]) -> Draft:
    """The storyboard in its language.

    Raises:
        StoryboardError: with all that was wrong before, when there is no such language.
    """
    try:
        return translate_draft(draft, tree, context.wish)
    except StoryboardError as error:
        context.known.complete = False
        raise StoryboardError([*problems, *error.problems]) from None


def _wrong_texts(
    draft: Draft, tree: Tree, context: Context, fonts: tuple[Font, ...]
) -> Iterator[Problem]:
    """What is wrong with the title of a film and its credit, which hold no facts.

    The title of a film is not drawn, but shown by pages and players: it may have any letters.
    """
    from clockhead.scenes.stage.furniture import too_large  # and Manim
    from clockhead.scenes.style.fonts import drawing_with
    from clockhead.scenes.style.layout import Region
    from clockhead.storyboard.texts import missing_letters, text_problems  # which imports NumPy

    look = context.wish.apply_to(draft.look)
    frame = Region.of(look.width, look.height)
    with drawing_with(fonts):
        for name, text in (("title", draft.title), ("credit", draft.credit)):
            found = text_problems(text, context.formulas, line=partial(tree.line, (name,)))
            if name == "title":
                missing = set(missing_letters(text))
                found = [problem for problem in found if problem not in missing]
            elif not found and too_large(text, name, frame):
                found = [f"its formulas are too large for {look.aspect}"]
            yield from (Problem.at(tree.place((name,)), wrong) for wrong in found)


def _with_files(look: Look, wish: Wish, file: Path) -> Look:
    """The look with its own voice and fonts where the storyboard means them: beside it."""
    if wish.voice is None and isinstance(look.voice, str):
        look = replace(look, voice=str(file.parent / look.voice))
    if wish.font is None and look.font:
        look = replace(look, font=tuple(str(file.parent / font) for font in look.font))
    return look


def read_fonts(
    look: Look, tree: Tree, context: Context, problems: list[Problem]
) -> tuple[Font, ...]:
    """The user's fonts, read.

    Raises:
        StoryboardError: when one cannot be used, with all that was wrong before. What it could
            draw is not said then.
    """
    option = context.wish.font is not None
    told = tree.value.get("font") if isinstance(tree.value, dict) else None
    found, wrong = [], []
    for number, name in enumerate(look.font):
        at: KeyPath = ("font", number) if isinstance(told, list) else ("font",)
        place = Place(f"--font {name}"[:400]) if option else tree.place(at)
        try:
            found.append(read_font(Path(name)))
        except FontError as error:
            message = str(error) if option else f"{show(Path(name).name)}: {error}"
            wrong.append(Problem.at(place, message))
    if wrong or (told is not None and not look.font):
        context.known.complete = False
        raise StoryboardError([*problems, *wrong])
    return tuple(found)


def _settle(file: Path, known: KnownNames) -> None:
    """Take one's own stages from beside a storyboard of one's own.

    Raises:
        StoryboardError: when another film of the command has taken them from elsewhere.
    """
    home = home_around(file.resolve().parent)
    if home is None:
        return
    before, known.home = known.home, home
    if before not in (None, home) and any((one / "stages").is_dir() for one in (before, home)):
        message = f"its stages are in {home}, those of another film in {before}; one at a time"
        raise StoryboardError([Problem.at(Place(str(file)), message)])
    use_home(home)


def _called(name: str, films: Sequence[Film]) -> tuple[list[Film], list[Problem]]:
    """The one film by another name; and what is wrong with that."""
    place = Place(f"--name {name}"[:80])
    if len(films) > 1:
        return list(films), [Problem.at(place, "a name is for one film; give one film at a time")]
    if not NAME.fullmatch(name):
        return list(films), [Problem.at(place, f"{show(name)} {NO_FILE_NAME}")]
    return [replace(film, name=name) for film in films], []


def _namesakes(films: Sequence[Film]) -> Iterator[Problem]:
    """Films that would be written to the same place."""
    first: dict[str, Film] = {}
    for film in films:
        other = first.setdefault(film.name, film)
        if other is not film:
            message = f"{other.file} makes a film called {film.name} too; render one at a time"
            yield Problem.at(Place(str(film.file)), message)


def _unmet(
    known: KnownNames, settings: Sequence[Setting], only: Sequence[str]
) -> Iterator[Problem]:
    """Settings and `--shot` for which there is no shot."""
    if not known.complete:
        return
    for setting in settings:
        if setting.shot is not None and setting.shot not in known.shots:
            message = unknown_name("shot", setting.shot, list(known.shots))
            yield Problem.at(setting.given.place(), message)
        elif setting.shot is None and setting.name not in known.inputs:
            message = unknown_name("input", setting.name, list(known.inputs))
            yield Problem.at(setting.given.place(), message)
    for shot in only:
        if shot not in known.shots:
            message = unknown_name("shot", shot, list(known.shots))
            yield Problem.at(Place(f"--shot {shot}"), message)
