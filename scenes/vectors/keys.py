"""Tokens as arrows: a longer one becomes the best match of others, but not by the cosine."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from clockhead.model.films.vectors.keys import TokenMatches, token_matches
from clockhead.model.tokens import words
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import listed, quoted, said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Room,
    Size,
    Stage,
    StageInputs,
    Steps,
    Words,
    beat,
    beside,
    fit,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves, together
from clockhead.scenes.style.text import Label
from clockhead.scenes.texts import few_words, words_said
from clockhead.scenes.vectors.space import Arrows, Space

_FEWEST, _MOST, _LETTERS = 3, 5, 6
_HEAD = Size(2.0, 0.4), Size(9.0, 0.4)
_CELLS: dict[str, Any] = {"least_cell": 0.7, "most_cell": 1.25, "most_number": 26.0}
_MORE_DIRECTIONS = 150, 220, 300, 0, 75
"""Directions of further words."""


def _drop_repeated(text: str) -> str:
    """Every word once, in order of first appearance."""
    return " ".join(dict.fromkeys(words(text)))


def _growth_sentence(matches: TokenMatches) -> str:
    if matches.n_taken:
        return "It is now the best match of {stolen}, too."
    if matches.least_length == np.inf:
        return "It steals no match, however long it is: no other token points its way."
    return "It steals no match yet: for {next} it has to be longer than {least_length:.3g}."


class Keys(Stage[TokenMatches]):
    """Tokens as arrows: a longer one becomes the best match of others, but not by the cosine."""

    class Inputs(StageInputs):
        text: Annotated[
            Words, AfterValidator(_drop_repeated), few_words(_FEWEST, _MOST, _LETTERS)
        ] = Field(
            "cat dog sat the",
            description=words_said(_FEWEST, _MOST, _LETTERS)
            + ", repeated words counted once; the last one grows",
        )
        angles: tuple[Annotated[int, Field(ge=-180, le=359)], ...] = Field(
            (-20, 75, 150, 30),
            min_length=_FEWEST,
            max_length=_MOST,
            description="direction of each word's arrow in degrees, counter-clockwise from the "
            "right; the last one belongs to the last word. Missing directions are chosen, and "
            "surplus ones ignored",
        )
        length: float = Field(
            3.0, ge=1.1, le=5.0, description="length that the last arrow grows to"
        )

    title = "{point}"
    question = "Which token fits each token best?"
    caption = (
        "A key's direction says what it fits, its length how loudly. Where do queries and keys "
        "come from?"
    )
    opens = ("space", "arrows")
    derived = {
        "point": Derived(
            "the title of this shot",
            lambda m: said(
                "A longer token steals the match"
                if m.n_taken
                else "Does a longer token steal the match?"
            ),
        ),
        "stolen": Derived(
            "the tokens whose best match changes",
            lambda m: listed([quoted(m.tokens[k]) for k in m.taken] or [said("none")]),
        ),
        "next": Derived(
            "the token whose best match changes first", lambda m: quoted(m.tokens[m.next_taken])
        ),
        "thief": Derived("the token that grows", lambda m: quoted(m.grown_token)),
    }

    handles = (Handle("length", "1.1,1.5,2:5:0.5", beat="grow"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> TokenMatches:
        tokens, (*angles, last) = words(inputs.text), inputs.angles
        known = {angle % 360 for angle in inputs.angles}
        angles += [angle for angle in _MORE_DIRECTIONS if angle not in known]
        return token_matches(tokens, (*angles[: len(tokens) - 1], last), inputs.length)

    def layout(self) -> None:
        dots, tokens = self["dots"], self["tokens"]
        most = float(np.abs(dots.array).max())
        self.space = Space(self["room"])
        self.table = Matrix(
            dots[0], rows=tokens, columns=tokens, role="value", low=-most, high=most,
            spec=(".2f",), numbers_in_motion=True, turns=(0.0,), aspect=(0.55, 1.0), **_CELLS,
        )  # fmt: skip
        head = Room(*_HEAD)
        right = Column(head, self.table, gap=0.0)
        fit(self.canvas, beside(self.space, right, weights=(3, 2)))
        self.arrows = Arrows(self["points"][0], tokens, self.space, roles=("token",))
        self.arrows.redraw()
        self.best = self.table.outline(self["best"][0], role="attention", width=5.0)
        self.table.empty()
        top = np.array([self.table.lattice.region.center[0], head.region.center[1], 0.0])
        self.dot, self.cosine = (
            Label(said(word), align="center").center_on(top) for word in ("dot product", "cosine")
        )

    @beat("Tokens are arrows, too. Equally long, each fits itself best.")
    def own(self) -> Steps:
        self.add(self.table, self.dot)
        yield 0.5 * self.table.fill_rows()
        yield 0.4 * self.best.trace()

    @beat(_growth_sentence, ask="Now {thief} grows, without turning. What happens?")
    def grow(self) -> Steps:
        yield 0.8 * self._grow()

    def _grow(self, back: bool = False) -> Moves:
        """Grow the arrow, or shrink it with `back`, with its dot products and the best matches."""
        parts, paths = (self.arrows, self.table, self.best), ("points", "dots", "best")
        series = (self[path][::-1] if back else self[path] for path in paths)
        return together([part.through(one) for part, one in zip(parts, series, strict=True)])

    @beat("Divided by the lengths, it is the cosine: 1 for a token's own direction alone.")
    def alone(self) -> Steps:
        yield 0.4 * self._grow(back=True)
        yield together(FadeOut(self.dot), FadeIn(self.cosine), run_time=0.3)
        yield 0.2 * self.reading

    @beat("Attention takes dot products: a query is what a token asks, a key what one offers.")
    def attend(self) -> Steps:
        yield together(FadeOut(self.cosine), FadeIn(self.dot), run_time=0.3)
        yield 0.4 * self._grow()
        self.query = self.table.frame_row(0, "query")
        yield FadeIn(self.query, run_time=0.4), self.arrows.color_as(0, run_time=0.6)

    @beat(CAPTION)
    def end(self) -> Steps:
        n = len(self.values.tokens)
        for k in range(1, n):
            time = 0.8 * self.reading / (n - 1)
            yield (
                self.query.trace(self.table.row(k), run_time=0.4),
                self.arrows.color_as(k, run_time=time),
            )
