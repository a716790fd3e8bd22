"""From a storyboard to shots that are ready to be drawn.

Everything that can be known without drawing is found out here: the inputs are valid, the values are
computed, the texts are filled in and can be typeset, the claims and expectations are tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.storyboard.expect import parse_expectation
from pipeline.storyboard.inputs import blame, gather, override, validate
from pipeline.storyboard.models import MAX_CAPTION, MAX_TITLE, Draft, ShotSpec
from pipeline.storyboard.older_names import StoryboardFacts, older_names, suggestion
from pipeline.storyboard.problems import Place, Problem
from pipeline.storyboard.resolved import Context, ResolvedShot
from pipeline.storyboard.texts import write
from pipeline.storyboard.tree import Tree
from pipeline.storyboard.wording import listed, show, unknown
from scenes.facts import Fact
from scenes.stage import (
    BrokenStage,
    Film,
    Finding,
    Shot,
    Stage,
    StageInputs,
    UnknownStage,
    find_stage,
    flaws,
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
        self.index = index
        self.spec = spec
        self.id = spec.id or spec.stage.rpartition(".")[2]
        self.problems: list[Problem] = []
        self.stage = self._find_stage()

    def resolve(self) -> ResolvedShot | None:
        """The shot, unless something is wrong with it; then `problems` says what."""
        if self.stage is None:
            return None
        self.context.known.shots.setdefault(self.id)
        self.context.known.inputs.update(dict.fromkeys(self.stage.Inputs.model_fields))
        try:
            return self._resolve(self.stage)
        except Exception as error:
            flaw = flaws.blame(error, self.stage)
            if flaw is None:
                raise
            self.problems.append(Problem.of(flaw))
            return None

    def _resolve(self, stage: type[Stage]) -> ResolvedShot | None:
        # With inputs that will not do, the defaults still show what is wrong with the texts.
        inputs, values = self._compute(stage) or _defaults(stage)
        own = stage.facts_of(inputs, values)
        facts = StoryboardFacts(own, older_names(self.spec.stage))
        texts = self._texts(stage, facts, own)
        expected = list(self._broken_expectations(facts))
        self.problems.extend(map(Problem.of, flaws.flaws_of(stage, inputs, values, texts=())))
        if self.problems:
            return None
        failures = [*self._broken_claims(stage.findings(inputs, values)), *expected]
        shot = Shot(
            inputs=inputs,
            notes=stage.sentences(inputs, values),
            hold=self.spec.hold,
            theme=self.context.theme,
            film=Film(self.draft.title, self.draft.credit),
            values=values,
            title=texts["title"],
            question=texts["question"],
            caption=texts["caption"],
        )
        return ResolvedShot(
            self.id, self.index + 1, self.spec.stage, shot, facts, values, tuple(failures)
        )

    def _find_stage(self) -> type[Stage] | None:
        try:
            return find_stage(self.spec.stage)
        except UnknownStage as error:
            meant = suggestion(error)
            near = f"; did you mean {meant}?" if meant else ""
            message = f"there is no stage {show(error.name)}{near} (`clockhead stages` lists them)"
            self._say(message, "stage")
        except BrokenStage as error:
            self._say(str(error), "stage")
        return None

    def _compute(self, stage: type[Stage]) -> tuple[StageInputs, Any] | None:
        names, gone = list(stage.Inputs.model_fields), older_names(self.spec.stage).gone
        given = gather(self.tree, self.index, self.spec, self.draft.inputs, names)
        given = override(given, self.context.settings, self.id, names)
        inputs, problems = validate(stage.Inputs, given, self._place("inputs"), gone)
        self.problems.extend(problems)
        if inputs is None:
            return None
        try:
            return inputs, stage.compute(inputs)
        except ValueError as error:
            place = blame(str(error), given, self._place("inputs"))
            self.problems.append(Problem.at(place, str(error)))
            return None

    def _texts(
        self, stage: type[Stage], facts: Mapping[str, Fact], own: Mapping[str, Fact]
    ) -> dict[str, str]:
        """Title, question and caption: the storyboard's, or else the stage's own."""
        given = {"title": self.spec.title, "question": "", "caption": self.spec.caption}
        texts = {}
        for name, template in given.items():
            longest = MAX_CAPTION if name == "caption" else MAX_TITLE
            known = facts if template else own
            template = template or getattr(stage, name, "")
            texts[name], problems = write(template, known, longest, self.context.formulas)
            for problem in problems:
                if given[name]:
                    self._say(problem, name)
                else:
                    self.problems.append(Problem.of(flaws.in_text(stage, name, problem)))
        return texts

    def _broken_claims(self, findings: Sequence[Finding]) -> Iterator[Problem]:
        for finding in findings:
            if not finding.holds:
                message = f"{finding.says}: this does not hold; {finding.found}"
                yield Problem.at(self._place("stage"), message)

    def _broken_expectations(self, facts: StoryboardFacts) -> Iterator[Problem]:
        for name, text in self.spec.expect.items():
            if name not in facts:
                place = self.tree.key_place(("shots", self.index, "expect", name))
                message = unknown("fact", name, list(facts), facts.gone)
                self.problems.append(Problem.at(place, message))
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
            yield replace(problem, message=f"{problem.message} (for {names})")
