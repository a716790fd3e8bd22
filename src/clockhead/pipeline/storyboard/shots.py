"""From a storyboard to shots that are ready to be drawn.

Everything that can be known without drawing is found out here: the inputs are valid, the values are
computed, the texts are filled in and can be typeset, the claims and expectations are tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from string import Formatter
from typing import Any

from clockhead.pipeline.storyboard.expect import parse_expectation
from clockhead.pipeline.storyboard.giving_way import Way
from clockhead.pipeline.storyboard.inputs import Given, gather, override, take
from clockhead.pipeline.storyboard.languages import bad_catalogue
from clockhead.pipeline.storyboard.models import MAX_CAPTION, MAX_TITLE, Draft, ShotSpec
from clockhead.pipeline.storyboard.older_names import StoryboardFacts, older_names, suggestion
from clockhead.pipeline.storyboard.problems import Place, Problem
from clockhead.pipeline.storyboard.remedy import remedy
from clockhead.pipeline.storyboard.resolved import Context, ResolvedShot
from clockhead.pipeline.storyboard.texts import write
from clockhead.pipeline.storyboard.tree import Tree
from clockhead.pipeline.storyboard.wording import listed, show, unknown
from clockhead.pipeline.typed import clockhead
from clockhead.scenes.catalogues import CatalogueError
from clockhead.scenes.facts import Fact
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


def resolve_shots(
    tree: Tree, draft: Draft, context: Context
) -> tuple[list[ResolvedShot], list[Problem]]:
    """The shots of a film that are ready, and everything that is wrong with the others."""
    steps = [_Step(tree, draft, context, index, spec) for index, spec in draft.shots]
    shots = [shot for step in steps if (shot := step.resolve()) is not None]
    problems = [*_same_ids(steps), *_idle_inputs(tree, draft, steps), *_told(steps)]
    context.known.complete &= draft.complete and all(step.stage for step in steps)
    return shots, problems


class _Step:
    """One shot on its way."""

    def __init__(
        self, tree: Tree, draft: Draft, context: Context, index: int, spec: ShotSpec
    ) -> None:
        self.tree = tree
        self.draft = draft
        self.context = context
        self.look = context.wish.over(draft.look)
        self.index = index
        self.spec = spec
        self.id = spec.id or spec.stage.rpartition(".")[2]
        self.language = ENGLISH
        self.problems: list[Problem] = []
        self.ways: tuple[Way, ...] = ()
        self.stage = self._find_stage()

    def resolve(self) -> ResolvedShot | None:
        """The shot, unless something is wrong with it; then `problems` says what."""
        if self.stage is None:
            return None
        self.context.known.shots.setdefault(self.id)
        self.context.known.inputs.update(dict.fromkeys(self.stage.Inputs.model_fields))
        try:
            return self._resolve(self.stage)
        except CatalogueError as error:
            self.problems.append(bad_catalogue(error))
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
        own = stage.facts_of(inputs, values)
        facts = StoryboardFacts(own, older_names(self.spec.stage))
        texts = self._texts(stage, facts, own)
        expected = list(self._broken_expectations(facts))
        say = self._say_instead(len(list(flaws.sayings(stage, values, ()))), facts)
        self.problems.extend(map(Problem.of, flaws.flaws_of(stage, inputs, values, texts=())))
        own_texts = [name for name in flaws.TEXTS if not getattr(self.spec, name, "")]
        said = (stage, inputs, values, self.language, own_texts)
        self.problems.extend(map(Problem.of, translations.mistranslated(*said)))
        if self.problems:
            return None
        failures = [*self._broken_claims(stage, inputs, values), *expected]
        shot = Shot(
            inputs=inputs,
            notes=stage.sentences(inputs, values, self.language),
            hold=self.spec.hold,
            language=self.language,
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
            self.ways,
            tuple(map(Problem.of, translations.untranslated(*said))),
            self._facts_told(stage, values),
        )

    def _find_stage(self) -> type[Stage] | None:
        try:
            return find_stage(self.spec.stage)
        except UnknownStage as error:
            meant = suggestion(error)
            near = f"; did you mean {meant}?" if meant else ""
            hint = f"`{clockhead('stages')}` lists them"
            self._say(f"there is no stage {show(error.name)}{near} ({hint})", "stage")
        except BrokenStage as error:
            self._say(str(error), "stage")
        return None

    def _compute(self, stage: type[Stage]) -> tuple[StageInputs, Any] | None:
        gone = older_names(self.spec.stage).gone
        taken = take(stage, self.given, self._place("inputs"), gone)
        self.problems.extend(taken.problems)
        self.ways = taken.ways
        return None if taken.inputs is None else (taken.inputs, taken.values)

    def _texts(
        self, stage: type[Stage], facts: Mapping[str, Fact], own: Mapping[str, Fact]
    ) -> dict[str, str]:
        """Title, question and caption: the storyboard's, or else the stage's own."""
        given = {"title": self.spec.title, "question": "", "caption": self.spec.caption}
        texts = {}
        for name, template in given.items():
            longest = MAX_CAPTION if name == "caption" else MAX_TITLE
            known = facts if template else own
            at = ("shots", self.index, name)
            line = partial(self.tree.line, at) if given[name] else None
            with speaking(self.language):
                template = template or translated(getattr(stage, name, ""))
                texts[name], problems = write(template, known, longest, self.context.formulas, line)
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
                numbers = clockhead("numbers", self.tree.file)
                hint = f"without this line `{numbers}` numbers them"
                message = f"{unknown('sentence', name, names)}; {hint}"
                self.problems.append(Problem.at(self.tree.key_place(at), message))
                continue
            line = partial(self.tree.line, at)
            with speaking(self.language):
                say[name], wrong = write(template, facts, MAX_CAPTION, self.context.formulas, line)
            self.problems.extend(Problem.at(self.tree.place(at), what) for what in wrong)
        return say

    def _facts_told(self, stage: type[Stage], values: Any) -> tuple[str, ...]:
        """The facts that the sentences name, in their order."""
        templates = [self.spec.title or stage.title, getattr(stage, "question", "")]
        templates += [saying.template for saying in flaws.sayings(stage, values, ())]
        templates.append(self.spec.caption or stage.caption)
        fields = (field for text in templates for _, field, _, _ in Formatter().parse(text))
        return tuple(dict.fromkeys(filter(None, fields)))

    def _broken_claims(
        self, stage: type[Stage], inputs: StageInputs, values: Any
    ) -> Iterator[Problem]:
        broken = [finding for finding in stage.findings(inputs, values) if not finding.holds]
        advice = self._remedy(stage, inputs) if broken else ""
        for finding in broken:
            message = f"{finding.says}: this does not hold; {finding.found}{advice}"
            yield Problem.at(self._place("stage"), message)

    def _remedy(self, stage: type[Stage], inputs: StageInputs) -> str:
        """With which inputs all that the stage says holds."""
        given = self.given
        lines = [
            given[name].line(name, value) if value is not None else f"no {name}"
            for name, value in remedy(stage, inputs).items()
            if name in given
        ]
        return f"; it holds with {' and '.join(lines)}" if lines else ""

    def _broken_expectations(self, facts: StoryboardFacts) -> Iterator[Problem]:
        for name in self._expected():
            if name not in facts:
                place = self.tree.key_place(("shots", self.index, "expect", name))
                message = unknown("fact", name, list(facts), facts.gone)
                self.problems.append(Problem.at(place, message))
        for name, text in self.spec.expect.items():
            if name not in facts:
                continue
            expectation = parse_expectation(text)
            try:
                holds = expectation.holds(facts[name])
            except ValueError as error:
                self._say(str(error), "expect", name)
                continue
            if not holds:
                message = f"{name} is {show(facts[name])}, not {expectation}"
                yield Problem.at(self._place("expect", name), message)

    def _expected(self) -> list[str]:
        """The facts of which the file expects something, be it a comparison or not."""
        at = ("shots", self.index, "expect")
        return [key[-1] for key in self.tree.keys_at if key[:-1] == at and isinstance(key[-1], str)]

    @cached_property
    def given(self) -> dict[str, Given]:
        """What the file and the command give the stage, if there is one."""
        if self.stage is None:
            return {}
        names = list(self.stage.Inputs.model_fields)
        given = gather(self.tree, self.index, self.spec, self.draft.inputs, names)
        return override(given, self.context.settings, self.id, names)

    def _place(self, *at: str) -> Place:
        return self.tree.place(("shots", self.index, *at))

    def _say(self, message: str, *at: str) -> None:
        self.problems.append(Problem.at(self._place(*at), message))


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
            remedy = "" if step.spec.id else "; give this one an `id` of its own"
            yield Problem.at(place, message + remedy)


def _idle_inputs(tree: Tree, draft: Draft, steps: Sequence[_Step]) -> Iterator[Problem]:
    """Inputs of the film that no shot knows."""
    if not draft.complete or not all(step.stage for step in steps):
        return
    known = list(
        dict.fromkeys(n for step in steps if step.stage for n in step.stage.Inputs.model_fields)
    )
    for name in draft.inputs:
        if name not in known and not tree.is_broken(("inputs", name)):
            yield Problem.at(tree.key_place(("inputs", name)), unknown("input", name, known))


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
            names = listed(ids) if len(ids) <= 3 else f"{len(ids)} shots"
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
    names = listed(ids) if len(ids) <= 3 else f"the other {len(ids)} shots that take it"
    return f"; for the others alone: {given.line(name, given.value)} in the inputs of {names}"


def _same_place(one: Problem, other: Problem) -> bool:
    return (one.file, one.line, one.column) == (other.file, other.line, other.column)
