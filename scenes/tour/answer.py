"""The last token asks with its own word; whoever has noted that word gives the answer."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.tour.answer import EchoedInduction, echoed_induction
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.match import SCORE, Match
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import OVER, letters, spread, standing
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.strip_notes import frame_notes
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.tour.inputs import NotedInputs


def _copied(head: Induction) -> str:
    if head.case == "unique":
        return f"What stands there is copied: “{head.text.followed_by[0]}”."
    return "What stands there is copied, each with its share."


class Answer(Match):
    """The last token asks with its own word; whoever has noted that word gets its attention."""

    class Inputs(NotedInputs):
        """A text, and how sharply both heads look."""

    score_role = "score"
    question = "A layer later, the induction head: the last token asks the notes."
    caption = "{copied} Both heads together are an induction circuit."
    derived = {"copied": Derived("what the head says", _copied)}

    @classmethod
    def compute(cls, inputs: Any) -> EchoedInduction:
        text = inputs.tokens, inputs.vocabulary
        return echoed_induction(*text, alpha=inputs.alpha, beta=inputs.beta)

    @beat(
        "Without notes, “{text.query_token}” would find only “{text.query_token}”. So notes "
        "must come first: they are the keys."
    )
    def ask(self) -> Steps:
        """Its own words get bars, which sink again while the notes light up as keys."""
        chart = self.noted.chart
        self.bars.set_to(self["echoed_scores"])
        yield FadeIn(chart.x, chart.y, self.knob), paint(self.tiles, self.last, "query")
        yield 0.4 * self.bars.grow()
        order = range(self.last, -1, -1)
        keys = frame_notes(self.tiles, *order, role="key", run_time=0.36 * self.reading)
        yield self.bars.sink(run_time=0.19 * self.reading), keys

    @beat(
        "Words are vectors, too. Their dot product, times β, is nearly {inputs.beta:g} where the "
        "note is the word, else far less."
    )
    def score(self) -> Steps:
        self.bars.set_to(self["scores"])
        yield self.bars.grow(run_time=1.8)
        everyone = range(self.last + 1)
        yield self.bars.write(everyone, SCORE), frame_notes(self.tiles, *self.others)

    @beat("And again shares: {match_weight:.1%} goes to whoever noted “{text.query_token}”.")
    def share(self) -> Steps:
        yield from super().share()

    @beat(CAPTION)
    def take(self) -> Steps:
        """Once the answer stands, the bars have had their say: the row has the page to itself."""
        yield from super().take()
        chart = self.noted.chart
        yield FadeOut(self.bars, self.pile, chart.x, chart.y, run_time=0.6)
        if not self.noted.down:
            places = standing(self._alone(), len(self.tiles.tiles))
            yield slide_to(self.tiles, *places, run_time=0.8)

    def _alone(self) -> Strip:
        """The row as it stands without bars, the answer with it."""
        options: dict[str, Any] = {"positions": True, "wonder": True, "hidden": 0}
        alone = Strip(**worn(self), **options, size=letters(self.canvas))
        alone.place(self.canvas.inset(0.0, OVER))
        spread(alone, self.canvas, pin=True)
        return alone
