"""The six tables that the slides print for `!abacb`, compared with their equations.

The tables are numbered as on the slides, which count layers from 1.
Source: lecture slides on a one-hot induction head, equations (4), (5), (6), (9), (10), (11). The
numbers are as printed, all of them whole. No reading of equation (3) reproduces all six tables.
"""

from __future__ import annotations

from clockhead.model.arrays import Floats
from clockhead.model.induction.onehot_layers import (
    SLIDE_LETTERS,
    SLIDE_TEXT,
    OneHotLayers,
    Reading,
    onehot_layers,
)
from clockhead.model.induction.prompts import letter_prompt
from clockhead.model.primer.tables import Compared, compare_table

_DECIMALS = 1
"""Decimals printed on the slides, although all numbers are whole."""
_FIELDS = {
    "scores_1": "scores_0",
    "pattern_1": "pattern_0",
    "resid_mid": "resid_mid",
    "scores_2": "scores_1",
    "pattern_2": "pattern_1",
    "resid_post": "resid_post",
}
"""Field of `OneHotLayers` for each table; it counts layers from 0."""
_PRINTED = {
    "scores_1": """
        -100 -100 -100 -100 -100 -100
         100 -100 -100 -100 -100 -100
        -100  100 -100 -100 -100 -100
        -100 -100  100 -100 -100 -100
        -100 -100 -100  100 -100 -100
        -100 -100 -100 -100  100 -100""",
    "pattern_1": """
        1 0 0 0 0 0
        1 0 0 0 0 0
        0 1 0 0 0 0
        0 0 1 0 0 0
        0 0 0 1 0 0
        0 0 0 0 1 0""",
    "resid_mid": """
        1 0 0 0 0 0  0 0 0 0 0 0
        0 1 0 0 0 0  1 0 0 0 0 0
        0 0 1 0 0 0  0 1 0 0 0 0
        0 1 0 0 0 0  0 0 1 0 0 0
        0 0 0 1 0 0  0 1 0 0 0 0
        0 0 1 0 0 0  0 0 0 1 0 0""",
    "scores_2": """
        0 100   0   0   0   0
        0   0 100   0 100   0
        0   0   0 100   0   0
        0   0 100   0 100   0
        0   0   0   0   0 100
        0   0   0 100   0   0""",
    "pattern_2": """
        1 0 0 0 0 0
        0 0 0 0 0 0
        0 0 0 0 0 0
        0 0 1 0 0 0
        0 0 0 0 0 0
        0 0 0 1 0 0""",
    "resid_post": """
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 1 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 1 0 0 0 0  0 0 0 0 0 0""",
}


def slide_layers(reading: Reading = "causal") -> OneHotLayers:
    """The forward pass on the slides' own example, under a reading of their equation (3)."""
    return onehot_layers(letter_prompt(SLIDE_TEXT), SLIDE_LETTERS, reading)


def compare_slide(name: str, true: Floats) -> Compared:
    """Compare a table of the slides, (6, 6) or (6, 12), with true values.

    Raises KeyError for an unknown name.
    """
    return compare_table(name, _PRINTED[name], true, _DECIMALS)


def compare_slides(layers: OneHotLayers) -> dict[str, Compared]:
    """Compare the six tables, in order, with the values of `layers`."""
    return {name: compare_slide(name, getattr(layers, true)) for name, true in _FIELDS.items()}
