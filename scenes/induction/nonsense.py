"""Words that nobody has used: the head continues them too; its two hops, and its name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.films.induction.nonsense import NonsenseWords
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.induction.lanes import LOST
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import OVER, letters, spread, standing
from clockhead.scenes.induction.words import NonsenseInputs
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_lines import LINE_GAP
from clockhead.scenes.parts.strip_looks import dim_tiles, leave, paint
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.strip_notes import wear
from clockhead.scenes.parts.strip_typing import answer, ask_next, type_in
from clockhead.scenes.stage import CAPTION, Claim, Derived, Stage, Steps, beat, fit, together
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeOut

NAME = "An induction circuit"
_ARC, _LOW_ARC, _GAP, _HIGHEST = 1.15, 0.9, 0.9, 0.9
"""The room for an arc over a line of tiles, under it, and from line to line; its most height."""
_GUTTER = 1.5 * _GAP
"""What two lines leave between them: of two gaps, lines that share a page give up one third."""
_LARGER = 1.35
"""The letters of these few words, against those of the film's text."""


class Nonsense(Stage[NonsenseWords]):
    """The head continues words that nobody has used; its two hops, and its name."""

    class Inputs(NonsenseInputs):
        """The text of the film, words that nobody has used, and the scales of both layers."""

    title = "Words nobody has used"
    question = "The head is untrained. What words does it know?"
    caption = (
        "One head notes the token before, the induction head finds that note: an induction circuit."
    )
    opens = ("tiles",)
    claims = (
        Claim("every note holds the token before it", lambda v: v.head.least_stored >= 0.9, LOST),
        Claim(
            "the attention goes to the notes that match",
            lambda v: v.head.match_weight >= 0.9,
            "only {head.match_weight:.0%} of it does: beta {inputs.beta:g} is too small for alpha "
            "{inputs.alpha:g}",
        ),
    )
    derived = {
        "query": Derived("the word that is continued", lambda v: v.head.text.query_token),
        "follower": Derived("the word that followed it", lambda v: v.head.text.followed_by[0]),
    }

    @classmethod
    def compute(cls, inputs: Any) -> NonsenseWords:
        tokens = word_prompt(inputs.nonsense)
        scales = {"alpha": inputs.alpha, "beta": inputs.beta}
        head = induction(tokens, Vocabulary.of(tokens), **scales)
        return NonsenseWords(told=inputs.tokens, head=head)

    def layout(self) -> None:
        tokens, size = self["head.tokens"], letters(self.canvas)
        self.last = len(tokens) - 1
        self.found = int(self.values.head.text.followers[-1])
        self.tiles = Strip(self["told"], slots=True, size=size)
        self.tiles.place(self.canvas.inset(0.0, OVER))
        self.words = self._lay(self.canvas)
        self.eye = Glance(self.words, self.last)
        first, second = (self[f"head.forward.head_{k}.pattern"] for k in (0, 1))
        self.card = TitleCard(NAME, role="attention")
        upper, lower = self.canvas.cut_top(self.card.least.height, gap=-0.3)
        self.lowered = self._lay(lower)
        self.is_over = self._has_room(self.lowered)
        if not self.is_over:
            upper, self.lowered = self.canvas, self.words
        room = self._gaps(self.lowered).min(initial=np.inf)
        options: dict[str, Any] = {"role": "value", "under": True}
        self.hop_0 = Arcs(first, self.words, self.found, name="layer 0", room=room, **options)
        self.hop_1 = Arcs(
            second, self.words, self.last, name="layer 1", highest=_HIGHEST, room=room
        )
        self.card.place(upper)
        self.card.hide()

    def _lay(self, page: Region) -> Strip:
        """The words as tiles in as few lines as they need, with room for arcs at every line."""
        numbers = (1, 2, 3) if self.canvas.wide else (3, 4)
        strips = [self._strip(lines, gap) for gap in (_GUTTER, LINE_GAP) for lines in numbers]
        strip = strips[fit(page, *strips)]
        if strip is strips[0] and self.canvas.wide:
            strip.place(page.cut_top(_ARC, gap=0.0)[1].cut_bottom(_LOW_ARC, gap=0.0)[1])
        spread(strip, page, pin=True)
        return strip

    def _strip(self, lines: int, gutter: float) -> Strip:
        """The words that nobody has used, as tiles with notes, and a "?"."""
        return Strip(
            **worn(self, "head."),
            wonder=True,
            hidden=self.last + 1,
            size=_LARGER * letters(self.canvas),
            lines=lines,
            gutter=gutter,
        )

    @beat("None. It compares and copies, and any word will do that has a place of its own.")
    def typed(self) -> Steps:
        n_told, words = len(self.values.told), self.words
        yield leave(self.tiles, *range(1, n_told))
        yield slide_to(self.tiles, *standing(words, 1), run_time=0.6)
        self.remove(self.tiles)
        self.add(words)
        for k in range(1, self.last + 1):
            yield type_in(words, k, run_time=max(0.4, 0.35 * self.reading / self.last))
        yield wear(words, run_time=1.2)
        yield ask_next(words, run_time=0.6)

    @beat("“{follower}”, because its note says “{query}”.", ask="What comes next?")
    def ask(self) -> Steps:
        words, found = self.words, self.found
        self.eye.stand(self.eye.over(self.last))
        yield self.eye.open(), paint(words, self.last, "query")
        yield self.eye.sweep(range(self.last - 1, found - 1, -1))
        said = answer(words, self["head.tokens"][found], words.middle(found), run_time=1.4)
        yield paint(words, found, "correct"), said
        yield self.eye.close()
        self.remove(self.eye)

    @beat(
        "First hop: “{follower}” notes “{query}”. "
        "Second hop: the last “{query}” looks for that note."
    )
    def hops(self) -> Steps:
        lit = {self.found - 1, self.found, self.last, self.last + 1}
        others = [k for k in range(self.last + 1) if k not in lit]
        # between lines, the arcs pass behind the tiles
        self.add(self.card, self.hop_0, self.hop_1, self.words)
        dim = [dim_tiles(self.words, *others)] if others else []
        yield slide_to(self.words, *standing(self.lowered, self.last + 2), run_time=0.8), *dim
        self.hop_0.keep_name_clear_of(self.hop_1)
        yield 0.4 * self.hop_0.draw(backwards=True)
        yield 0.4 * self.hop_1.draw()

    @beat("Another film writes down every number of such a head.")
    def next(self) -> Steps:
        yield from self._name() if self.is_over else self._hop_again()

    @beat(CAPTION)
    def name(self) -> Steps:
        if not self.is_over:
            yield FadeOut(self.words), FadeOut(self.hop_0), FadeOut(self.hop_1)
        yield from self._hop_again() if self.is_over else self._name()

    def _hop_again(self) -> Steps:
        yield together(self.hop_0.draw_back(), self.hop_1.draw_back(), run_time=0.6)
        yield 0.3 * self.hop_0.draw(backwards=True)
        yield 0.3 * self.hop_1.draw()

    def _name(self) -> Steps:
        yield 0.5 * self.card.appear()

    def _has_room(self, words: Strip) -> bool:
        """Whether both arcs have room between the lines, if there are several."""
        heights = np.round([tile.middle[1] for tile in words.tiles], 3)
        gaps = self._gaps(words)
        found, last = self.found, self.last
        stays = heights[found] in (heights[found - 1], heights[last])
        return bool((gaps >= (_LOW_ARC if stays else _GAP)).all())

    def _gaps(self, words: Strip) -> NDArray[np.float64]:
        """How much is free between the notes of each line and the tiles of the next."""
        heights = np.unique(np.round([tile.middle[1] for tile in words.tiles], 3))
        return np.diff(heights) - words.tiles[0].box.height - words.measures.below
