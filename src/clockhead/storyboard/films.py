"""Whole films: find and read storyboards, translate them, and resolve their shots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from clockhead.libraries import project_around, use_project
from clockhead.look import DEFAULT_WISH, MAX_FONTS, FilmLook, Wish
from clockhead.places import clockhead_command
from clockhead.scenes.catalogues import (
    LANGUAGE_CODE,
    CatalogueError,
    languages,
    storyboard_entries,
    storyboard_texts,
)
from clockhead.scenes.language import DEFAULT_LANGUAGE, Language, without_formats
from clockhead.scenes.style.fonts import Font, FontError, read_font
from clockhead.storyboard.find import NAME, NO_FILE_NAME, find_film
from clockhead.storyboard.inputs import Setting, read_settings, variant_name
from clockhead.storyboard.models import Draft, read_draft
from clockhead.storyboard.own_look import NO_LOOK_FILE, LookFile, read_look
from clockhead.storyboard.problems import (
    Place,
    Problem,
    StoryboardError,
    catalogue_problem,
    did_you_mean,
    join_names,
    nearest_name,
    show,
    unknown_name,
)
from clockhead.storyboard.resolved import Context, ResolvedShot, link_shots
from clockhead.storyboard.scalars import yaml_text
from clockhead.storyboard.yaml_reader import KeyPath, Tree, parse_bytes, parse_file, parse_yaml


@dataclass(frozen=True, slots=True)
class Film:
    """A film that can be rendered if its claims and expectations hold."""

    name: str
    title: str
    credit: str
    file: Path
    shots: tuple[ResolvedShot, ...]
    look: FilmLook
    look_file: LookFile = NO_LOOK_FILE
    """What the look.yaml says."""
    refused: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    """Ids of shots that are not among `shots` because their claims do not hold, and why."""
    open_texts: tuple[Problem, ...] = ()
    """Texts of the storyboard that a catalogue lists and nobody has translated yet."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Texts without a translation into the film's language, each once."""
        shots = (warning for shot in self.shots for warning in shot.warnings)
        return tuple(dict.fromkeys([*self.open_texts, *shots]))

    @property
    def english_descriptions(self) -> tuple[Problem, ...]:
        """Descriptions of numbers and inputs that exports show in English, each once."""
        from clockhead.scenes.stage import find_stage, translations  # and Manim

        found: dict[str, Problem] = {}
        for shot in self.shots:
            described = shot.english_descriptions()
            where, language = shot.place(self.file), shot.shot.language
            known = translations.open_entries(find_stage(shot.stage), language) if described else {}
            for text, fact in described.items():
                entry = known.get(without_formats(text))
                place = Place(entry.file, entry.line, 1, where.path) if entry else where
                what = f"what {{{fact}}} is, “{text}”"
                message = f"no {language.name} for {what}; exports show the English"
                found.setdefault(text, Problem.at(place, message))
        return tuple(found.values())

    @property
    def failures(self) -> tuple[Problem, ...]:
        """Claims and expectations that do not hold."""
        found = [failure for why in self.refused.values() for failure in why]
        found += [failure for shot in self.shots for failure in shot.failures]
        return tuple(sorted(found, key=lambda failure: (failure.line, failure.column)))

    def adjustment_lines(self) -> Iterator[str]:
        """Inputs that were adjusted to the ones given, one a line."""
        shots: dict[str, list[str]] = {}
        for shot in self.shots:
            for one in shot.adjustments:
                line = f"{one.name} is adjusted: {yaml_text(one.before)} -> {yaml_text(one.value)}"
                shots.setdefault(line, []).append(shot.id)
        for line, ids in shots.items():
            yield f"{line} (in {join_names(ids)})"


@dataclass(frozen=True, slots=True)
class ParsedStoryboard:
    """The valid parts of a storyboard, and all problems with it."""

    tree: Tree | None = None
    draft: Draft | None = None
    film: Film | None = None
    """The film of its valid shots."""
    problems: tuple[Problem, ...] = ()


