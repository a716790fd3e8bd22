"""Resolve a storyboard's shots, so that they are ready to be drawn.

Everything that can be checked without drawing is checked here: inputs are validated, values
computed, texts filled in and typeset, claims and expectations tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from clockhead.home import HomeError, file_in_home
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.places import clockhead_command
from clockhead.scenes.catalogues import CatalogueError
from clockhead.scenes.facts import (
    Fact,
    TemplateError,
    UnknownFact,
    misfits,
)
from clockhead.scenes.language import ENGLISH, Language, speaking
from clockhead.scenes.stage import (
    BrokenStage,
    FilmCredits,
    Shot,
    Stage,
    StageInputs,
    UnknownStage,
    find_stage,
    flaws,
    translations,
)
from clockhead.scenes.stage.data_files import DataFile, using_data
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.style.fonts import Font, drawing_with, fonts
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.own_look import CLOCKHEAD_LOOK, OwnLook
from clockhead.scenes.style.pictures import PictureError, PictureFile, read_picture
from clockhead.storyboard.data_files import DataError, read_data
from clockhead.storyboard.expect import Expectation, parse_expectation
from clockhead.storyboard.handles import resolve_handles
from clockhead.storyboard.inputs import (
    Given,
    Setting,
    apply_settings,
    describe_remedy,
    find_remedy,
    inputs_in_file,
    resolve_inputs,
    validate,
)
from clockhead.storyboard.models import Draft, ShotSpec
from clockhead.storyboard.problems import (
    Place,
    Problem,
    catalogue_problem,
    join_names,
    show,
    unknown_name,
    unknown_stage,
)
from clockhead.storyboard.resolved import Context, ResolvedShot, Turned
from clockhead.storyboard.scalars import normalize_text
from clockhead.storyboard.shot_texts import ShotTexts, is_declared, size_problems
from clockhead.storyboard.texts import TextChecker
from clockhead.storyboard.yaml_reader import KeyPath, Tree


@dataclass(frozen=True, slots=True)
class ResolvedShots:
    """The shots of a storyboard, and what is wrong with the others."""

    shots: list[ResolvedShot]
    refused: dict[str, tuple[Problem, ...]]
    """Ids of shots whose claims do not hold and whose texts need facts that do not exist then."""
    problems: list[Problem]
    """Everything that is wrong with the remaining shots."""
    settings: list[Setting]
    """Settings of the command that change any shot."""


def resolve_shots(
    tree: Tree,
    draft: Draft,
    context: Context,
    fonts: tuple[Font, ...] = (),
    own: OwnLook = CLOCKHEAD_LOOK,
) -> ResolvedShots:
    """Resolve all shots of a storyboard, in the user's `fonts` and colours."""
    with drawing_with(fonts):
        resolvers = [_ShotResolver(tree, draft, context, own, i, spec) for i, spec in draft.shots]
        shots = [shot for one in resolvers if (shot := one.resolve()) is not None]
    refused = {one.id: one.refusals for one in resolvers if one.refusals}
    is_complete = draft.complete and all(one.stage for one in resolvers)
    context.complete &= is_complete
    problems = [*_same_ids(resolvers), *_merge_problems(resolvers)]
    if is_complete:
        known = list(dict.fromkeys(name for one in resolvers for name in one.input_names))
        problems += [
            Problem.at(tree.key_place(("inputs", name)), unknown_name("input", name, known))
            for name in draft.inputs
            if name not in known and not tree.is_broken(("inputs", name))
        ]
    settings = [s for s in context.settings if any(one.uses(s) for one in resolvers)]
    return ResolvedShots(shots, refused, problems, settings)


