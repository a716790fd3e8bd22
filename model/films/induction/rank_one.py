"""Tokens on a straight line: one number each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.induction.bent_line import BentLine
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class OneNumber:
    """The tokens of a text, and where the different ones stand on a line."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    bent: Annotated[BentLine, Doc("the different tokens on a line that bends")]