def read_film(file: Path, data: bytes, *, wish: Wish = DEFAULT_WISH) -> ParsedStoryboard:
    """The film of the valid shots in a storyboard's content, saved or not; no cards of a look."""
    tree = None
    try:
        tree, context = parse_bytes(data, file), Context([], wish)
        _use_home_around(file, context)
        parsed = _resolve(file, tree, context, cards=False)
    except StoryboardError as error:
        return ParsedStoryboard(tree, problems=error.problems)
    if parsed.film is None or parsed.draft is None:
        return parsed
    # The last valid shot is not always the last of the film.
    last = 1 + max(index for index, _ in parsed.draft.shots)
    shots = tuple(
        replace(shot, shot=replace(shot.shot, is_last=shot.number == last))
        for shot in link_shots(parsed.film.shots)
    )
    return replace(parsed, film=replace(parsed.film, shots=shots))


def load_films(
    wanted: Sequence[str],
    *,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    wish: Wish = DEFAULT_WISH,
    name: str | None = None,
    swept: Sequence[Setting] = (),
    prepare: Callable[[Sequence[str]], None] = lambda _: None,
) -> list[Film]:
    """Films by name or path, with `--set` and `--shot` applied; their claims need not hold.

    `name` replaces the film's name, which is its storyboard's, followed by the settings. `swept`
    are more settings. `prepare` is called with the names of a film's stages before they are
    imported, which imports Manim and takes a second.

    Raises:
        StoryboardError: with all problems of all films.
    """
    films: list[Film] = []
    overrides, problems = read_settings(settings)
    overrides.extend(swept)
    context = Context(overrides, wish, prepare)
    for one in dict.fromkeys(wanted):
        try:
            films.append(_load(one, context))
        except StoryboardError as error:
            problems.extend(error.problems)
    problems.extend(_same_names(films))
    if name is not None:
        place = Place(f"--name {name}"[:80])
        if len(films) > 1:
            message = "a name is for one film; give one film at a time"
            problems.append(Problem.at(place, message))
        elif not NAME.fullmatch(name):
            problems.append(Problem.at(place, f"{show(name)} {NO_FILE_NAME}"))
        films = [replace(film, name=name) for film in films]
    problems.extend(_unknown_names(context, only))
    if problems:
        raise StoryboardError(problems)
    chosen = [_select_shots(film, only) for film in films]
    return [film for film in chosen if film.shots or film.refused]


def load_stage(name: str, settings: Sequence[str], wish: Wish) -> Film:
    """A film of one stage, with `--set` applied; its claims need not hold.

    Raises:
        UnknownStage, BrokenStage: if it cannot be imported.
        StoryboardError: with everything that is wrong with the settings, the look or the fonts.
    """
    from clockhead.scenes.stage import FilmCredits, find_stage  # and Manim

    known = list(find_stage(name).Inputs.model_fields)
    overrides, problems = read_settings(settings)
    problems += [
        Problem.at(setting.given.place(), unknown_name("input", setting.name, known))
        for setting in overrides
        if setting.shot is not None or setting.name not in known
    ]
    board = {"version": 1, "title": "-", "shots": [{"stage": name}]}
    file, tree = Path.cwd() / "shot.yaml", parse_yaml(json.dumps(board), name)
    parsed = _resolve(file, tree, Context(overrides, wish), cards=False)
    assert parsed.film is not None
    problems += [*parsed.problems, *(why for whys in parsed.film.refused.values() for why in whys)]
    if problems:
        raise StoryboardError(_without_board(problem, name) for problem in problems)
    [shot] = link_shots(parsed.film.shots)
    title = shot.shot.title
    shot = replace(
        shot,
        shot=replace(shot.shot, film=FilmCredits(title, "")),
        failures=tuple(_without_board(problem, name) for problem in shot.failures),
    )
    name, file = variant_name(name, overrides), Path(name)
    return replace(parsed.film, name=name, title=title, credit="", file=file, shots=(shot,))


def _without_board(problem: Problem, name: str) -> Problem:
    """A problem without its place in a storyboard that the user has not written."""
    return replace(problem, line=0, column=0, path="") if problem.file == name else problem


def _select_shots(film: Film, only: Sequence[str]) -> Film:
    """A film of some of its shots, or of all."""
    shots = [shot for shot in film.shots if not only or shot.id in only]
    refused = {id: why for id, why in film.refused.items() if not only or id in only}
    return replace(film, shots=tuple(link_shots(shots)), refused=refused)


