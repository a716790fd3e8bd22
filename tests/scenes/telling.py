"""Whether what a film says is so, by stage and beat, over the facts that its words name.

A film's truths are formulas of their own, which ask nothing of `model` or a stage: for every path
that a sentence names, its value; for every sentence that a function chooses, which one it is; and
for words that claim more than the numbers in them, whether that holds. No truth knows how a
sentence reads, so that a comma can change without a test.

`python -m tests.scenes.test_truths` lists, for a reviewer, the sentences that nothing checks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clockhead.scenes.facts import facts_in
from clockhead.scenes.stage import Stage, StageInputs, find_stage, stage_names
from clockhead.scenes.stage.beats import beats_of
from clockhead.scenes.stage.paths import INPUTS, Facts
from tests.scenes.naming import misunited_facts

Inputs = Any
Formula = Callable[[Any], Any]
Check = Callable[[Any], bool]

_COUNTS = "no one two three four five six seven eight nine ten eleven"
_FIELD = re.compile(r"\{([^{}:]*)[^{}]*\}")
_BRACES = re.compile(r"\{[^{}]*\}|\{[^{}]*$|^[^{}]*\}")
"""A fact, or what an f-string leaves of it."""
_MARK = re.compile("\0(\\d+)\0")


# Values as sentences write them


def spelled(n: int) -> str:
    counts = _COUNTS.split()
    return counts[n] if n < len(counts) else str(n)


def listed(names: Iterable[Any], last: str = "and") -> str:
    *rest, final = map(str, names)
    return f"{', '.join(rest)} {last} {final}" if rest else final


def named(tokens: list[str], k: int) -> str:
    """A token in quotes, with its position where the word comes twice."""
    return f"“{tokens[k]}”" + (f" at {k}" if tokens.count(tokens[k]) > 1 else "")


def plural(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def percent(share: float) -> Check:
    """Whether a text is a share as a percentage, which is never rounded to all or nothing."""

    def check(text: str) -> bool:
        found = re.fullmatch(r"([<>] )?(\d+)(\.\d+)?%", text)
        if not found:
            return False
        step, number = 10.0 ** -len((found[3] or ".")[1:]), float(found[2] + (found[3] or ""))
        if found[1]:
            edge, beyond = (100 - step, 1) if found[1] == "> " else (step, -1)
            return beyond * (100 * share - edge) >= 0 and math.isclose(number, edge)
        return 0 < number < 100 and abs(100 * share - number) <= step / 2 + 1e-9

    return check


# What is due


class Variant:
    """Which of several sentences a function chooses, and the values that it writes in itself.

    Labels are ordered as the sentences are in the source, so that `False` belongs to the first
    of two; independent choices within a sentence make a tuple. A value may be a check of a text.
    """

    def __init__(self, label: Any, *parts: Any) -> None:
        self.label = label
        self.values = [str(part) for part in parts if not callable(part)]
        self.checks = [part for part in parts if callable(part)]

    def accounts_for(self, rest: list[str]) -> bool:
        """Whether texts that are no values are what its checks accept, one by one."""
        return len(rest) == len(self.checks) and all(
            check(text) for check, text in zip(self.checks, rest, strict=True)
        )


def agrees(found: Any, due: Any) -> bool:
    """Whether a fact is what it should be: a value, any of a set, or what a function accepts."""
    if isinstance(due, set | frozenset | list):
        return any(agrees(found, value) for value in due)
    if callable(due):
        return bool(due(found))
    if isinstance(found, str) or isinstance(due, str):
        return isinstance(found, str) and isinstance(due, str) and str(found) == str(due)
    if isinstance(found, bool):
        return found == bool(due)
    return math.isclose(found, due, rel_tol=1e-6, abs_tol=1e-9)


def spoiled(fact: Any) -> Any:
    """A fact that is wrong by little."""
    if isinstance(fact, bool):
        return not fact
    if isinstance(fact, str):
        return f"{fact[:-1]}x{fact[-1:]}"
    return fact + 1 if isinstance(fact, int) else fact * 1.02 + 0.001


@dataclass(frozen=True)
class Truths:
    """What is true of a stage, by formulas over the film's `world`."""

    facts: Mapping[str, Formula] = field(default_factory=dict)
    """By path, values that only this stage names, or that mean something else here."""
    choices: Mapping[str, Formula] = field(default_factory=dict)
    """By beat (with " ask" for its question), the label or `Variant` of a chosen sentence."""
    claims: Mapping[str, Check] = field(default_factory=dict)
    """By beat, title, question or caption, whether its words are true beyond the facts in them."""
    needs: Mapping[int, Check] = field(default_factory=dict)
    """When each of the stage's claims holds, by its number; the others hold for all inputs."""
    world: Callable[[Inputs], Any] | None = None
    """What this stage's formulas take, if it is not the film's."""


