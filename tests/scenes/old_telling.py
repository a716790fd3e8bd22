"""Holds all that a film says against truths: patterns of sentences, and a check for each.

In a pattern, `{name}` stands for what is filled in. A check gets the inputs and what was filled in,
and says whether it is so, by formulas of its own: nothing is asked of `model` or a stage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clockhead.scenes.stage import StageInputs, find_stage, stage_names
from tests.scenes.legal import all_said

Inputs = Any
Said = dict[str, str]
Check = Callable[[Inputs, Said], bool]

_COUNTS = "no one two three four five six seven eight nine ten eleven"


def nothing_to_check(why: str) -> Check:
    """A sentence that says nothing that numbers could break, and why that is so."""
    assert why
    return lambda inputs, said: True


# Numbers as they are written


def spelled(n: int) -> str:
    counts = _COUNTS.split()
    return counts[n] if n < len(counts) else str(n)


def is_share(text: str, share: float, way: str = "nearest") -> bool:
    """Whether a percentage is a share of attention, which is never all and never nothing.

    `way` is "nearest" or "down".
    """
    found = re.fullmatch(r"([<>] )?(\d+)(\.\d+)?%", text)
    if not found:
        return False
    step, number = 10.0 ** -len((found[3] or ".")[1:]), float(found[2] + (found[3] or ""))
    if found[1]:
        edge = 100 - step if found[1] == "> " else step
        beyond = 100 * share >= number if found[1] == "> " else 100 * share <= number
        return beyond and abs(number - edge) <= 1e-9 * edge
    below, above = (step / 2, step / 2) if way == "nearest" else (0.0, step)
    return 0 < number < 100 and -below - 1e-9 <= 100 * share - number <= above + 1e-9


# Sentences and what they match


@cache
def pattern(template: str) -> re.Pattern[str]:
    """A sentence with gaps, as a regular expression."""
    pieces = re.split(r"\{(\w+)\}", template)
    gaps = (re.escape(p) if k % 2 == 0 else f"(?P<{p}>.+?)" for k, p in enumerate(pieces))
    return re.compile("".join(gaps))


def matched(truths: Mapping[str, Any], sentence: str) -> tuple[str, Said | None]:
    """The pattern that a sentence matches, and what fills it; None if it is not exactly one.

    Of several, the one with the most words of its own is meant.
    """
    found = {t: m.groupdict() for t in truths if (m := pattern(t).fullmatch(sentence))}
    own = {t: len(re.sub(r"\{\w+\}", "", t)) for t in found}
    best = [t for t in found if own[t] == max(own.values())]
    return (best[0], found[best[0]]) if len(best) == 1 else ("", None)


def untrue(
    truths: Mapping[str, Check], inputs: Inputs, sentences: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Of every sentence: the pattern that it matches, the sentence, and what is wrong, if anything.

    A sentence has to match one pattern, and to be so.
    """
    for sentence in sentences:
        template, found = matched(truths, sentence)
        if found is None:
            yield "", sentence, "not exactly one pattern matches it"
        else:
            yield template, sentence, "" if truths[template](inputs, found) else "it is not so"


def all_is_so(truths: Mapping[str, Check], inputs: Inputs, sentences: Sequence[str]) -> set[str]:
    """The patterns that sentences match; all of them are so."""
    found = list(untrue(truths, inputs, sentences))
    wrong = [f"{sentence!r}: {why}" for _, sentence, why in found if why]
    assert not wrong, f"{inputs!r}:\n" + "\n".join(wrong)
    return {template for template, *_ in found}


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


def reached(
    examine: Callable[[str, Any], set[str]],
    name: str,
    examples: Iterable[StageInputs],
    drawn: st.SearchStrategy[StageInputs | None],
    n_drawn: int = 60,
) -> set[str]:
    """The patterns that a stage meets, examined for inputs picked by hand and for drawn ones."""
    met = {template for inputs in examples for template in examine(name, inputs)}

    @settings(max_examples=n_drawn, deadline=None, derandomize=True, database=None)
    @hypothesis.given(drawn)
    def hold(inputs: StageInputs | None) -> None:
        if inputs is not None:
            met.update(examine(name, inputs))

    hold()
    return met


# A film


def altered(fact: str, others: Mapping[str, str]) -> list[str]:
    """Other facts in its place: a digit more or less, or another word."""
    if digits := list(re.finditer(r"\d", fact)):
        at = digits[-1].start()
        return [fact[:at] + str((int(fact[at]) + step) % 10) + fact[at + 1 :] for step in (1, 9)]
    return [others.get(fact, f"{fact[:-1]}x{fact[-1]}")]


@dataclass(frozen=True)
class FilmTruths:
    """What a film says, stage by stage, and the formulas by which it is so."""

    name: str
    truths: Mapping[str, Mapping[str, Check]]
    """Of every stage, by its full name, the patterns and their checks."""
    claims: Mapping[str, Mapping[str, Callable[[Inputs], bool]]] = field(default_factory=dict)
    """Of some stages, what they claim, and when it holds. Any other claim has to hold always."""
    others: Mapping[str, str] = field(default_factory=dict)
    """For facts that are one of a few words, another of them."""

    def knows_every_stage(self) -> bool:
        return {name for name in stage_names() if name.startswith(f"{self.name}.")} == set(
            self.truths
        )

    def lines(self, name: str, inputs: Inputs) -> list[str]:
        """All that is said and written, nothing if a claim does not hold: those are so as well."""
        stage, claims = find_stage(name), self.claims.get(name, {})
        values = stage.compute(inputs)
        findings = stage.findings(inputs, values)
        holds = {one.says: one.holds for one in findings}
        assert claims.keys() <= holds.keys(), f"{name} claims {list(holds)}"
        due = {claim: claim not in claims or claims[claim](inputs) for claim in holds}
        assert holds == due, f"{name} {inputs!r}: {holds}"
        return all_said(stage, inputs, values) if all(holds.values()) else []

    def examine(self, name: str, inputs: Inputs) -> set[str]:
        """The patterns that are met. All that is told is so."""
        return all_is_so(self.truths[name], inputs, self.lines(name, inputs))

    def unmet(
        self,
        name: str,
        examples: Iterable[StageInputs],
        drawn: st.SearchStrategy[StageInputs | None],
        n_drawn: int = 60,
    ) -> list[str]:
        """The patterns of truths about nothing that is said; all that is said is so."""
        met = reached(self.examine, name, examples, drawn, n_drawn)
        return sorted(self.truths[name].keys() - met)

    def unnoticed(self, name: str, examples: Iterable[StageInputs]) -> list[str]:
        """The facts that could be others in the sentences for these inputs."""
        return [
            f"{sentence!r}: {gap} = {other!r}"
            for inputs in examples
            for sentence in self.lines(name, inputs)
            for gap, other in self._altered(name, sentence)
            if self._passes(name, inputs, sentence, {gap: other})
        ]

    def _altered(self, name: str, sentence: str) -> Iterator[tuple[str, str]]:
        _, facts = matched(self.truths[name], sentence)
        for gap, fact in (facts or {}).items():
            yield from ((gap, other) for other in altered(fact, self.others))

    def _passes(self, name: str, inputs: Inputs, sentence: str, changes: Said) -> bool:
        template, facts = matched(self.truths[name], sentence)
        return self.truths[name][template](inputs, (facts or {}) | changes)
