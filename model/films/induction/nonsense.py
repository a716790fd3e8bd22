"""The induction head over words that nobody has used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.induction.circuit import Induction
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class NonsenseWords:
    """The text of the film, and the head over words that nobody has used."""

    told: Annotated[tuple[str, ...], Doc("the tokens of the film's text")]
    head: Annotated[Induction, Doc("both layers over the words that nobody has used")]