# What sentences say


@dataclass(frozen=True)
class Line:
    """A sentence of a stage before facts fill it, and the function that chose it, if one did."""

    key: str
    template: str
    source: Callable[[Any], str] | None = None


def lines(stage: type[Stage], values: Any) -> Iterator[Line]:
    """All that a stage says and writes of these values."""
    for key in ("title", "question", "caption"):
        yield Line(key, getattr(stage, key))
    for spec in beats_of(stage):
        if spec.told(values):
            name = spec.method.strip("_")
            told = spec.lines(values)
            for key, source, template in zip(
                (f"{name} ask", name), (spec.ask, spec.sentence), told, strict=True
            ):
                if template:
                    yield Line(key, template, None if isinstance(source, str) else source)


@cache
def pieces(function: Callable[..., Any]) -> tuple[str, ...]:
    """The texts from which a function of a film makes a sentence, in the order of the source.

    Functions of films that it calls, and texts that it closes over or finds in its module, count.
    """
    found = dict[str, None]()
    visited = set[Any]()

    def collect(thing: Any) -> None:
        if isinstance(thing, str):
            found.update(dict.fromkeys(_BRACES.split(thing)))
        elif isinstance(thing, tuple | list):
            for part in thing:
                collect(part)
        elif isinstance(thing, dict):
            collect([*thing.values()])
        elif isinstance(thing, FunctionType) and thing not in visited and _is_of_film(thing):
            visited.add(thing)
            search(thing.__code__, thing)
            collect([cell.cell_contents for cell in thing.__closure__ or ()])

    def search(code: CodeType, function: FunctionType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                search(constant, function)
            elif constant != function.__doc__:
                collect(constant)
        for name in code.co_names:
            collect(function.__globals__.get(name))

    collect(function)
    found.pop("", None)
    return tuple(found)


def _is_of_film(function: FunctionType) -> bool:
    return function.__module__.rpartition(".")[0] in {
        f"clockhead.scenes.{name.partition('.')[0]}" for name in stage_names()
    }


def _as_words(piece: str) -> str:
    """A pattern that finds a text inside of another, but not within a word."""
    before, after = r"(?<!\w)" * piece[0].isalnum(), r"(?!\w)" * piece[-1].isalnum()
    return before + re.escape(piece) + after


def variant(
    function: Callable[..., Any], text: str, values: Iterable[str]
) -> tuple[tuple[Any, ...], list[str]]:
    """Which pieces of a function's source a text is made of, and what is neither one nor a value.

    Values are taken out of the text first, in their order; one that is not in it is left over.
    """
    rest, done = list[str](), 0
    for value in values:
        value = re.escape(value)
        quoted, alone = f"(?<=“){value}(?=”)", rf"(?<!\w){value}(?!\w)"
        if found := re.search(quoted, text[done:]) or re.search(alone, text[done:]):
            start, end = done + found.start(), done + found.end()
            text, done = f"{text[:start]}{{}}{text[end:]}", start + 2
        else:
            rest.append(f"no {value}")
    known = {piece: k for k, piece in enumerate(pieces(function))}
    words = [piece for piece in known if any(map(str.isalpha, piece)) and len(piece) > 2]
    numbers = list[int]()
    for segment in _BRACES.split(text):
        if segment in known:
            numbers.append(known[segment])
            continue
        marked = segment
        for piece in sorted(words, key=len, reverse=True):
            marked = re.sub(_as_words(piece), f"\0{known[piece]}\0", marked)
        numbers += map(int, _MARK.findall(marked))
        left = _MARK.split(marked)[::2]
        rest += [part.strip(" .,:;?!“”") for part in left if any(map(str.isalnum, part))]
    return (*numbers, *filter(None, _FIELD.findall(text))), rest


@dataclass
class Choices:
    """Which sentences were chosen where, and for which labels."""

    met: dict[str, dict[tuple[Any, ...], tuple[Any, str]]] = field(default_factory=dict)
    """By beat or path and by what a sentence is made of, its label and an example."""
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)
    """By beat or path, what chooses."""

    def hold(self, key: str, function: Any, text: str, due: Any) -> Iterator[str]:
        self.functions[key] = function
        due = due if isinstance(due, Variant) else Variant(due)
        signature, rest = variant(function, text, due.values)
        if not due.accounts_for(rest):
            yield f"{key}: {text!r} should hold {due.values}, and holds {rest}"
        label, _ = self.met.setdefault(key, {}).setdefault(signature, (due.label, text))
        if label != due.label:
            yield f"{key}: {text!r} is said in case {label} and in case {due.label}"

    def unmet(self) -> Iterator[str]:
        """Words that stand in the source of a choice, and that no input brings up."""
        for key, found in self.met.items():
            seen = {number for signature in found for number in signature}
            for k, piece in enumerate(pieces(self.functions[key])):
                if k not in seen and len(piece.split()) > 2:
                    yield f"{key}: no input says {piece.strip()!r}"

    def confused(self) -> Iterator[str]:
        """Sentences that are not in the order of their labels, or that share one."""
        for key, found in self.met.items():
            ordered = [found[signature] for signature in sorted(found, key=_in_order)]
            for (label, text), (later, other) in pairwise(ordered):
                if not label < later:
                    yield f"{key}: case {later} ({other!r}) should come before {label} ({text!r})"


