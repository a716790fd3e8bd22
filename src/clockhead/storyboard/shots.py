"""From a storyboard to shots that are ready to be drawn.

Everything that can be known without drawing is found out here: the inputs are valid, the values are
computed, the texts are filled in and can be typeset, the claims and expectations are tested.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from clockhead.libraries import BUILT_IN
from clockhead.places import clockhead_command
from clockhead.scenes.catalogues import CatalogueError
from clockhead.scenes.facts import Fact, TemplateError, UnknownFact, facts_in, fill, misfits
from clockhead.scenes.language import ENGLISH, speaking, translated
from clockhead.scenes.stage import (
    BrokenStage,
    Film,
    Shot,
    Stage,
    StageInputs,
    UnknownStage,
    find_stage,
    flaws,
    translations,
)
from clockhead.scenes.stage.furniture import too_large
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.style.fonts import Font, drawing_with, fonts
from clockhead.scenes.style.layout import Region
from clockhead.storyboard.expect import Expectation, parse_expectation
from clockhead.storyboard.inputs import (
    Adjustment,
    Given,
    Setting,
    apply_settings,
    describe_remedy,
    find_remedy,
    inputs_in_file,
    resolve_inputs,
)
from clockhead.storyboard.models import MAX_CAPTION, MAX_TITLE, Draft, ShotSpec
from clockhead.storyboard.problems import (
    Place,
    Problem,
    catalogue_problem,
    join_names,
    show,
    unknown_name,
    unknown_stage,
)
from clockhead.storyboard.resolved import Context, ResolvedShot
from clockhead.storyboard.scalars import Value
from clockhead.storyboard.texts import fill_text, missing_letters, text_problems
from clockhead.storyboard.yaml_reader import Tree


@dataclass(frozen=True, slots=True)
class ResolvedShots:
    """What became of the shots of a storyboard."""

    shots: list[ResolvedShot]
    """Those whose sentences could be filled in."""
    refused: dict[str, tuple[Problem, ...]]
    """By the id of a shot whose point does not hold: why. Some of its facts do not exist then, so
    that its sentences cannot be filled in."""
    problems: list[Problem]
    """Everything that is wrong with the other shots."""
    settings: list[Setting]
    """What the command sets that changes any shot."""


def resolve_shots(
    tree: Tree, draft: Draft, context: Context, fonts: tuple[Font, ...] = ()
) -> ResolvedShots:
    """Prepare all shots of a storyboard, for letters in the user's `fonts` too."""
    with drawing_with(fonts):
        steps = [_Step(tree, draft, context, index, spec) for index, spec in draft.shots]
        shots = [shot for step in steps if (shot := step.resolve()) is not None]
    refused = {step.id: step.refusals for step in steps if step.refusals}
    problems = [*_same_ids(steps), *_idle_inputs(tree, draft, steps), *_told(steps)]
    context.known.complete &= draft.complete and all(step.stage for step in steps)
    settings = [one for one in context.settings if any(step.takes(one) for step in steps)]
    return ResolvedShots(shots, refused, problems, settings)