def _load(wanted: str, context: Context) -> Film:
    try:
        file = find_film(wanted)
        tree = parse_file(file)
    except StoryboardError:
        context.complete = False
        raise
    _use_home_around(file, context)
    parsed = _resolve(file, tree, context)
    if parsed.film is None or parsed.problems:
        raise StoryboardError(parsed.problems)
    return parsed.film


def _resolve(file: Path, tree: Tree, context: Context, *, cards: bool = True) -> ParsedStoryboard:
    """Resolve the valid shots of a storyboard, and the cards that a look puts around them.

    Raises:
        StoryboardError: if its language or a font cannot be used.
    """
    draft, problems = read_draft(tree)
    if problems and not draft.shots:
        context.complete = False
        return ParsedStoryboard(tree, draft, problems=tuple(problems))
    context.prepare([spec.stage for _, spec in draft.shots])
    look_file, wrong = read_look(file, context.wish, context.wish.apply_to(draft.look).theme)
    problems += wrong
    from clockhead.storyboard.shots import resolve_shots  # which imports Manim

    try:
        draft = _translate(draft, tree, context.wish)
        look = _with_files(context.wish.apply_to(draft.look), context.wish, file)
        fonts = (*look_file.fonts, *_read_fonts(look, tree, context.wish))
    except StoryboardError as error:
        context.complete = False
        raise StoryboardError([*problems, *error.problems]) from None
    look = replace(look, own=look_file.own)
    problems += _text_problems(draft, tree, context, fonts)
    draft = replace(draft, credit=look_file.credit(draft.credit))
    found = resolve_shots(tree, draft, context, fonts, look_file.own)
    name = variant_name(file.stem, found.settings)
    shots = tuple(found.shots)
    if cards and look_file.cards:
        from clockhead.storyboard.cards import around_film

        shots, wrong = around_film(look_file, draft, look, fonts, shots)
        problems += wrong
        context.shots.update(dict.fromkeys(shot.id for shot in shots))
    texts = tuple(_open_texts(draft, look.language))
    film = Film(name, draft.title, draft.credit, file, shots, look, look_file, found.refused, texts)
    in_order = StoryboardError([*problems, *found.problems]).problems
    return ParsedStoryboard(tree, draft, film, in_order)


def _translate(draft: Draft, tree: Tree, wish: Wish) -> Draft:
    """A storyboard with the translations of its title, its credit, and the words of its shots.

    Only texts of storyboards that ship with a catalogue have translations.

    Raises:
        StoryboardError: if there is no such language, or its catalogues cannot be read.
    """
    code = wish.apply_to(draft.look).language
    try:
        known = languages()
        if code not in known:
            place = Place(f"--lang {code}"[:80]) if wish.language else tree.place(("language",))
            by_name = {name.lower(): code for code, name in known.items()} | {c: c for c in known}
            hint = did_you_mean(by_name.get(nearest_name(code, by_name) or ""))
            names = join_names(f"{code} for {name}" for code, name in known.items())
            message = f"there is no language {show(code)}{hint} (languages: {names})"
            if not hint and LANGUAGE_CODE.fullmatch(code):
                message += f"; `{clockhead_command('new', 'language', code)}` begins it"
            raise StoryboardError.at(place, message)
        if code == DEFAULT_LANGUAGE:
            return draft
        told = Language(code, texts=storyboard_texts(code, draft.folders))
    except CatalogueError as error:
        raise StoryboardError([catalogue_problem(error)]) from None

    def translation(text: str) -> str:
        return told.find(text) or text

    shots = []
    for index, spec in draft.shots:
        own: dict[str, Any] = {
            name: translation(getattr(spec, name)) for name in ("title", "question", "caption")
        }
        for kind in ("beats", "asks"):
            lines = getattr(spec, kind).items()
            own[kind] = {name: translation(text) for name, text in lines}
        shots.append((index, spec.model_copy(update=own)))
    title, credit = map(translation, (draft.title, draft.credit))
    return replace(draft, title=title, credit=credit, shots=tuple(shots))


def _open_texts(draft: Draft, code: str) -> Iterator[Problem]:
    """Texts of a translated storyboard that its catalogues list, and leave in English."""
    known = {} if code == DEFAULT_LANGUAGE else storyboard_entries(code, draft.folders)
    for text in draft.words:
        entry = known.get(without_formats(text))
        if entry is not None and not entry.text:
            message = f"no {languages()[code]} for “{text}”; the English is shown"
            yield Problem.at(Place(entry.file, entry.line, 1, "storyboard"), message)


