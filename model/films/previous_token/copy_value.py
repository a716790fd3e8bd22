"""The output of a previous-token head at every token of a text, and the row of one token.

Source: Chris Wendler's RoPE transformer, section 3: every position receives the token before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.films.previous_token.second_look import SecondLook, second_look
from clockhead.model.previous_token.copied_values import CopiedValues, copied_values
from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.rope.rotation import BASE
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class CopiedText:
    """The output of a head at every token of a text, and one of its rows."""

    copied: Annotated[CopiedValues, Doc("output of the head at every position")]
    row: Annotated[ScoreRow, Doc("row of the query's position")]
    look: Annotated[SecondLook, Doc("the text with one of its words repeated at the end")]


def copied_text(row: ScoreRow, base: float = BASE) -> CopiedText:
    """The output of a row's head on its text; `base` is that of the head's frequencies."""
    return CopiedText(
        copied=copied_values(row.head, row.tokens),
        row=row,
        look=second_look(row.tokens, row.head.d_head, row.head.alpha, base),
    )