class _Step:
    """One shot on its way."""

    def __init__(
        self, tree: Tree, draft: Draft, context: Context, index: int, spec: ShotSpec
    ) -> None:
        self.tree = tree
        self.draft = draft
        self.context = context
        self.look = context.wish.apply_to(draft.look)
        self.index = index
        self.spec = spec
        self.id = spec.id or spec.stage.rpartition(".")[2]
        self.language = ENGLISH
        self.problems: list[Problem] = []
        self.refusals: tuple[Problem, ...] = ()
        """Why the shot is refused before its sentences are filled in."""
        self.adjustments: tuple[Adjustment, ...] = ()
        self.stage = self._find_stage()

    def takes(self, setting: Setting) -> bool:
        """Whether a setting is for this shot, and for an input that its stage has."""
        known = self.stage.Inputs.model_fields if self.stage else ()
        return setting.shot in (None, self.id) and setting.name in known

    def resolve(self) -> ResolvedShot | None:
        """The shot, unless something is wrong with it; then `problems` says what."""
        if self.stage is None:
            return None
        self.context.known.shots.setdefault(self.id)
        self.context.known.inputs.update(dict.fromkeys(self.stage.Inputs.model_fields))
        try:
            return self._resolve(self.stage)
        except CatalogueError as error:
            self.problems.append(catalogue_problem(error))
            return None
        except Exception as error:
            flaw = flaws.blame(error, self.stage)
            if flaw is None:
                raise
            self.problems.append(Problem.of(flaw))
            return None

    def _resolve(self, stage: type[Stage]) -> ResolvedShot | None:
        self.language = translations.spoken_by(stage, self.look.language)
        # With inputs that will not do, the defaults still show what is wrong with the texts.
        inputs, values = self._compute(stage) or _defaults(stage)
        facts = stage.facts_of(inputs, values)
        expected = self._expectations(facts)
        failures = [] if self.problems else self._failures(stage, inputs, values, facts, expected)
        if failures and self._lacks_facts(stage, values, facts):
            self.refusals = tuple(failures)
            return None
        texts = self._texts(stage, facts)
        say = self._say_instead(len(list(flaws.sayings(stage, values, ()))), facts)
        self.problems.extend(map(Problem.of, flaws.flaws_of(stage, inputs, values, texts=())))
        self.problems.extend(self._wrong_sayings(stage, values, facts))
        own_texts = [name for name in flaws.TEXTS if not getattr(self.spec, name, "")]
        said = (stage, inputs, values, self.language, own_texts)
        self.problems.extend(map(Problem.of, translations.mistranslated(*said)))
        if self.problems:
            return None
        notes = stage.sentences(inputs, values, self.language)
        for saying, note in zip(flaws.sayings(stage, values, ()), notes, strict=True):
            place = Place(saying.file, saying.line, 1, saying.what)
            self.problems.extend(Problem.at(place, message) for message in missing_letters(note))
        if self.problems:
            return None
        shot = Shot(
            inputs=inputs,
            notes=notes,
            hold=self.spec.hold,
            language=self.language,
            fonts=fonts(),
            theme=self.look.theme,
            captions=self.look.captions,
            pace=self.look.pace,
            film=Film(self.draft.title, self.draft.credit),
            values=values,
            title=texts["title"],
            question=texts["question"],
            caption=texts["caption"],
        )
        return ResolvedShot(
            self.id,
            self.index + 1,
            self.spec.stage,
            shot,
            facts,
            values,
            say,
            tuple(failures),
            self.adjustments,
            tuple(map(Problem.of, translations.untranslated(*said))),
            self._facts_told(stage, values, facts),
        )

    def _find_stage(self) -> type[Stage] | None:
        try:
            return find_stage(self.spec.stage)
        except UnknownStage as error:
            hint = f"`{clockhead_command('stages')}` lists them"
            self._say(f"{unknown_stage(error)} ({hint})", "stage")
        except BrokenStage as error:
            self._say(str(error), "stage")
        return None

    def _compute(self, stage: type[Stage]) -> tuple[StageInputs, Any] | None:
        place = self._place("inputs")
        computed, problems = resolve_inputs(stage, self.given, place, self.file_inputs)
        self.problems.extend(problems)
        self.adjustments = computed.adjustments
        return None if computed.inputs is None else (computed.inputs, computed.values)

    def _texts(self, stage: type[Stage], facts: Facts) -> dict[str, str]:
        """Title, question and caption: the storyboard's, or else the stage's own."""
        given = {"title": self.spec.title, "question": "", "caption": self.spec.caption}
        texts = {}
        for name, template in given.items():
            longest = MAX_CAPTION if name == "caption" else MAX_TITLE
            at = ("shots", self.index, name)
            line = partial(self.tree.line, at) if given[name] else None
            with speaking(self.language):
                template = template or translated(getattr(stage, name, ""))
                texts[name], problems = fill_text(
                    template, facts, longest, self.context.formulas, line
                )
            if not problems and self._is_too_large(texts[name], name):
                problems = [f"its formulas are too large for {self.look.aspect}"]
            for problem in problems:
                if given[name]:
                    self._say(problem, name)
                else:
                    flaw = translations.in_text(stage, name, problem, self.language)
                    self.problems.append(Problem.of(flaw))
        return texts

    def _say_instead(self, n_notes: int, facts: Mapping[str, Fact]) -> dict[str, str]:
        """What a voice says in place of sentences, filled in."""
        names = ["question", *(str(number) for number in range(1, n_notes + 1)), "caption"]
        say = {}
        for name, template in self.spec.say.items():
            at = ("shots", self.index, "say", name)
            if name not in names:
                numbers = clockhead_command("numbers", self.tree.file)
                hint = f"without this line `{numbers}` numbers them"
                message = f"{unknown_name('sentence', name, names)}; {hint}"
                self.problems.append(Problem.at(self.tree.key_place(at), message))
                continue
            line = partial(self.tree.line, at)
            with speaking(self.language):
                say[name], wrong = fill_text(
                    template, facts, MAX_CAPTION, self.context.formulas, line
                )
            self.problems.extend(Problem.at(self.tree.place(at), what) for what in wrong)
        return say

    def _wrong_sayings(
        self, stage: type[Stage], values: Any, facts: Mapping[str, Fact]
    ) -> Iterator[Problem]:
        """What is wrong with the beats of one's own stages; those of Clockhead are tested."""
        if BUILT_IN.holds(Path(inspect.getsourcefile(stage) or "")):
            return
        for saying in flaws.sayings(stage, values, ()):
            with speaking(self.language):
                template = translated(saying.template)
                if not misfits(template, facts):
                    wrong = text_problems(template, self.context.formulas, facts)
                    if not wrong and self._is_too_large(fill(template, facts), "sentence"):
                        wrong = [f"its formulas are too large for {self.look.aspect}"]
                    place = saying.file, saying.line, saying.what
                    yield from (Problem.of(flaws.Flaw(*place, message)) for message in wrong)

    def _is_too_large(self, text: str, part: str) -> bool:
        """Whether a text does not fit; `check`, `render` and the studio judge by this alike."""
        is_seen = part in ("title", "question") or self.look.captions != "off"
        return is_seen and too_large(text, part, Region.of(self.look.width, self.look.height))

    def _facts_told(
        self, stage: type[Stage], values: Any, facts: Mapping[str, Fact]
    ) -> tuple[str, ...]:
        """The facts that the sentences name, in their order."""
        templates = [self.spec.title or stage.title, getattr(stage, "question", "")]
        templates += [saying.template for saying in flaws.sayings(stage, values, ())]
        templates.append(self.spec.caption or stage.caption)
        return tuple(dict.fromkeys(name for text in templates for name in facts_in(text, facts)))

    def _failures(
        self,
        stage: type[Stage],
        inputs: StageInputs,
        values: Any,
        facts: Facts,
        expected: Mapping[str, Expectation],
    ) -> list[Problem]:
        """The claims and expectations that do not hold, each with inputs for which all do."""
        try:
            findings = stage.findings(inputs, values)
        except TemplateError:  # the claim names no fact: that is a flaw of the stage, told as such
            return []
        claims = [
            (self._place("stage"), f"{finding.says}: this does not hold; {finding.found}")
            for finding in findings
            if not finding.holds
        ]
        unmet = []
        for name, expectation in expected.items():
            if not self._is_met(name, expectation, facts):
                fact = show(facts[name]) if name in facts else "not to be had for these inputs"
                message = f"{name} is {fact}, not {expectation.describe(facts)}"
                unmet.append((self._place("expect", name), message))
        if not claims and not unmet:
            return []

        def all_met(inputs: StageInputs, values: Any) -> bool:
            others = stage.facts_of(inputs, values)
            return all(self._is_met(name, one, others) for name, one in expected.items())

        given = {name: item.value for name, item in self.given.items()}
        for_all = find_remedy(stage, given, self.file_inputs, all_met)
        for_claims = for_all or (find_remedy(stage, given, self.file_inputs) if claims else {})
        return [
            Problem.at(place, message, describe_remedy(change, self.given, "holds"))
            for found, change in ((claims, for_claims), (unmet, for_all))
            for place, message in found
        ]

    def _expectations(self, facts: Facts) -> dict[str, Expectation]:
        """What the file expects, of facts that there are; what is wrong with the rest is told."""
        expected = {name: parse_expectation(text) for name, text in self.spec.expect.items()}
        for key in self._expected():
            other = expected[key].other if key in expected else ""
            for name in filter(None, (key, other)):
                if not _is_declared(name, facts):
                    place = self.tree.key_place(("shots", self.index, "expect", key))
                    message = unknown_name("fact", name, list(facts))
                    self.problems.append(Problem.at(place, message))
                    expected.pop(key, None)
        for name in list(expected):
            try:
                self._is_met(name, expected[name], facts)
            except ValueError as error:
                self._say(str(error), "expect", name)
                del expected[name]
        return expected

    @staticmethod
    def _is_met(name: str, expectation: Expectation, facts: Mapping[str, Fact]) -> bool:
        needed = (name, expectation.other) if expectation.other else (name,)
        return all(one in facts for one in needed) and expectation.holds(facts[name], facts)

    def _lacks_facts(self, stage: type[Stage], values: Any, facts: Facts) -> bool:
        """Whether a sentence names a fact that is declared, and that these values do not have."""
        templates = [self.spec.title, self.spec.caption, *self.spec.say.values()]
        templates += [saying.template for saying in flaws.sayings(stage, values)]
        return any(
            isinstance(error, UnknownFact) and _is_declared(error.name, facts)
            for template in templates
            for error in misfits(template, facts)
        )

    def _expected(self) -> list[str]:
        """The facts of which the file expects something, be it a comparison or not."""
        at = ("shots", self.index, "expect")
        return [key[-1] for key in self.tree.keys_at if key[:-1] == at and isinstance(key[-1], str)]

    @cached_property
    def given(self) -> dict[str, Given]:
        """What the file and the command give the stage, if there is one."""
        names = list(self.stage.Inputs.model_fields) if self.stage else []
        return apply_settings(self._of_the_file, self.context.settings, self.id, names)

    @cached_property
    def file_inputs(self) -> dict[str, Value]:
        """What the file alone gives the stage."""
        return {name: item.value for name, item in self._of_the_file.items()}

    @cached_property
    def _of_the_file(self) -> dict[str, Given]:
        names = list(self.stage.Inputs.model_fields) if self.stage else []
        return inputs_in_file(self.tree, self.index, self.spec, self.draft.inputs, names)

    def _place(self, *at: str) -> Place:
        return self.tree.place(("shots", self.index, *at))

    def _say(self, message: str, *at: str) -> None:
        self.problems.append(Problem.at(self._place(*at), message))


