"""One knob between copying and counting, and the name of all this: attention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clockhead.model.films.tour.attention import EVEN, EvenAttention, even_attention
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.induction.note_bars import NoteBars, strip_values
from clockhead.scenes.induction.spread import tile_positions, tile_size
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import paint, show_notes
from clockhead.scenes.parts.word_bars import SHARES, WordBars
from clockhead.scenes.stage import CAPTION, Claim, Column, Row, Stage, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.tour.code import on_tiles
from clockhead.scenes.tour.inputs import NotedInputs
from clockhead.scenes.tour.riddle import NAME

STEPS = "compare, share, add up"
_FORMULA = [
    ("add", "sum_n"),
    ("share", 'attention(op("softmax")_n)'),
    ("compare", "(query(q) dot key(k_n))"),
    ("values", "value(v_n)"),
]
_OUT = replace(SHARES, name="what comes out")
_EXPONENT_FROM = 1000
"""Numbers from here on would be written with an exponent if limited to three digits."""
_BETAS = EVEN, 1e4
"""Lowest and highest value of the knob."""


def _copy_sentence(values: EvenAttention) -> str:
    if values.head.n_matches == 1:
        return "The head of the notes gave nearly all to one word, and copied it."
    return "The head of the notes gave most to a few words, and copied them."


class Attention(Stage[EvenAttention]):
    """A head with small scores counts, and with large ones copies: both are attention."""

    class Inputs(NotedInputs):
        """A text, and the sharpness of both heads."""

    title = "From copying to counting"
    question = "Can one head do both?"
    caption = "Here every number was set by hand. What do heads look for that have learned?"
    opens = ("message",)
    claims = (
        Claim(
            "at a high sharpness, nearly all attention goes to the matching notes",
            lambda values: values.head.match_weight >= 0.9,
            "they get {head.match_weight:.0%} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
        Claim(
            "at a low sharpness, the output is the frequency of each token",
            lambda values: values.miscount < 0.01,
            "a share is off by {miscount:.2g}",
        ),
    )

    inputs: Inputs

    compute = even_attention

    def layout(self) -> None:
        self.message = Ciphertext(self["text"], "key")
        place_message(self.canvas, self.message)
        digits = ".3g" if self.inputs.beta < _EXPONENT_FROM else ""
        self.knob = knob = Knob(self["betas"][0], *_BETAS, spec=digits, prefix="β = ")
        shown = self["outputs"][0], self["words"], _OUT
        upright, lying = (WordBars(*shown, lying=lies, grown=False) for lies in (False, True))
        options: dict[str, Any] = {"role": "attention", "grown": False}
        across, down = (
            NoteBars(strip_values(self, "head."), self["rows"][0], SHARES, down=down, **options)
            for down in (False, True)
        )
        wide = Row(across, Column(upright, knob, weights=(1, 0)), weights=(1, 3))
        abreast = Row(lying, knob, weights=(1, 0))
        high = Column(down, abreast, weights=(2, 1))
        beside = [Row(down, aside, weights=(2, 1)) for aside in (abreast, lying)]
        ways = [wide if self.canvas.wide else high, *beside, Row(down)]
        chosen = ways[fit(self.canvas, *ways)]
        self.noted, self.out = (across, upright) if chosen is wide else (down, lying)
        self.tiles, self.bars = self.noted.tiles, self.noted.bars
        show_notes(self.tiles)
        self._lay_card()

    def _lay_card(self) -> None:
        """Lay out the name with its formula, and above them the tiles at their final places."""
        down = self.noted.down
        shape: dict[str, Any] = {"positions": True, "beside": down, "aside": down}
        shape |= strip_values(self, "head.") | {"size": tile_size(self.canvas)}
        self.raised = Strip(**shape)
        self.raised.place(self.canvas)
        assert self.raised.layout is not None
        self.raised = Strip(**shape, lines=self.raised.layout.n_lines)
        self.card = TitleCard(NAME, STEPS, role="attention")
        self.formula = Equation(_FORMULA)
        ways = Column(self.raised, self.card, self.formula), Column(self.raised, self.card)
        self.has_room = fit(self.canvas, *ways) == 0
        self.formula.hide()

    @beat()
    def words(self) -> Steps:
        """Move the letters of the message to their tiles."""
        top, tiles = self.message.lines, self.tiles.tiles[1:]
        assert top is not None
        yield self.message.go_to(on_tiles(tiles, top), run_time=2.0)
        yield together(FadeIn(self.tiles), FadeOut(self.message), run_time=0.6)

    @beat(_copy_sentence)
    def sharp(self) -> Steps:
        chart, matches = self.noted.chart, self.values.head.matches.tolist()
        last = self.values.head.n_tokens - 1
        yield FadeIn(chart.x, chart.y, self.knob), paint(self.tiles, last, "query")
        yield self.bars.grow(run_time=1.4), paint(self.tiles, matches, "attention")
        yield FadeIn(self.out.chart, run_time=0.5)
        yield self.out.bars.grow(run_time=1.2)

    @beat("Its scores turned down, it looks at all words alike, and counts how often each came.")
    def even(self) -> Steps:
        matches = self.values.head.matches.tolist()
        yield *self._turn(slice(None), max(4.0, self.reading)), paint(self.tiles, matches, None)

    @beat("A place, a note or nothing decided where to look. All add up values by their shares.")
    def both(self) -> Steps:
        yield self._turn(slice(None, None, -1), 0.8 * self.reading)

    def _turn(self, way: slice, run_time: float) -> list[Any]:
        """Animate the knob and all that depends on it from one end to the other."""
        parts = {"betas": self.knob, "rows": self.bars, "outputs": self.out.bars}
        return [part.through(self[name][way], run_time=run_time) for name, part in parts.items()]

    @beat(CAPTION)
    def name(self) -> Steps:
        chart, n = self.noted.chart, self.values.head.n_tokens
        gone = self.bars, chart.x, chart.y, self.knob, self.out.chart, self.out.bars
        yield FadeOut(*gone, run_time=0.8)
        yield slide_to(self.tiles, *tile_positions(self.raised, n), run_time=1.2)
        yield self.card.appear(run_time=1.4)
        steps = ("compare",), ("share",), ("add", "values")
        for terms in steps if self.has_room else ():
            yield self.formula.appear(*terms, run_time=0.7)
