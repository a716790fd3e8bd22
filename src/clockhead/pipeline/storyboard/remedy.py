"""Which inputs to change where what a stage says does not hold."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from clockhead.scenes.stage import Stage, StageInputs


def remedy(stage: type[Stage], inputs: StageInputs) -> dict[str, Any]:
    """The fewest inputs that have to be the stage's own for all its claims to hold, each tried.

    Nothing if they do not even hold for the stage's own inputs.
    """
    now, own = inputs.model_dump(mode="json"), stage.Inputs().model_dump(mode="json")
    change = {name: own[name] for name in now if now[name] != own[name]}
    if not _hold(stage, now | change):
        return {}
    for name in sorted(change, key=lambda name: not isinstance(own[name], str)):  # texts stay first
        fewer = {other: value for other, value in change.items() if other != name}
        if _hold(stage, now | fewer):
            change = fewer
    return change


def _hold(stage: type[Stage], values: dict[str, Any]) -> bool:
    try:
        inputs = stage.Inputs.model_validate_json(json.dumps(values), strict=True)
        found = stage.findings(inputs, stage.compute(inputs))
    except (ValidationError, ValueError):
        return False
    return all(finding.holds for finding in found)
