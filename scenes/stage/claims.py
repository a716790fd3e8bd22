"""Claims: what the pictures and sentences of a stage take for granted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claim:
    """What a stage says about its values; a film for which it does not hold is not rendered.

    `holds` is a function of the values, `found` a template over the facts that says what is true
    instead. A claim that no legal input can break is no claim: it belongs to the model's tests.
    """

    says: str
    holds: Callable[[Any], bool]
    found: str
