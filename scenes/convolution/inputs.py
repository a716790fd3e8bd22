"""Inputs of this film's stages: a picture as rows of digits, and two filters with nine weights.

A picture is a text: `00100 00100 00100 00100 00100`. With `image: >-`, a storyboard can write its
rows on lines of their own, so that the text looks like the picture.
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
"""Least and largest number of rows and columns; with more, numbers in cells are too small."""
_ROW = f"[0-9]{{{_LEAST},{_MOST}}}"
_WIDEST_NAME = 8
_NAMES = {VERTICAL: "vertical", HORIZONTAL: "horizontal"}


def _drawn(text: str) -> str:
    rows = text.split()
    widths = sorted({len(row) for row in rows})
    if len(widths) > 1:
        raise ValueError(f"rows of {widths[0]} and {widths[-1]} digits; all must have equally many")
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
        description=f"the picture: {_LEAST} to {_MOST} rows of {_LEAST} to {_MOST} digits with a "
        "space between rows; a digit is the amount of ink at a pixel, 0 for none",
    )

    @property
    def pixels(self) -> Floats:
        """The amount of ink at each pixel, (H, W)."""
        return np.array([list(map(float, row)) for row in self.image.split()])


class FilterInputs(PictureInputs):
    """A picture, and a filter."""

    first: Weights = Field(
        VERTICAL, description="the nine weights of the first filter, row by row, from -9 to 9"
    )


class NetInputs(FilterInputs):
    """A picture, and two filters with the names of their patterns."""

    second: Weights = Field(HORIZONTAL, description="the nine weights of the second filter")
    first_name: Name | None = Field(
        None, description="name of the first filter's pattern; default: chosen by its weights"
    )
    second_name: Name | None = Field(
        None, description="name of the second filter's pattern, likewise"
    )

    @property
    def names(self) -> tuple[str, str]:
        """Names of the filters' patterns, else “first” and “second”."""
        first = self.first_name or _NAMES.get(self.first, "first")
        second = self.second_name or _NAMES.get(self.second, "second")
        return (first, second) if first != second else ("first", "second")

    @property
    def filters(self) -> tuple[Weights, Weights]:
        """The weights of both filters."""
        return self.first, self.second

    @property
    def net(self) -> FilterNet:
        """The computation with both filters on the picture, and their classes."""
        return filter_net(self.pixels, self.filters, self.names)


def target_line(weights: Any) -> str:
    """What a filter looks for: “column”, “row”, or empty unless its weights are the usual ones."""
    if np.array_equal(weights, VERTICAL):
        return "column"
    return "row" if np.array_equal(weights, HORIZONTAL) else ""
