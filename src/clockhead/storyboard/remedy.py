"""Which inputs to change where a stage refuses, or where what a film says of it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from clockhead.storyboard.giving_way import settle
from clockhead.storyboard.scalars import Value

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage, StageInputs


def remedy(
    stage: type[Stage],
    given: Mapping[str, Value],
    others: Iterable[Mapping[str, Value]],
    holds: Callable[[StageInputs, Any], bool] = lambda inputs, values: True,
) -> dict[str, Any]:
    """The fewest inputs to give another value, and these values: with them the stage computes, all
    its claims hold, and `holds` says yes.

    `others` are values to take instead, the ones to try first in front; what is not in them is
    taken from the stage's defaults. Nothing if none of them helps.
    """

    def works(values: Mapping[str, Any]) -> bool:
        settled = settle(stage, values)
        if settled.refusal or settled.inputs is None:
            return False
        findings = stage.findings(settled.inputs, settled.values)
        return all(finding.holds for finding in findings) and holds(settled.inputs, settled.values)

    own = stage.Inputs().model_dump(mode="json")
    for instead in [*others, own]:
        change = {
            name: instead.get(name, own[name])
            for name in given
            if name in own and given[name] != instead.get(name, own[name])
        }
        if not change or not works({**given, **change}):
            continue
        # Texts are what a film is about: they are the first to stay as they are.
        for name in sorted(change, key=lambda name: not isinstance(own[name], str)):
            fewer = {other: value for other, value in change.items() if other != name}
            if fewer and works({**given, **fewer}):
                change = fewer
        return change
    return {}
