"""What follows a word that stood before? A reader looks back; and what this tour is about."""

from __future__ import annotations

from clockhead.scenes.induction.idea import Idea
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.stage import Column, Steps, beat, fit
from clockhead.scenes.tour.inputs import RiddleInputs

NAME, LONG_NAME = "Attention", "a tour, from clocks to letters"


class Riddle(Idea):
    """A reader looks back and reads on; a head that looks for its own word only repeats it."""

    class Inputs(RiddleInputs):
        """A text, and how sharply a head looks for the last word."""

    caption = "How can it look one word further, with nothing but numbers? By attention."

    def layout(self) -> None:
        super().layout()
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        fit(self.canvas, Column(self.raised, self.card))
        self.card.hide()

    @beat(
        "A machine that looks for “{text.query_token}” finds it, and says “{text.query_token}” "
        "again."
    )
    def parrot(self) -> Steps:
        yield from super().parrot()
