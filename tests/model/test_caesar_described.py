"""Every public value of the Caesar results is described, and every number has a unit."""

import pytest

from clockhead.model.caesar.accuracy import AccuracyByLength
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.embedding import ArbitraryEmbedding
from clockhead.model.caesar.first_characters import FirstCharacters, Reading
from clockhead.model.caesar.geometry import LetterPlane, TwoRules
from clockhead.model.caesar.projections import Compared, Shadows
from clockhead.model.caesar.transformer import CaesarTransformer
from clockhead.model.films.caesar.arbitrary_embedding import Embedded
from clockhead.model.films.caesar.folded import FoldedHead
from clockhead.model.films.caesar.how_much_text import TextNeeded
from clockhead.model.films.caesar.learned import LearnedColumn, Weights
from clockhead.model.films.caesar.message import Opened
from clockhead.model.films.caesar.posterior import Belief
from clockhead.model.films.caesar.printed import PrintedCode
from clockhead.model.films.caesar.wheel import CipherWheel
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