def _in_order(signature: tuple[Any, ...]) -> tuple[list[int], list[str]]:
    """By where the pieces stand in the source, then by the names of facts."""
    numbers = [part for part in signature if isinstance(part, int)]
    return numbers, [part for part in signature if isinstance(part, str)]


# Inputs


def legal(kind: type[StageInputs], given: Mapping[str, Any]) -> StageInputs | None:
    """Inputs of a stage, or None where it does not take them."""
    try:
        return kind(**given)
    except ValidationError:
        return None


def those_taken(name: str, examples: Iterable[Mapping[str, Any]]) -> list[StageInputs]:
    """Of inputs picked by hand, those that a stage knows and takes."""
    kind = find_stage(name).Inputs
    known = (one for one in examples if set(one) <= set(kind.model_fields))
    return [inputs for one in known if (inputs := legal(kind, one)) is not None]


# A film


@dataclass(frozen=True)
class FilmTruths:
    """What a film says, stage by stage, and the formulas by which it is so."""

    name: str
    world: Callable[[Inputs], Any]
    """What formulas take, made of a stage's inputs."""
    facts: Mapping[str, Formula]
    """By path, values that several stages name."""
    stages: Mapping[str, Truths]
    examples: Callable[[str], Iterable[StageInputs]]
    """By the full name of a stage, inputs picked by hand; the first are the usual ones."""
    drawn: Callable[[str], st.SearchStrategy[StageInputs | None]]
    n_drawn: Callable[[str], int] = lambda _: 60

    @property
    def names(self) -> list[str]:
        return [f"{self.name}.{stage}" for stage in self.stages]

    def knows_every_stage(self) -> bool:
        return set(self.names) == {
            name for name in stage_names() if name.startswith(f"{self.name}.")
        }

    def problems(self, name: str, inputs: Inputs, choices: Choices | None = None) -> list[str]:
        """What is not so.

        Of inputs that a claim refuses, as it should, the facts in the reason that have formulas.
        """
        stage, truths = find_stage(name), self._of(name)
        try:
            values = stage.compute(inputs)
        except ValueError:
            return []
        world = (truths.world or self.world)(inputs)
        holds = [finding.holds for finding in stage.findings(inputs, values)]
        due = [k not in truths.needs or truths.needs[k](world) for k in range(len(holds))]
        if holds != due:
            return [f"claims that hold: {holds}, and should: {due}"]
        facts = stage.facts_of(inputs, values)
        choices = Choices() if choices is None else choices
        if all(holds):
            stage.shot(inputs, values)
            return list(self._wrong(name, lines(stage, values), world, facts, choices))
        failed = [claim.found for claim, hold in zip(stage.claims, holds, strict=True) if not hold]
        named = [path for found in failed for path in facts_in(found, facts)]
        known = [path for path in named if self.formula(name, path)]
        return list(self._wrong_facts(name, known, world, facts, choices))

    def _wrong(
        self, name: str, said: Iterable[Line], world: Any, facts: Facts, choices: Choices
    ) -> Iterator[str]:
        truths, paths = self._of(name), dict[str, None]()
        for line in said:
            paths.update(dict.fromkeys(facts_in(line.template, facts)))
            yield from (f"{line.key}: {flaw}" for flaw in misunited_facts(line.template, facts))
            if line.source:
                if line.key in truths.choices:
                    due = truths.choices[line.key](world)
                    yield from choices.hold(line.key, line.source, line.template, due)
                else:
                    yield f"{line.key}: nothing says which sentence is chosen"
            if line.key in truths.claims and not truths.claims[line.key](world):
                yield f"{line.key}: {line.template!r} claims what is not so"
        yield from self._wrong_facts(name, paths, world, facts, choices)

    def _wrong_facts(
        self, name: str, paths: Iterable[str], world: Any, facts: Facts, choices: Choices
    ) -> Iterator[str]:
        derived = find_stage(name).derived
        for path in paths:
            if path.startswith(f"{INPUTS}."):
                continue
            if (formula := self.formula(name, path)) is None:
                yield f"{{{path}}} has no formula; it is {facts[path]!r}"
            elif isinstance(due := formula(world), Variant):
                key = f"{{{path}}}"
                yield from choices.hold(key, derived[path].value, str(facts[path]), due)
            elif not agrees(facts[path], due):
                yield f"{{{path}}} is {facts[path]!r}, and should be {due!r}"
            elif callable(due) and due(spoiled(facts[path])):
                yield f"{{{path}}} may be {spoiled(facts[path])!r} as well"

    def formula(self, name: str, path: str) -> Formula | None:
        return self._of(name).facts.get(path) or self.facts.get(path)

    def _of(self, name: str) -> Truths:
        return self.stages[name.partition(".")[2]]

    def examine(self, name: str) -> Choices:
        """The choices for inputs picked by hand and drawn; all that is said of them is so.

        Raises AssertionError where something is not.
        """
        choices = Choices()

        def examine(inputs: Any) -> None:
            wrong = self.problems(name, inputs, choices)
            assert not wrong, f"{inputs!r}:\n" + "\n".join(wrong)

        for inputs in self.examples(name):
            examine(inputs)

        @settings(max_examples=self.n_drawn(name), deadline=None, derandomize=True, database=None)
        @hypothesis.given(self.drawn(name))
        def hold(inputs: StageInputs | None) -> None:
            if inputs is not None:
                examine(inputs)

        hold()
        return choices

    def confused(self, name: str, choices: Choices) -> list[str]:
        """What is wrong with the labels of choices, and truths that are about nothing."""
        return [*choices.confused(), *self._about_nothing(name, choices)]

    def _about_nothing(self, name: str, choices: Choices) -> Iterator[str]:
        """Truths of sentences that this stage does not have, and of choices never made."""
        stage, truths = find_stage(name), self._of(name)
        keys = {"title", "question", "caption"}
        for spec in beats_of(stage):
            keys |= {spec.method.strip("_"), f"{spec.method.strip('_')} ask"}
        for key in {*truths.claims, *truths.choices} - keys:
            yield f"{key} is no beat of this stage"
        for key in truths.choices.keys() - choices.met.keys():
            yield f"{key}: no sentence is chosen"

    def unchecked(self, name: str) -> list[str]:
        """The sentences for usual inputs of which neither a fact nor a claim is checked."""
        stage = find_stage(name)
        inputs = next(iter(self.examples(name)))
        values = stage.compute(inputs)
        facts, truths = stage.facts_of(inputs, values), self._of(name)
        return [
            f"{line.key}: {line.template}"
            for line in lines(stage, values)
            if line.key not in {**truths.claims, **truths.choices}
            and not [*facts_in(line.template, facts)]
        ]