def _text_problems(
    draft: Draft, tree: Tree, context: Context, fonts: tuple[Font, ...]
) -> Iterator[Problem]:
    """Problems with the title and the credit of a film, which hold no facts.

    The title is not drawn, but shown by pages and players, so it may have any letters.
    """
    from clockhead.scenes.stage.furniture import too_large  # and Manim
    from clockhead.scenes.style.fonts import drawing_with
    from clockhead.scenes.style.layout import Region
    from clockhead.storyboard.texts import TextChecker, missing_letters  # which imports NumPy

    look = context.wish.apply_to(draft.look)
    frame = Region.of(look.width, look.height)
    with drawing_with(fonts):
        for name, text in (("title", draft.title), ("credit", draft.credit)):
            checker = TextChecker(line=partial(tree.line, (name,)))
            found = checker.problems(text)
            if name == "title":
                missing = set(missing_letters(text))
                found = [problem for problem in found if problem not in missing]
            elif not found and too_large(text, name, frame):
                found = [f"its formulas are too large for {look.aspect}"]
            yield from (Problem.at(tree.place((name,)), message) for message in found)


def _with_files(look: FilmLook, wish: Wish, file: Path) -> FilmLook:
    """The look with paths of the storyboard's own voice and fonts, which stand beside it."""
    if wish.voice is None and isinstance(look.voice, str):
        look = replace(look, voice=str(file.parent / look.voice))
    if wish.font is None and look.font:
        look = replace(look, font=tuple(str(file.parent / font) for font in look.font))
    return look


def _read_fonts(look: FilmLook, tree: Tree, wish: Wish) -> tuple[Font, ...]:
    """The user's fonts.

    Raises:
        StoryboardError: if one cannot be used; without problems, if the storyboard's key was wrong.
    """
    is_option = wish.font is not None
    key = tree.value.get("font") if isinstance(tree.value, dict) else None
    found, problems = [], []
    if len(look.font) > MAX_FONTS:
        message = f"{len(look.font)} fonts are given; a film takes at most {MAX_FONTS}"
        raise StoryboardError.at("--font", message)
    for number, name in enumerate(look.font):
        at: KeyPath = ("font", number) if isinstance(key, list) else ("font",)
        place = Place(f"--font {name}"[:400]) if is_option else tree.place(at)
        try:
            found.append(read_font(Path(name)))
        except FontError as error:
            message = str(error) if is_option else f"{show(Path(name).name)}: {error}"
            problems.append(Problem.at(place, message))
    if problems or (key is not None and not look.font):
        raise StoryboardError(problems)
    return tuple(found)


def _use_home_around(file: Path, context: Context) -> None:
    """Use the stages of the project that a storyboard is in.

    Raises:
        StoryboardError: if another film of the command uses those of another project.
    """
    project = project_around(file.resolve().parent)
    if project is None:
        return
    before, context.project = context.project, project
    if before not in (None, project) and any(
        (one / "stages").is_dir() for one in (before, project)
    ):
        message = f"its stages are in {project}, those of another film in {before}; one at a time"
        raise StoryboardError.at(Place(str(file)), message)
    use_project(project)


def _same_names(films: Sequence[Film]) -> Iterator[Problem]:
    """Problems with films that would be written to the same place."""
    first: dict[str, Film] = {}
    for film in films:
        other = first.setdefault(film.name, film)
        if other is not film:
            message = f"{other.file} makes a film called {film.name} too; render one at a time"
            yield Problem.at(Place(str(film.file)), message)


def _unknown_names(context: Context, only: Sequence[str]) -> Iterator[Problem]:
    """Problems with `--set` and `--shot` that name no shot or input of any film."""
    if not context.complete:
        return
    for setting in context.settings:
        if setting.shot is not None and setting.shot not in context.shots:
            message = unknown_name("shot", setting.shot, list(context.shots))
            yield Problem.at(setting.given.place(), message)
        elif setting.shot is None and setting.name not in context.inputs:
            message = unknown_name("input", setting.name, list(context.inputs))
            yield Problem.at(setting.given.place(), message)
    for shot in only:
        if shot not in context.shots:
            message = unknown_name("shot", shot, list(context.shots))
            yield Problem.at(Place(f"--shot {shot}"), message)
