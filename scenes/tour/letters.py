"""The letters of the ciphertext are counted, above English: the same shape, shifted."""

from __future__ import annotations

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.scenes.caesar.histogram import Histogram
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.motion import FadeIn, together
from clockhead.scenes.tour.inputs import TurnedTextInputs

_WAY = 3
"""Number of letters by which English is shifted as a trial."""


def _shift_sentence(message: Cryptogram) -> str:
    if message.rotation == 0:
        return "Nothing was turned, so no bar has moved. Could a machine tell?"
    return (
        "All letters moved along as far, and their bars with them. How far must English slide to "
        "fit best?"
    )


class Letters(Histogram):
    """The letters of the ciphertext are counted, above English: the same shape, shifted."""

    Inputs = TurnedTextInputs
    title = "What can be counted"
    question = "What does the code not hide?"
    caption = "{moved}"
    claims = ()
    english_role = "key"
    opens = ("message",)  # type: ignore[assignment]
    leaves = ("letters", "counted", "english")  # type: ignore[assignment]
    tells = ("fall", "usual", "moved")
    derived = {"moved": Derived("the effect of the cipher on the bars", _shift_sentence)}

    @beat(
        "A head looking at all {n_tokens} places alike, spaces too, counts: each letter adds "
        "1/{n_tokens}."
    )
    def fall(self) -> Steps:
        self.rings.set_opacity(0)
        yield together(
            FadeIn(self.letters, self.charts.upper),
            self.message.light_to(0, start=self.values.n_tokens),
            run_time=0.8,
        )
        yield from self.count()

    @beat(
        "In English, “{english_commonest}” comes {english_commonest_share:.1%} of the time, "
        "“{english_rarest}” hardly ever."
    )
    def usual(self) -> Steps:
        yield from super().usual()

    @beat(CAPTION)
    def moved(self) -> Steps:
        """Shift the English histogram along the alphabet and back."""
        time = 0.5 * self.reading
        yield self.english.slide_to(_WAY, stepwise=True, run_time=time)
        yield self.english.slide_to(0, run_time=0.5 * time)
