"""What a head brings to every token of a text, and the row of the token that is followed.

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
    """A text whose tokens get what a head brings them, one of which is followed."""

    copied: Annotated[CopiedValues, Doc("what every position gets")]
    row: Annotated[ScoreRow, Doc("the row of the position that asks")]
    look: Annotated[SecondLook, Doc("the text with one of its words typed again")]


def copied_text(row: ScoreRow, base: float = BASE) -> CopiedText:
    """What the head of a row brings to its text; `base` is that of the head's frequencies."""
    return CopiedText(
        copied=copied_values(row.head, row.tokens),
        row=row,
        look=second_look(row.tokens, row.head.d_head, row.head.alpha, base),
    )
