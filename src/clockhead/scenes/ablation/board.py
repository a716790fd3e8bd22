"""The heads board: a card for every head, a row of cards for each layer, the first at the foot.

A card has the small pattern of its head and beside it its name, a switch, and room for what is
found out about it. The board is read back: whatever pattern or result stands at a name must be that
of this head, and patterns, and what else is watched, must be what comes of the heads that are off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.ablation.card import ASIDE, PAD, Head, HeadCard
from clockhead.scenes.parts.cell_labels import TurnedLabel
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import steady
from clockhead.scenes.stage import Column, Picture, Reading, Row, Size, Stage, Value, fit
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL

__all__ = ["Board", "Head", "beside", "pattern_of"]

_GAP, _LAYER = 0.18, 0.3
"""Between cards, and the width of the name of a layer, in units."""
_LEAST, _MOST, _LEAST_NAMED = 0.16, 0.54, 0.34
"""How large cells are at least, at most, and at least where words stand at them, in units."""
_NAME, _SWITCH = 0.62, 0.28
"""The height of a name and a result, and of a switch between them."""
_REST = Size(4.4, 1.5)
"""The least room for all that is not the board."""


def pattern_of(stage: Stage, layer: int, head: int, *, words: bool = False) -> Matrix:
    """The pattern of a head; with `words` the tokens stand beside its rows and over its columns."""
    named, shares = stage["tokens"] if words else None, stage["patterns"][layer, head]
    look: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "least_cell": _LEAST}
    return Matrix(shares, rows=named, columns=named, **look)


class Board(Picture):
    """A card for each head. It has no words at its patterns where they are small.

    `results` is the path of what is found out about each head, (L, h), and its format. `passes`
    are the patterns of all heads, (L, h, T, T), by the heads that are off.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        words: bool = False,
        switches: bool = True,
        results: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(stage["patterns"])
        self.n_layers, self.n_heads, self.n_tokens = self.state.shape[:3]
        self._words, self._least_side = words, _NAME + _SWITCH * switches
        self._found = stage[results[0]] if results else None
        self.cards: dict[Head, HeadCard] = {}
        for head in np.ndindex(self.n_layers, self.n_heads):
            found = Figure(self._found[head], results[1]) if self._found and results else None
            pattern = pattern_of(stage, *head, words=words)
            self.cards[head] = HeadCard(head, pattern, switch=switches, result=found)
        self.passes: dict[tuple[Head, ...], Value] = {
            (head,): stage["silenced_patterns"][head] for head in self.cards
        }
        self.passes |= {(): stage["patterns"], tuple(self.cards): stage["off_patterns"]}
        self.layers = [
            TurnedLabel(f"layer {layer}", 90.0, size=SMALL, color=theme().muted)
            for layer in range(self.n_layers)
        ]
        self._watched: list[tuple[Picture, Mapping[tuple[Head, ...], Value], set[str]]] = []
        self.watch(self, self.passes)
        self.add(*self.layers, *self.cards.values())

    @property
    def switches(self) -> list[Any]:
        """The switch of each card."""
        return [card.switch for card in self.cards.values() if card.switch]

    @property
    def least(self) -> Size:
        side = max(_LEAST * self.n_tokens, self._least_side)
        return self._size(side, side)

    def size_in(self, canvas: Region) -> Size:
        """How large it is where it has so much room."""
        regions, _, _ = self._places(canvas)
        left, right = regions[0, 0].left, regions[0, self.n_heads - 1].right
        high = regions[self.n_layers - 1, 0].top - regions[0, 0].bottom
        least = self.least
        return Size(max(right - left + _LAYER, least.width), max(high, least.height))

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        places, cells, has_words = self._places(region)
        for head, card in self.cards.items():
            card.stand(places[head], cells[head])
            card.pattern.words_to(float(has_words))
        for layer, label in enumerate(self.layers):
            first = places[layer, 0]
            label.center_on(np.array([first.left - _LAYER / 2, first.center[1], 0.0]))

    def _size(self, wide: float, high: float) -> Size:
        """What it takes with patterns that are so large, with the words at them."""
        width, height = wide + ASIDE + 2 * PAD, high + 2 * PAD
        return Size(
            _LAYER + self.n_heads * (width + _GAP) - _GAP, self.n_layers * (height + _GAP) - _GAP
        )

    def _places(self, region: Region) -> tuple[dict[Head, Region], dict[Head, Region], bool]:
        """Each card in a region, the cells on it, and whether there is room for words at them."""
        for words in (True, False) if self._words else (False,):
            pattern = self.cards[0, 0].pattern
            left, above = pattern.margins(_LEAST_NAMED, SMALL) if words else (0.0, 0.0)
            around = self._size(left, above)
            side = min(
                (region.width - around.width) / self.n_heads,
                (region.height - around.height) / self.n_layers,
                _MOST * self.n_tokens,
            )
            if side >= _LEAST_NAMED * self.n_tokens:
                break
        whole = self._size(left + side, max(above + side, self._least_side))
        x, y = region.center[0] - whole.width / 2 + _LAYER, region.center[1] - whole.height / 2
        wide = (whole.width - _LAYER + _GAP) / self.n_heads
        high = (whole.height + _GAP) / self.n_layers
        places = {
            (a, b): Region(
                x + b * wide, y + a * high, x + (b + 1) * wide - _GAP, y + (a + 1) * high - _GAP
            )
            for a, b in self.cards
        }
        cells = {}
        for head, place in places.items():
            foot = place.center[1] - (above + side) / 2
            start = place.left + PAD + left
            cells[head] = Region(start, foot, start + side, foot + side)
        return places, cells, words

    # How it changes

    def flip(self, *off: Head, run_time: float = 0.5) -> tuple[Drive, Drive]:
        """Let these heads be switched off, and all others on: the heads after them look anew."""
        start = np.array([switch.on for switch in self.switches])
        end = np.array([float(head not in off) for head in self.cards])

        def show(now: NDArray[np.float64]) -> None:
            for switch, on in zip(self.switches, now, strict=True):
                switch.turn(float(on))

        look = self.to(self.passes[off], run_time=run_time)
        return Drive(self, show, start, end, run_time=run_time), look

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw other patterns, (L, h, T, T), on the cards."""
        for head, card in self.cards.items():
            card.pattern.shown = self.shown[head]
            card.pattern.show(state[head])

    def watch(self, picture: Picture, off: Mapping[tuple[Head, ...], Value], *but: Value) -> None:
        """Read a picture back by the switches: what it must show with these heads off.

        While it shows what is in `but` it shows something else.
        """
        self._watched.append((picture, off, {value.name for value in but}))

    # What it says

    def readings(self) -> Iterator[Reading]:
        """Each pattern and result, for the head at whose name it stands, and what is watched."""
        for card in self.cards.values():
            if is_visible(card.title):
                layer, head = self._named(card.pattern.lattice.region.center)
                for i, j in np.ndindex(card.pattern.table.shape):
                    yield Reading(self.shown[layer, head, i, j], float(card.pattern.table[i, j]))
            if self._found and card.result and is_visible(card.result):
                at = card.result.get_center()
                yield Reading(self._found[self._named(at)], card.result.number.value)
        yield from self._switched()

    def _named(self, point: NDArray[np.float64]) -> Head:
        """The head on whose card a point is, as it is written there and at the layer."""
        boxes = [card.box.get_center() for card in self.cards.values()]
        x, y, _ = min(boxes, key=lambda box: float(np.linalg.norm(box - point)))
        titles = [card.title for card in self.cards.values()]
        layer = min(self.layers, key=lambda label: abs(label.middle[1] - y))
        title = min(titles, key=lambda label: float(np.hypot(*(label.middle[:2] - [x, y]))))
        return int(layer.text.split()[1]), int(title.text.split()[1])

    def _switched(self) -> Iterator[Reading]:
        """What is watched, by the heads that are off."""
        on = [switch.reads for switch in self.switches]
        if not on or any(0.05 < share < 0.95 for share in on):
            return
        off = tuple(head for head, share in zip(self.cards, on, strict=True) if share < 0.5)
        for picture, values, others in self._watched:
            shown = picture.shown
            if not isinstance(shown, Value) or shown.name in others:
                continue
            for place in np.ndindex(picture.state.shape):
                if off in values:
                    yield Reading(values[off][place], float(picture.state[place]))
                else:
                    yield Reading(shown[place], "shown with other heads off")


def beside(stage: Stage, board: Board, least: Size = _REST) -> Region:
    """Place the board as in every shot of the film; what is left of the canvas is returned."""
    canvas = steady(stage.canvas)
    home, rest = Room(board.least, board.size_in(canvas)), Room(least)
    row, column = Row(home, rest), Column(home, rest)
    fit(canvas, *((row, column) if canvas.wide else (column, row)))
    board.place(home.region)
    return rest.region
