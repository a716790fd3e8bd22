"""What the stages of this film take: a picture in rows of digits, and two filters of nine weights.

A picture is a text: `00100 00100 00100 00100 00100`. In a storyboard its rows may stand below each
other (`image: >-`), and then it looks like what it shows.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from clockhead.model.arrays import Floats
from clockhead.model.networks.filters import (
    HORIZONTAL,
    VERTICAL,
    FilterNet,
    filter_net,
)
from clockhead.scenes.stage import StageInputs, Words
from clockhead.scenes.texts import few_words

USUAL_IMAGE = "00100 00100 00100 00100 00100"
_LEAST, _MOST = 5, 9
"""Rows and columns of a picture: of more, sums are not legible in their cells."""
_ROW = f"[0-9]{{{_LEAST},{_MOST}}}"
_WIDEST_NAME = 8
_NAMES = {VERTICAL: "vertical", HORIZONTAL: "horizontal"}


def _drawn(text: str) -> str:
    rows = text.split()
    widths = sorted({len(row) for row in rows})
    if len(widths) > 1:
        raise ValueError(f"rows of {widths[0]} and of {widths[-1]} digits; all are equally long")
    if not text.strip("0 "):
        raise ValueError("the picture is blank; write 1 where there is ink")
    return text


Image = Annotated[
    str, Field(pattern=f"^{_ROW}( {_ROW}){{{_LEAST - 1},{_MOST - 1}}}$"), AfterValidator(_drawn)
]
Weight = Annotated[float, Field(ge=-9, le=9)]
Weights = Annotated[
    tuple[Annotated[tuple[Weight, ...], Field(min_length=3, max_length=3)], ...],
    Field(min_length=3, max_length=3),
]
Name = Annotated[Words, few_words(1, 1, _WIDEST_NAME)]


class PictureInputs(StageInputs):
    """A picture."""

    image: Image = Field(
        USUAL_IMAGE,
        description=f"the picture, {_LEAST} to {_MOST} rows of {_LEAST} to {_MOST} digits with a "
        "space between rows: how much ink there is at each pixel, 0 for none",
    )

    @property
    def pixels(self) -> Floats:
        """How much ink there is at each pixel; shape (H, W)."""
        return np.array([list(map(float, row)) for row in self.image.split()])


class FilterInputs(PictureInputs):
    """A picture, and a filter."""

    first: Weights = Field(
        VERTICAL, description="the nine weights of the first filter, row by row, from -9 to 9"
    )


class NetInputs(FilterInputs):
    """A picture, and two filters with the names of what they look for."""

    second: Weights = Field(HORIZONTAL, description="those of the second filter, likewise")
    first_name: Name | None = Field(
        None, description="a word for what the first filter looks for; left out, it is found"
    )
    second_name: Name | None = Field(None, description="likewise for the second filter")

    @property
    def names(self) -> tuple[str, str]:
        """What the filters look for, or which they are."""
        first = self.first_name or _NAMES.get(self.first, "first")
        second = self.second_name or _NAMES.get(self.second, "second")
        return (first, second) if first != second else ("first", "second")

    @property
    def filters(self) -> tuple[Weights, Weights]:
        """The weights of both filters."""
        return self.first, self.second

    @property
    def net(self) -> FilterNet:
        """Both filters on the picture, and their classes."""
        return filter_net(self.pixels, self.filters, self.names)


def wants(weights: Any) -> str:
    """What a filter of the primer looks for, “column” or “row”; nothing for any other."""
    if np.array_equal(weights, VERTICAL):
        return "column"
    return "row" if np.array_equal(weights, HORIZONTAL) else ""
