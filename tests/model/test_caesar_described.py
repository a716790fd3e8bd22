"""Every public value of the Caesar results is described, and every number has a unit."""

import pytest

from clockhead.model.caesar_accuracy import AccuracyByLength
from clockhead.model.caesar_any_embedding import Embedded
from clockhead.model.caesar_belief import Belief
from clockhead.model.caesar_embedding import ArbitraryEmbedding
from clockhead.model.caesar_first import FirstCharacters, Reading
from clockhead.model.caesar_geometry import LetterPlane, TwoRules
from clockhead.model.caesar_learned import LearnedColumn, Weights
from clockhead.model.caesar_opened import Opened
from clockhead.model.caesar_printed import PrintedCode
from clockhead.model.caesar_shadows import Compared, Shadows
from clockhead.model.caesar_text_needed import TextNeeded
from clockhead.model.caesar_transformer import CaesarTransformer
from clockhead.model.caesar_wheel import CipherWheel
from clockhead.model.cryptogram import Cryptogram
from clockhead.model.folded import FoldedHead
from clockhead.model.units import described

RESULTS = [
    AccuracyByLength,
    ArbitraryEmbedding,
    Belief,
    CaesarTransformer,
    CipherWheel,
    Compared,
    Cryptogram,
    Embedded,
    FirstCharacters,
    FoldedHead,
    LearnedColumn,
    LetterPlane,
    Opened,
    PrintedCode,
    Reading,
    Shadows,
    TextNeeded,
    TwoRules,
    Weights,
]


@pytest.mark.parametrize("kind", RESULTS)
def test_every_value_is_described_and_every_number_has_a_unit(kind):
    for name, value in described(kind).items():
        assert value.text, f"{kind.__name__}.{name}"
        assert len(value.text) < 100, f"{kind.__name__}.{name}"
        if value.type in (int, float):
            assert value.unit, f"{kind.__name__}.{name}"
            assert "shape" not in value.text, f"{kind.__name__}.{name}"
