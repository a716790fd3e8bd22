"""Values flow along the pattern, and every token notes the one before it."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.previous_token.copy_value import CopiedText, copied_text
from clockhead.scenes.induction.spread import OVER, tile_size
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.previous_token.copy_value import CopyValue
from clockhead.scenes.stage import Claim, Steps, beat
from clockhead.scenes.tour.inputs import SharpClockInputs


class Notes(CopyValue):
    """Values flow along the pattern, and every token notes the one before it."""

    class Inputs(SharpClockInputs):
        """A text, and the sharpness of the head."""

    title = "A note of the word before"
    question = "What does {row.query_named} get where it looks?"
    caption = "Now each knows two words: its own, and in its note the one before it."
    large = False
    tells = ("paths", "hero", "everyone", "keeps")
    claims = (
        Claim(
            "every note holds the token before it",
            lambda values: values.copied.worst_share >= 0.9,
            "one holds only {copied.worst_share:.0%} of it: alpha {inputs.alpha:g} is too small",
        ),
    )

    @classmethod
    def compute(cls, inputs: Any) -> CopiedText:
        return copied_text(inputs.row)

    def layout(self) -> None:
        super().layout()
        tokens, notes = self["copied.tokens"], self["copied.wanted"]
        self.goal = Strip(tokens, notes=notes, size=tile_size(self.canvas))
        self.goal.place(self.canvas.inset(0.0, OVER))

    @beat("Each cell is a path for a value: the more attention, the broader.")
    def paths(self) -> Steps:
        yield from super().paths()

    @beat("All do it at once: that is the previous-token head. BOS, the start, notes itself.")
    def everyone(self) -> Steps:
        yield from self.all_()
        yield self.crossing.deliver(0, run_time=1.0)