@dataclass
class _ShotResolver:
    """Resolves one shot and collects its problems."""

    tree: Tree
    draft: Draft
    context: Context
    own: OwnLook
    index: int
    """Of the shot in the file."""
    spec: ShotSpec
    seeks_remedies: bool = True
    """Whether messages offer inputs that work."""
    language: Language = ENGLISH
    problems: list[Problem] = field(default_factory=list)
    refusals: tuple[Problem, ...] = ()
    """Claims that do not hold, if the shot's texts cannot be filled in then."""

    def __post_init__(self) -> None:
        self.id = self.spec.shot_id
        self.look = replace(self.context.wish.apply_to(self.draft.look), own=self.own)
        self.stage = self._find_stage()
        self.input_names = list(self.stage.Inputs.model_fields) if self.stage else []
        shared = self.draft.inputs
        in_file = inputs_in_file(self.tree, self.index, self.spec, shared, self.input_names)
        self.file_inputs = {name: given.value for name, given in in_file.items()}
        self.given = apply_settings(in_file, self.context.settings, self.id, self.input_names)

    def uses(self, setting: Setting) -> bool:
        """Whether a setting is for this shot and its stage has the input."""
        return setting.shot in (None, self.id) and setting.name in self.input_names

    def resolve(self) -> ResolvedShot | None:
        """The shot, or None if it has problems."""
        if self.stage is None:
            return None
        self.context.shots.setdefault(self.id)
        self.context.inputs.update(dict.fromkeys(self.input_names))
        try:
            data = self._read_data(self.stage)
            if self.problems:  # what other inputs mean depends on what is in the files
                return None
            files = tuple(dict.fromkeys(file for file, _ in data.values()))
            with using_data({name: patterns for name, (_, patterns) in data.items()}):
                return self._resolve(self.stage, files)
        except CatalogueError as error:
            self.problems.append(catalogue_problem(error))
        except Exception as error:
            flaw = flaws.blame(error, self.stage)
            if flaw is None:
                raise
            self.problems.append(Problem.of(flaw))
        return None

    def _resolve(self, stage: type[Stage], data: tuple[DataFile, ...]) -> ResolvedShot | None:
        self.language = translations.spoken_by(stage, self.look.language)
        computed, problems = resolve_inputs(
            stage, self.given, self._place("inputs"), self.file_inputs
        )
        self.problems += problems
        inputs, values = computed.inputs, computed.values
        pictures: tuple[PictureFile, ...] = ()
        if inputs is not None:
            inputs = self._without_folders(stage, inputs)
            pictures = self._pictures(stage, inputs)
            wrong = list(self._free_text_problems(stage, inputs))
            self.problems += wrong
            inputs = None if wrong else inputs
        if inputs is None:  # the defaults still show what is wrong with the texts
            inputs = stage.Inputs()
            values = stage.compute(inputs)
        facts = stage.facts_of(inputs, values)
        expected = self._expectations(facts)
        failures = [] if self.problems else self._failures(stage, inputs, values, facts, expected)
        if failures and self._needs_missing_facts(stage, values, facts):
            self.refusals = tuple(failures)
            return None
        texts = ShotTexts(
            tree=self.tree,
            index=self.index,
            spec=self.spec,
            stage=stage,
            values=values,
            facts=facts,
            language=self.language,
            look=self.look,
            problems=self.problems,
        )
        shown, own_lines, notes = texts.shown(), texts.lines(), texts.notes()
        quizzes, spoken = texts.quizzes(), texts.spoken()
        words = self.spec.words
        elsewhere = [*flaws.TEXTS, *words]
        sayings = list(flaws.sayings(stage, values, elsewhere))
        self.problems += map(Problem.of, flaws.flaws_of(stage, inputs, values, elsewhere))
        texts.check_stage(sayings)
        in_language = (stage, inputs, values, self.language, words)
        self.problems += map(Problem.of, translations.mistranslated(*in_language))
        as_json = inputs.model_dump(mode="json")
        handles, wrong = resolve_handles(
            stage, self.spec, self.given, as_json, self.tree, self.index
        )
        self.problems += wrong
        if handles and pictures:
            self._report("a shot with a picture of yours has no handles: leave them out", "handles")
        if self.problems:
            return None
        texts.check_letters(sayings)
        if self.problems:
            return None
        shot = Shot(
            inputs=inputs,
            lines=stage.lines_of(inputs, values, self.language, words),
            hold=self.spec.hold,
            language=self.language,
            fonts=fonts(),
            theme=self.look.theme,
            own=self.look.own,
            pictures=pictures,
            data=data,
            captions=self.look.captions,
            pace=self.look.pace,
            film=FilmCredits(self.draft.title, self.draft.credit),
            values=values,
            title=shown["title"],
            question=shown["question"],
            caption=shown["caption"],
        )
        if refusal := stage.refusal(shot, Region.of(self.look.width, self.look.height)):
            self._report(refusal, "stage")
            return None
        return ResolvedShot(
            id=self.id,
            number=self.index + 1,
            stage=self.spec.stage,
            shot=shot,
            facts=facts,
            values=values,
            say=spoken,
            own_lines=own_lines,
            notes=notes,
            quizzes=quizzes,
            failures=tuple(failures),
            adjustments=computed.adjustments,
            warnings=tuple(map(Problem.of, translations.untranslated(*in_language))),
            fact_names=texts.fact_names(),
            expected=tuple(expected),
            handles=handles,
            turn=partial(self._turn, fonts()),
        )

    def _free_text_problems(self, stage: type[Stage], inputs: StageInputs) -> Iterator[Problem]:
        """Problems with texts of the user's among the inputs: formulas, markup, letters."""
        for name in stage.free_texts:
            given = self.given.get(name)
            if given is None:
                continue
            for number, text in enumerate(getattr(inputs, name)):
                at: KeyPath = ("shots", self.index, "inputs", name, number)
                line = partial(self.tree.line, at) if at in self.tree.values_at else None
                found = TextChecker(line=line).problems(text)
                found = found or size_problems(text, "line", self.look)
                yield from (Problem.at(given.place((number,)), message) for message in found)

    def _pictures(self, stage: type[Stage], inputs: StageInputs) -> tuple[PictureFile, ...]:
        """The pictures that inputs name; problems with them are collected."""
        found = []
        for name in stage.picture_files:
            file = getattr(inputs, name)
            given = self.given.get(name)
            if file and given is not None:
                try:
                    found.append(read_picture(self._file_in_home(file, "a picture")))
                except (HomeError, PictureError) as error:
                    self.problems.append(Problem.at(given.place(), f"{show(file)}: {error}"))
        return tuple(found)

    def _file_in_home(self, name: str, noun: str) -> Path:
        return file_in_home(Path(self.tree.file), name, noun)

    def _read_data(self, stage: type[Stage]) -> dict[str, tuple[DataFile, AttentionPatterns]]:
        """The data files that inputs name, as they name them; problems are collected."""
        found = {}
        for name in stage.data_files:
            given = self.given.get(name)
            if given is None or not isinstance(given.value, str) or not given.value:
                continue
            file = normalize_text(given.value)
            if validate(stage, {name: file})[1]:
                continue  # it is no name of a data file, which is reported with the other inputs
            try:
                if given.is_users:
                    path = Path(given.value).expanduser()
                else:
                    path = self._file_in_home(file, "a data file")
                found[file] = found[path.name if given.is_users else file] = read_data(path)
            except (HomeError, DataError, RuntimeError) as error:
                self.problems.append(Problem.at(given.place(), f"{show(file)}: {error}"))
        return found

    def _without_folders(self, stage: type[Stage], inputs: StageInputs) -> StageInputs:
        """Inputs in which data files from elsewhere have no folders: films are for others, too."""
        users = [name for name in stage.data_files if name in self.given]
        names = {
            name: Path(getattr(inputs, name)).name for name in users if self.given[name].is_users
        }
        return inputs.model_copy(update=names) if names else inputs

    def _turn(self, letters: tuple[Font, ...], inputs: Mapping[str, Any]) -> Turned:
        """The shot with other values of inputs, and what does not hold for them."""
        settings = [
            Setting(self.id, name, Given(value, Place(name), option=f"{self.id}.{name}"))
            for name, value in inputs.items()
        ]
        spec = self.spec.model_copy(update={"handles": {}, "expect": {}})
        context = Context([*self.context.settings, *settings], self.context.wish)
        with drawing_with(letters):
            turned = _ShotResolver(
                self.tree, self.draft, context, self.own, self.index, spec, seeks_remedies=False
            )
            shot = turned.resolve()
        if shot is None:
            return Turned(refusals=turned.refusals or tuple(turned.problems))
        refusals = list(shot.failures)
        for path, text in self.spec.expect.items():
            expectation = parse_expectation(text)
            if path not in shot.facts or not _is_met(path, expectation, shot.facts):
                with speaking(self.language):
                    message = expectation.explain_to_readers(path, shot.facts)
                refusals.append(Problem.at(self._place("expect", path), message))
        shown = replace(shot, expected=tuple(self.spec.expect))
        return Turned(shown, bool(shot.failures), tuple(refusals))

    def _find_stage(self) -> type[Stage] | None:
        try:
            return find_stage(self.spec.stage)
        except UnknownStage as error:
            hint = f"`{clockhead_command('stages')}` lists them"
            self._report(f"{unknown_stage(error)} ({hint})", "stage")
        except BrokenStage as error:
            self._report(str(error), "stage")
        return None

    def _failures(
        self,
        stage: type[Stage],
        inputs: StageInputs,
        values: Any,
        facts: Facts,
        expected: Mapping[str, Expectation],
    ) -> list[Problem]:
        """Claims and expectations that do not hold, each with inputs for which all of them hold."""
        try:
            findings = stage.findings(inputs, values)
        except TemplateError:  # a claim names no fact, which is reported as a flaw of the stage
            return []
        claims = [
            (self._place("stage"), f"{finding.says}: this does not hold; {finding.found}")
            for finding in findings
            if not finding.holds
        ]
        unmet = []
        for name, expectation in expected.items():
            if not _is_met(name, expectation, facts):
                fact = show(facts[name]) if name in facts else "not to be had for these inputs"
                message = f"{name} is {fact}, not {expectation.describe(facts)}"
                unmet.append((self._place("expect", name), message))
        if not claims and not unmet:
            return []

        def all_met(inputs: StageInputs, values: Any) -> bool:
            others = stage.facts_of(inputs, values)
            return all(_is_met(name, one, others) for name, one in expected.items())

        given = {name: one.value for name, one in self.given.items()}
        if not self.seeks_remedies:
            return [Problem.at(*failure) for failure in (*claims, *unmet)]
        for_all = find_remedy(stage, given, self.file_inputs, all_met)
        for_claims = for_all or (find_remedy(stage, given, self.file_inputs) if claims else {})
        return [
            Problem.at(place, message, describe_remedy(change, self.given, "holds"))
            for found, change in ((claims, for_claims), (unmet, for_all))
            for place, message in found
        ]

    def _expectations(self, facts: Facts) -> dict[str, Expectation]:
        """The file's expectations of facts that exist; problems with the others are collected."""
        expected = {name: parse_expectation(text) for name, text in self.spec.expect.items()}
        at = ("shots", self.index, "expect")
        # Names are checked even if their comparisons are wrong and left out of the spec.
        for key in [str(path[-1]) for path in self.tree.keys_at if path[:-1] == at]:
            other = expected[key].other if key in expected else ""
            for name in filter(None, (key, other)):
                if not is_declared(name, facts):
                    message = unknown_name("fact", name, list(facts))
                    self.problems.append(Problem.at(self.tree.key_place((*at, key)), message))
                    expected.pop(key, None)
        for name, expectation in list(expected.items()):
            try:
                _is_met(name, expectation, facts)
            except ValueError as error:
                self._report(str(error), "expect", name)
                del expected[name]
        return expected

    def _needs_missing_facts(self, stage: type[Stage], values: Any, facts: Facts) -> bool:
        """Whether a text names a fact that the stage declares but these values do not have."""
        templates = [*self.spec.words.values(), *self.spec.say.values()]
        templates += [saying.template for saying in flaws.sayings(stage, values, self.spec.words)]
        return any(
            isinstance(error, UnknownFact) and is_declared(error.name, facts)
            for template in templates
            for error in misfits(template, facts)
        )

    def _place(self, *at: str) -> Place:
        return self.tree.place(("shots", self.index, *at))

    def _report(self, message: str, *at: str) -> None:
        self.problems.append(Problem.at(self._place(*at), message))