def _is_declared(name: str, facts: Facts) -> bool:
    """Whether the stage has a fact of this name, for these inputs or for others."""
    return name in facts.about or name in facts


def _defaults(stage: type[Stage]) -> tuple[StageInputs, Any]:
    inputs = stage.Inputs()
    return inputs, stage.compute(inputs)


def _same_ids(steps: Sequence[_Step]) -> Iterator[Problem]:
    first: dict[str, _Step] = {}
    for step in steps:
        other = first.setdefault(step.id, step)
        if other is not step and step.stage is not None:
            place = step.tree.place(("shots", step.index, "id" if step.spec.id else "stage"))
            line = other.tree.place(("shots", other.index)).line
            message = f"a second shot called {step.id}; the first is in line {line}"
            find_remedy = "" if step.spec.id else "; give this one an `id` of its own"
            yield Problem.at(place, message + find_remedy)


def _idle_inputs(tree: Tree, draft: Draft, steps: Sequence[_Step]) -> Iterator[Problem]:
    """Inputs of the film that no shot knows."""
    if not draft.complete or not all(step.stage for step in steps):
        return
    known = list(
        dict.fromkeys(n for step in steps if step.stage for n in step.stage.Inputs.model_fields)
    )
    for name in draft.inputs:
        if name not in known and not tree.is_broken(("inputs", name)):
            yield Problem.at(tree.key_place(("inputs", name)), unknown_name("input", name, known))


def _told(steps: Sequence[_Step]) -> Iterator[Problem]:
    """Every shot's problems; one that some shots have with what they share says which."""
    shots: dict[Problem, list[str]] = {}
    for step in steps:
        for problem in step.problems:
            shots.setdefault(problem, []).append(step.id)
    for problem, ids in shots.items():
        own = problem.path.startswith("shots[") or problem.file.startswith(f"--set {ids[0]}.")
        if own or len(ids) == len(steps):
            yield problem
        else:
            names = join_names(ids) if len(ids) <= 3 else f"{len(ids)} shots"
            advice = _for_the_others(problem, steps)
            yield replace(problem, message=f"{problem.message} (for {names}){advice}")


def _for_the_others(problem: Problem, steps: Sequence[_Step]) -> str:
    """How to give an input that some shots refuse to those alone that take it."""
    takers: dict[str, tuple[str, Given]] = {}
    for step in steps:
        if step.stage is None or any(_same_place(problem, other) for other in step.problems):
            continue
        for name, given in step.given.items():
            if given.covers(problem):
                takers[step.id] = name, given
    if not takers:
        return ""
    name, given = next(iter(takers.values()))
    if given.option:
        lines = [replace(given, option=f"{shot}.{name}").line(name, given.value) for shot in takers]
        return f"; for the others alone: {' '.join(lines)}"
    ids = list(takers)
    names = join_names(ids) if len(ids) <= 3 else f"the other {len(ids)} shots that take it"
    return f"; for the others alone: {given.line(name, given.value)} in the inputs of {names}"


def _same_place(one: Problem, other: Problem) -> bool:
    return (one.file, one.line, one.column) == (other.file, other.line, other.column)