def _is_met(name: str, expectation: Expectation, facts: Mapping[str, Fact]) -> bool:
    needed = (name, expectation.other) if expectation.other else (name,)
    return all(one in facts for one in needed) and expectation.holds(facts[name], facts)


def _same_ids(resolvers: Sequence[_ShotResolver]) -> Iterator[Problem]:
    """Problems with shots that have the id of an earlier one."""
    first: dict[str, _ShotResolver] = {}
    for one in resolvers:
        other = first.setdefault(one.id, one)
        if other is not one and one.stage is not None:
            place = one.tree.place(("shots", one.index, "id" if one.spec.id else "stage"))
            line = other.tree.place(("shots", other.index)).line
            message = f"a second shot called {one.id}; the first is in line {line}"
            remedy = "" if one.spec.id else "; give this one an `id` of its own"
            yield Problem.at(place, message + remedy)


def _merge_problems(resolvers: Sequence[_ShotResolver]) -> Iterator[Problem]:
    """All problems of shots; a problem with a shared input that only some have says which."""
    shots: dict[Problem, list[str]] = {}
    for one in resolvers:
        for problem in one.problems:
            shots.setdefault(problem, []).append(one.id)
    for problem, ids in shots.items():
        is_own = problem.path.startswith("shots[") or problem.file.startswith(f"--set {ids[0]}.")
        if is_own or len(ids) == len(resolvers):
            yield problem
        else:
            names = join_names(ids) if len(ids) <= 3 else f"{len(ids)} shots"
            advice = _advice_for_others(problem, resolvers)
            yield replace(problem, message=f"{problem.message} (for {names}){advice}")


def _advice_for_others(problem: Problem, resolvers: Sequence[_ShotResolver]) -> str:
    """How to give an input that some shots refuse only to those that accept it."""
    place = (problem.file, problem.line, problem.column)
    accepted: dict[str, tuple[str, Given]] = {}
    for one in resolvers:
        if one.stage is None or place in [(p.file, p.line, p.column) for p in one.problems]:
            continue
        for name, given in one.given.items():
            if given.covers(problem):
                accepted[one.id] = name, given
    if not accepted:
        return ""
    name, given = next(iter(accepted.values()))
    ids = list(accepted)
    if given.option:
        lines = [replace(given, option=f"{shot}.{name}").line(name, given.value) for shot in ids]
        return f"; for the others alone: {' '.join(lines)}"
    names = join_names(ids) if len(ids) <= 3 else f"the other {len(ids)} shots that take it"
    return f"; for the others alone: {given.line(name, given.value)} in the inputs of {names}"
